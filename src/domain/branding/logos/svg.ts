import { LogoError } from './logo-error.ts'
import { enforceDrawingCostLimit } from './svg-cost.ts'
import { ALLOWED_ELEMENTS, FORBIDDEN_ELEMENTS, NON_PRESENTATION_ATTRIBUTES } from './svg-names.ts'
import { computeStyle, readStyleSheet, type StyleSheet } from './svg-styles.ts'
import { isSvgId, parseSvgReference, requireInertValue } from './svg-values.ts'
import { parseXml, type XmlElement } from './xml.ts'

/** Limits the attributes: style rules repeat their values on every element, so a small file could become large. */
const MAX_CHARACTERS = 32 * 1024
const NAMESPACE = 'http://www.w3.org/2000/svg'

/**
 * Returns an SVG image that contains only known elements and attributes, without CSS. Unknown elements and attributes
 * are dropped. Throws a LogoError for content that runs code, animates or refers to another document.
 */
export function sanitizeSvg(text: string): string {
  const parsed = parseXml(text)
  if (parsed.name !== 'svg' || parsed.attributes.get('xmlns') !== NAMESPACE)
    throw new LogoError(`does not start with <svg xmlns="${NAMESPACE}">`)
  const root = cleanElement(parsed, { sheet: readStyleSheet(parsed), characters: 0 })
  enforceDrawingCostLimit(root)
  const attributes = new Map([['xmlns', NAMESPACE], ...root.attributes, ...viewBoxOf(root)])
  return serialize({ ...root, attributes })
}

interface CleanState {
  readonly sheet: StyleSheet
  /** The number of characters in all attributes so far. */
  characters: number
}

function cleanElement(element: XmlElement, state: CleanState): XmlElement {
  const { name, children } = element
  const keepsText = name === 'text' || name === 'tspan'
  const attributes = new Map([...cleanAttributes(element), ...computeStyle(element, state.sheet)])
  for (const [key, value] of attributes) state.characters += key.length + value.length
  if (state.characters > MAX_CHARACTERS)
    throw new LogoError(`has more than ${MAX_CHARACTERS} characters after its styles are applied`)
  return {
    name,
    attributes,
    children: children.flatMap((child): (XmlElement | string)[] => {
      if (typeof child === 'string') return keepsText ? [child] : []
      return isKept(child.name) ? [cleanElement(child, state)] : []
    }),
  }
}

function isKept(name: string): boolean {
  if (FORBIDDEN_ELEMENTS.has(localName(name).toLowerCase()))
    throw new LogoError(`contains the element <${name}>`)
  return ALLOWED_ELEMENTS.has(name)
}

function cleanAttributes({ name: element, attributes }: XmlElement): [name: string, value: string][] {
  return [...attributes].flatMap(([name, value]): [string, string][] => {
    const local = localName(name)
    if (/^on/i.test(local)) throw new LogoError(`contains the event handler ${name}`)
    if (local.toLowerCase() === 'href') return [['href', `#${parseSvgReference(name, value)}`]]
    if (/^(?:src|base|action|formaction)$/i.test(local))
      throw new LogoError(`contains the attribute ${name} in <${element}>`)
    if (name === 'id') return isSvgId(value) ? [[name, value]] : []
    if (!NON_PRESENTATION_ATTRIBUTES.has(name)) return []
    requireInertValue(name, value)
    return [[name, value]]
  })
}

/** Returns a view box from the size, so that the image scales to the size of the page's logo. */
function viewBoxOf({ attributes }: XmlElement): [name: string, value: string][] {
  const size = ['width', 'height'].map((name) => /^[\d.]+(?=(?:px)?$)/.exec(attributes.get(name) ?? '')?.[0])
  return attributes.has('viewBox') || size.includes(undefined) ? [] : [['viewBox', `0 0 ${size.join(' ')}`]]
}

function serialize({ name, attributes, children }: XmlElement): string {
  const pairs = [...attributes].map(([key, value]) => ` ${key}="${escapeText(value)}"`).join('')
  if (children.length === 0) return `<${name}${pairs}/>`
  const content = children.map((child) => (typeof child === 'string' ? escapeText(child) : serialize(child)))
  return `<${name}${pairs}>${content.join('')}</${name}>`
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}
