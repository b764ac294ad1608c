import { LogoError } from './logo-error.ts'
import { idsIn, isId } from './svg-values.ts'
import type { XmlElement } from './xml.ts'

const MAX_DRAWN_ELEMENTS = 20_000

/**
 * Throws when references draw elements again and again: a cycle, or more than 20,000 elements in total. Nested `<use>`
 * elements, masks and clip paths double with each level, so that a small file could block a browser.
 */
export function limitDrawnElements(root: XmlElement): void {
  const byId = new Map<string, XmlElement>()
  indexIds(root, byId)
  countDrawn(root, { byId, counts: new Map() })
}

interface CountState {
  readonly byId: ReadonlyMap<string, XmlElement>
  /** The count of each visited element; null while it is being counted. */
  readonly counts: Map<XmlElement, number | null>
}

function countDrawn(element: XmlElement, state: CountState): number {
  const known = state.counts.get(element)
  if (known === null) throw new LogoError('contains elements that refer to themselves')
  if (known !== undefined) return known
  state.counts.set(element, null)
  let count = 1
  for (const child of element.children) if (typeof child !== 'string') count += countDrawn(child, state)
  for (const id of referencesOf(element)) {
    const target = state.byId.get(id)
    if (target !== undefined) count += countDrawn(target, state)
  }
  if (count > MAX_DRAWN_ELEMENTS)
    throw new LogoError(`draws more than ${MAX_DRAWN_ELEMENTS} elements through references`)
  state.counts.set(element, count)
  return count
}

function referencesOf({ attributes }: XmlElement): string[] {
  return [...attributes].flatMap(([name, value]) =>
    name === 'href' && isId(value.slice(1)) ? [value.slice(1)] : idsIn(value),
  )
}

function indexIds(element: XmlElement, byId: Map<string, XmlElement>): void {
  const id = element.attributes.get('id')
  if (id !== undefined && !byId.has(id)) byId.set(id, element)
  for (const child of element.children) if (typeof child !== 'string') indexIds(child, byId)
}
