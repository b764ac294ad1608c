import { LogoError } from './logo-error.ts'

/** An element of an XML document. */
export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly (XmlElement | string)[]
}

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[]
}

const MAX_DEPTH = 64

const INVALID_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const DECLARATION = /<\?xml\s[^<>?]*\?>/y
// Matches no document type with a SYSTEM identifier or an internal subset, which load files and define entities.
const DOCTYPE = /<!DOCTYPE\s+svg(?:\s+PUBLIC\s+"[^"<>[]*"\s+"[^"<>[]*")?\s*>/y
const START_TAG = /<([A-Za-z_][\w.:-]*)/y
const ATTRIBUTE = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const TAG_END = /\s*(\/?)>/y
const END_TAG = /<\/([A-Za-z_][\w.:-]*)\s*>/y
const TEXT = /[^<]+/y

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/**
 * Parses the part of XML that images need, in linear time, and returns the root element. Throws a LogoError for syntax
 * errors, processing instructions, document types that can define entities, and entities that are not predefined.
 */
export function parseXml(text: string): XmlElement {
  if (INVALID_CHARACTER.test(text)) throw new LogoError('contains a character that XML does not allow')
  const document: OpenElement = { name: '', attributes: new Map(), children: [] }
  const open = [document]
  let at = text.startsWith('\ufeff') ? 1 : 0
  at += match(DECLARATION, text, at)?.[0].length ?? 0
  while (at < text.length) at = parseNode(text, at, open)
  const [root, ...others] = document.children.filter((node) => typeof node !== 'string' || node.trim() !== '')
  if (open.length > 1) throw new LogoError(`is not valid XML: <${open.at(-1)?.name}> is not closed`)
  if (root === undefined || typeof root === 'string' || others.length > 0)
    throw new LogoError('is not an XML document with one root element')
  return root
}

/** Adds the node at a position to the innermost open element, and returns the position after this node. */
function parseNode(text: string, at: number, open: OpenElement[]): number {
  const parent = open.at(-1) as OpenElement
  const content = match(TEXT, text, at)
  if (content !== null) {
    parent.children.push(decodeEntities(content[0]))
    return at + content[0].length
  }
  if (text.startsWith('<!--', at)) return endOf(text, '-->', at + 4)
  if (text.startsWith('<![CDATA[', at)) {
    const end = endOf(text, ']]>', at)
    parent.children.push(text.slice(at + 9, end - 3))
    return end
  }
  const end = match(END_TAG, text, at)
  if (end !== null) {
    if (open.length === 1 || end[1] !== parent.name) throw new LogoError(`is not valid XML at ${end[0]}`)
    open.pop()
    return at + end[0].length
  }
  const doctype = open.length === 1 && parent.children.every((node) => typeof node === 'string')
  const skipped = doctype ? match(DOCTYPE, text, at) : null
  return skipped === null ? parseStartTag(text, at, open) : at + skipped[0].length
}

function parseStartTag(text: string, start: number, open: OpenElement[]): number {
  const tag = match(START_TAG, text, start)
  if (tag === null) throw new LogoError(describeForbidden(text, start))
  const attributes = new Map<string, string>()
  let at = start + tag[0].length
  for (let found = match(ATTRIBUTE, text, at); found !== null; found = match(ATTRIBUTE, text, at)) {
    const [all, name = '', double, single = ''] = found
    if (attributes.has(name)) throw new LogoError(`is not valid XML: <${tag[1]}> has two attributes ${name}`)
    attributes.set(name, decodeEntities(double ?? single))
    at += all.length
  }
  const end = match(TAG_END, text, at)
  if (end === null) throw new LogoError(`is not valid XML in the start tag of <${tag[1]}>`)
  const element: OpenElement = { name: tag[1] ?? '', attributes, children: [] }
  open.at(-1)?.children.push(element)
  if (end[1] === '') open.push(element)
  if (open.length > MAX_DEPTH) throw new LogoError(`has more than ${MAX_DEPTH} levels of elements`)
  return at + end[0].length
}

function describeForbidden(text: string, at: number): string {
  if (text.startsWith('<?', at))
    return `contains the processing instruction ${text.slice(at, at + 20).split(/\s/)[0]}`
  if (/^<!DOCTYPE/i.test(text.slice(at, at + 9)))
    return 'contains a document type with entities or external files'
  return `is not valid XML at '${text.slice(at, at + 20)}'`
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&([^;&]{0,12});?/g, (all, name: string) => {
    const code = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name)
    const decoded = code === null ? ENTITIES.get(name) : decodeCharacter(code)
    if (decoded === undefined || !all.endsWith(';')) throw new LogoError(`contains the entity '${all}'`)
    return decoded
  })
}

function decodeCharacter([, hex, decimal]: RegExpExecArray): string | undefined {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  const character = code <= 0x10ffff ? String.fromCodePoint(code) : ''
  return character === '' || INVALID_CHARACTER.test(character) ? undefined : character
}

function endOf(text: string, end: string, from: number): number {
  const at = text.indexOf(end, from)
  if (at < 0) throw new LogoError(`is not valid XML: ${end} is missing`)
  return at + end.length
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
