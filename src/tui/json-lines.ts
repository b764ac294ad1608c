import { createSpan, createUntrustedSpan, type Line, type Span } from './spans.ts'

/** A line of the event detail before it is wrapped. */
export interface DetailLine {
  readonly spans: Line
  /** Column at which the further lines start when the line is wrapped. */
  readonly indent?: number
  /** The text that a search examines (default: the whole line). */
  readonly value?: string
  /** JSON pointer of an object or array that can be folded. */
  readonly fold?: string
}

/** Returns a JSON value as colored lines. The objects and arrays at the folded JSON pointers are one line each. */
export function createJsonLines(value: unknown, folded: ReadonlySet<string>): DetailLine[] {
  return linesOf(value, folded, { pointer: '', depth: 0, key: [], comma: '' })
}

/** Returns the JSON pointers of all objects and arrays inside a value, without the pointers in `except`. */
export function listNestedPointers(value: unknown, except: ReadonlySet<string>, pointer = ''): string[] {
  return Object.entries(value ?? {}).flatMap(([name, child]) => {
    if (typeof child !== 'object' || child === null || Object.keys(child).length === 0) return []
    const own = childPointer(pointer, name)
    return [...(except.has(own) ? [] : [own]), ...listNestedPointers(child, except, own)]
  })
}

interface ValuePlace {
  readonly pointer: string
  readonly depth: number
  /** The spans before the value. */
  readonly key: readonly Span[]
  readonly comma: string
}

function linesOf(value: unknown, folded: ReadonlySet<string>, place: ValuePlace): DetailLine[] {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return containerLines(value, folded, place)
  const { depth, key, comma } = place
  const indent = depth * 2 + 2
  const text = JSON.stringify(value) ?? 'null'
  const colored = createUntrustedSpan(text, { color: colorOf(value) })
  const spans = [createSpan(' '.repeat(indent)), ...key, colored, createSpan(comma)]
  return [{ spans, indent: indent + 2, value: text }]
}

function containerLines(value: object, folded: ReadonlySet<string>, place: ValuePlace): DetailLine[] {
  const entries = Object.entries(value)
  const { pointer, depth, key, comma } = place
  const isArray = Array.isArray(value)
  const [open, close] = isArray ? ['[', ']'] : ['{', '}']
  const isFolded = folded.has(pointer)
  const margin = ' '.repeat(depth * 2)
  const head = [createSpan(margin), createSpan(isFolded ? '▸ ' : '▾ ', { isDim: true }), ...key]
  if (isFolded) {
    const count = `${entries.length} ${isArray ? 'item' : 'field'}${entries.length === 1 ? '' : 's'}`
    const rest = [createSpan(`${open} `), createSpan(count, { isDim: true }), createSpan(` ${close}${comma}`)]
    return [{ spans: [...head, ...rest], value: '', fold: pointer }]
  }
  const children = entries.flatMap(([name, child], at) => {
    const childKey = isArray
      ? []
      : [createUntrustedSpan(JSON.stringify(name), { color: 'cyan' }), createSpan(': ')]
    const childComma = at === entries.length - 1 ? '' : ','
    const childPlace = {
      pointer: childPointer(pointer, name),
      depth: depth + 1,
      key: childKey,
      comma: childComma,
    }
    return linesOf(child, folded, childPlace)
  })
  return [
    { spans: [...head, createSpan(open)], value: '', fold: pointer },
    ...children,
    { spans: [createSpan(`${margin}  `), createSpan(close + comma)], value: '' },
  ]
}

function colorOf(value: unknown): NonNullable<Span['color']> {
  return typeof value === 'string' ? 'green' : typeof value === 'number' ? 'yellow' : 'magenta'
}

function childPointer(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
