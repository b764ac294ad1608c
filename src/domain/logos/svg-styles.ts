import { LogoError } from './logo-error.ts'
import { PRESENTATION_ATTRIBUTES } from './svg-names.ts'
import { hasExternalUrl } from './svg-values.ts'
import type { XmlElement } from './xml.ts'

/** The declarations of one rule for one simple selector. */
interface StyleRule {
  /** Position in the style sheet. */
  readonly order: number
  /** 0 for `*`, 1 for an element, 2 for a class, 3 for an id. */
  readonly specificity: number
  readonly declarations: Declarations
}

type Declarations = readonly (readonly [property: string, value: string])[]

/** Rules by their selector: `*`, `path`, `.class` or `#id`. */
export type StyleSheet = ReadonlyMap<string, readonly StyleRule[]>

const SIMPLE_SELECTOR = /^(?:\*|[.#]?-?[A-Za-z_][\w-]*)$/

/** Returns the rules of all `<style>` elements of a document. Throws for selectors and at-rules that are not supported. */
export function readStyleSheet(root: XmlElement): StyleSheet {
  const sheet = new Map<string, StyleRule[]>()
  let order = 0
  for (const [selectors, body] of splitRules(collectCss(root))) {
    const declarations = readDeclarations(body)
    order += 1
    for (const selector of selectors.split(',').map((one) => one.trim())) {
      if (!SIMPLE_SELECTOR.test(selector))
        throw new LogoError(
          `has the unsupported CSS selector '${selector.slice(0, 40)}'; use presentation attributes such as fill`,
        )
      const rules = sheet.get(selector) ?? []
      rules.push({ order, specificity: specificityOf(selector), declarations })
      sheet.set(selector, rules)
    }
  }
  return sheet
}

/** Returns the attributes of an element that CSS can set, with those of the style sheet and its `style` attribute. */
export function computeStyle(
  { name, attributes }: XmlElement,
  sheet: StyleSheet,
): ReadonlyMap<string, string> {
  const classes = (attributes.get('class') ?? '').split(/\s+/).map((one) => `.${one}`)
  const selectors = new Set(['*', name, ...classes, `#${attributes.get('id') ?? ''}`])
  const rules = [...selectors].flatMap((selector) => sheet.get(selector) ?? [])
  rules.sort((a, b) => a.specificity - b.specificity || a.order - b.order)
  const own = [...attributes].filter(([property]) => PRESENTATION_ATTRIBUTES.has(property))
  const inline = readDeclarations(withoutComments(attributes.get('style') ?? ''))
  return new Map([...own, ...rules.flatMap(({ declarations }) => declarations), ...inline])
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

function readDeclarations(body: string): Declarations {
  return body.split(';').flatMap((declaration) => {
    const [property = '', ...value] = declaration.split(':')
    const name = property.trim().toLowerCase()
    if (!PRESENTATION_ATTRIBUTES.has(name)) {
      requireUnusedUrl(declaration)
      return []
    }
    return [[name, withoutImportant(value.join(':').trim())] as const]
  })
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

/** Throws for a declaration that is dropped if it would have loaded something, so that the author learns of it. */
function requireUnusedUrl(declaration: string): void {
  if (hasExternalUrl(declaration))
    throw new LogoError(`refers to an external resource in '${declaration.trim().slice(0, 40)}'`)
}

function specificityOf(selector: string): number {
  if (selector === '*') return 0
  return selector.startsWith('#') ? 3 : selector.startsWith('.') ? 2 : 1
}
