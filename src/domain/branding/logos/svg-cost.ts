import { LogoError } from './logo-error.ts'
import { isSvgId, listReferencedIds } from './svg-values.ts'
import type { XmlElement } from './xml.ts'

/** The maximum drawing cost of a logo, in elements. Browsers draw this number of elements without a delay. */
const MAX_COST = 4000
/** The number of characters of a path, a list of points or a string that cost as much as one element. */
const CHARACTERS_PER_ELEMENT = 16
/** The cost of a mask, a clip path or an opacity: a browser first draws the element to a separate layer. */
const LAYER_COST = 16
const LAYERS = ['mask', 'clip-path', 'opacity']
const NO_LAYER: ReadonlySet<string> = new Set(['none', '1'])

/**
 * Throws when the drawing cost of an image is more than 4,000 elements, or when an element refers to itself. Nested
 * `<use>` elements, masks, clip paths and gradients draw their elements repeatedly, so a small file could block a
 * browser.
 */
export function enforceDrawingCostLimit(root: XmlElement): void {
  const byId = new Map<string, XmlElement>()
  indexIds(root, byId)
  addCosts(root, { byId, costs: new Map() })
}

interface CostState {
  readonly byId: ReadonlyMap<string, XmlElement>
  /** The cost of each visited element; null during the computation of this cost. */
  readonly costs: Map<XmlElement, number | null>
}

function addCosts(element: XmlElement, state: CostState): number {
  const known = state.costs.get(element)
  if (known === null) throw new LogoError('contains elements that refer to themselves')
  if (known !== undefined) return known
  state.costs.set(element, null)
  let cost = ownCostOf(element)
  for (const child of element.children) if (typeof child !== 'string') cost += addCosts(child, state)
  for (const id of referencesOf(element)) {
    const target = state.byId.get(id)
    if (target !== undefined) cost += addCosts(target, state)
  }
  if (cost > MAX_COST)
    throw new LogoError(
      `takes too long to draw: its elements, long paths, masks and references add up to more than ${MAX_COST} elements; simplify it, or use a PNG image`,
    )
  state.costs.set(element, cost)
  return cost
}

function ownCostOf({ attributes, children }: XmlElement): number {
  const texts = [attributes.get('d'), attributes.get('points'), ...children]
  const characters = texts.reduce<number>(
    (sum, text) => sum + (typeof text === 'string' ? text.length : 0),
    0,
  )
  const layers = LAYERS.filter((name) => !NO_LAYER.has(attributes.get(name) ?? 'none')).length
  return 1 + characters / CHARACTERS_PER_ELEMENT + layers * LAYER_COST
}

function referencesOf({ attributes }: XmlElement): string[] {
  return [...attributes].flatMap(([name, value]) =>
    name === 'href' && isSvgId(value.slice(1)) ? [value.slice(1)] : listReferencedIds(value),
  )
}

function indexIds(element: XmlElement, byId: Map<string, XmlElement>): void {
  const id = element.attributes.get('id')
  if (id !== undefined && !byId.has(id)) byId.set(id, element)
  for (const child of element.children) if (typeof child !== 'string') indexIds(child, byId)
}
