import { LogoError } from './logo-error.ts'
import { PRESENTATION_ATTRIBUTES } from './svg-names.ts'
import { hasExternalUrl, requireInertValue } from './svg-values.ts'
import type { XmlElement } from './xml.ts'

interface Declaration {
  readonly property: string
  readonly value: string
  /** The precedence, which grows with the specificity of the selector, then with the position in the style sheet. */
  readonly priority: number
}

/**
 * The last declaration of each property by selector: `*`, `path`, `.class` or `#id`. Earlier declarations are not
 * stored, so that a small file with many selectors, declarations and elements takes little time.
 */
export type StyleSheet = ReadonlyMap<string, ReadonlyMap<string, Declaration>>

/** A limit above the number of rules that a logo of the maximum size can contain. */
const MAX_RULES = 1_000_000
const SIMPLE_SELECTOR = /^(?:\*|[.#]?-?[A-Za-z_][\w-]*)$/

/** Returns the rules of all `<style>` elements of a document. Throws for selectors and at-rules that are not supported. */
export function readStyleSheet(root: XmlElement): StyleSheet {
  const sheet = new Map<string, Map<string, Declaration>>()
  let order = 0
  for (const [selectors, body] of splitRules(collectCss(root))) {
    const declarations = readDeclarations(body)
    order += 1
    for (const selector of new Set(selectors.split(',').map((one) => one.trim()))) {
      if (!SIMPLE_SELECTOR.test(selector))
        throw new LogoError(
          `has the unsupported CSS selector '${selector.slice(0, 40)}'; use presentation attributes such as fill`,
        )
      const priority = specificityOf(selector) * MAX_RULES + order
      const known = sheet.get(selector) ?? new Map<string, Declaration>()
      for (const [property, value] of declarations) known.set(property, { property, value, priority })
      sheet.set(selector, known)
    }
  }
  return sheet
}

/**
 * Returns the attributes of an element that CSS can set, from the style sheet and the element itself. Throws for values
 * that refer to other documents or call unknown functions.
 */
export function computeStyle(
  { name, attributes }: XmlElement,
  sheet: StyleSheet,
): ReadonlyMap<string, string> {
  const classes = (attributes.get('class') ?? '').split(/\s+/).map((one) => `.${one}`)
  const selectors = new Set(['*', name, ...classes, `#${attributes.get('id') ?? ''}`])
  const declarations = [...selectors].flatMap((selector) => [...(sheet.get(selector)?.values() ?? [])])
  declarations.sort((a, b) => a.priority - b.priority)
  const own = [...attributes].filter(([property]) => PRESENTATION_ATTRIBUTES.has(property))
  for (const [property, value] of own) requireInertStyle(property, value)
  const inline = readDeclarations(withoutComments(attributes.get('style') ?? ''))
  return new Map([
    ...own,
    ...declarations.map(({ property, value }) => [property, value] as const),
    ...inline,
  ])
}

function collectCss({ name, children }: XmlElement): string {
  return children
    .map((child) => (typeof child === 'string' ? (name === 'style' ? child : '') : collectCss(child)))
    .join('\n')
}

function splitRules(text: string): [selectors: string, body: string][] {
  const css = withoutComments(text)
  const [atRule] = /@[\w-]*/.exec(css) ?? []
  if (atRule !== undefined) throw new LogoError(`contains the CSS rule ${atRule}`)
  const parts = css.split('}')
  if (parts.pop()?.trim() !== '') throw new LogoError('contains invalid CSS')
  return parts.map((part) => {
    const [selectors, body, ...more] = part.split('{')
    if (selectors === undefined || body === undefined || more.length > 0)
      throw new LogoError('contains invalid CSS')
    return [selectors, body]
  })
}

function withoutComments(css: string): string {
  if (css.includes('\\')) throw new LogoError('contains a backslash in CSS')
  let text = ''
  let at = 0
  for (;;) {
    const start = css.indexOf('/*', at)
    if (start < 0) return text + css.slice(at)
    text += `${css.slice(at, start)} `
    const end = css.indexOf('*/', start + 2)
    if (end < 0) return text
    at = end + 2
  }
}

/** Returns the last value of each property in a list of declarations. */
function readDeclarations(body: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const declaration of body.split(';')) {
    const [property = '', ...rest] = declaration.split(':')
    const name = property.trim().toLowerCase()
    if (PRESENTATION_ATTRIBUTES.has(name)) {
      const value = withoutImportant(rest.join(':').trim())
      requireInertStyle(name, value)
      values.set(name, value)
    } else requireUnusedUrl(declaration)
  }
  return values
}

function requireInertStyle(property: string, value: string): void {
  requireInertValue(property, value)
  // Inherited masks draw their contents repeatedly, without references from which the cost could be computed.
  if ((property === 'mask' || property === 'clip-path') && /inherit/i.test(value))
    throw new LogoError(`inherits a ${property}; use url(#id) or none`)
}

function withoutImportant(value: string): string {
  const mark = value.lastIndexOf('!')
  const isImportant =
    mark >= 0 &&
    value
      .slice(mark + 1)
      .trim()
      .toLowerCase() === 'important'
  return isImportant ? value.slice(0, mark).trim() : value
}

/** Throws for a dropped declaration with an external URL, so that the author of the logo notices the error. */
function requireUnusedUrl(declaration: string): void {
  if (hasExternalUrl(declaration))
    throw new LogoError(`refers to an external resource in '${declaration.trim().slice(0, 40)}'`)
}

function specificityOf(selector: string): number {
  if (selector === '*') return 0
  return selector.startsWith('#') ? 3 : selector.startsWith('.') ? 2 : 1
}
