import { createSpan, type Line, type Span, untrustedSpan } from './spans.ts'

/** A line of the event detail before it is wrapped. */
export interface DetailLine {
  readonly spans: Line
  /** Column at which the further lines start when the line is wrapped. */
  readonly indent?: number
  /** The text that a search looks into (default: the whole line). */
  readonly value?: string
  /** JSON pointer of an object or array that can be folded. */
  readonly fold?: string
}

/** Returns a JSON value as colored lines. The objects and arrays at the folded JSON pointers are one line each. */
export function jsonLines(value: unknown, folded: ReadonlySet<string>): DetailLine[] {
  const lines: DetailLine[] = []
  addValue(value, { lines, folded, pointer: '', depth: 0, key: [], comma: '' })
  return lines
}

/** Returns the JSON pointers of all objects and arrays inside a value, without those in `except`. */
export function nestedPointers(value: unknown, except: ReadonlySet<string>, pointer = ''): string[] {
  return Object.entries(value ?? {}).flatMap(([name, child]) => {
    if (typeof child !== 'object' || child === null || Object.keys(child).length === 0) return []
    const own = childPointer(pointer, name)
    return [...(except.has(own) ? [] : [own]), ...nestedPointers(child, except, own)]
  })
}

interface ValuePlace {
  readonly lines: DetailLine[]
  readonly folded: ReadonlySet<string>
  readonly pointer: string
  readonly depth: number
  /** The spans before the value. */
  readonly key: readonly Span[]
  readonly comma: string
}

function addValue(value: unknown, place: ValuePlace): void {
  const { lines, depth, key, comma } = place
  const indent = depth * 2 + 2
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    addContainer(value, place)
    return
  }
  const text = JSON.stringify(value) ?? 'null'
  const spans = [
    createSpan(' '.repeat(indent)),
    ...key,
    untrustedSpan(text, { color: colorOf(value) }),
    createSpan(comma),
  ]
  lines.push({ spans, indent: indent + 2, value: text })
}

function addContainer(value: object, place: ValuePlace): void {
  const entries = Object.entries(value)
  const { lines, folded, pointer, depth, key, comma } = place
  const isArray = Array.isArray(value)
  const [open, close] = isArray ? ['[', ']'] : ['{', '}']
  const isFolded = folded.has(pointer)
  const head = [
    createSpan(' '.repeat(depth * 2)),
    createSpan(isFolded ? '▸ ' : '▾ ', { isDim: true }),
    ...key,
  ]
  if (isFolded) {
    const count = `${entries.length} ${isArray ? 'item' : 'field'}${entries.length === 1 ? '' : 's'}`
    const spans = [
      ...head,
      createSpan(`${open} `),
      createSpan(count, { isDim: true }),
      createSpan(` ${close}${comma}`),
    ]
    lines.push({ spans, value: '', fold: pointer })
    return
  }
  lines.push({ spans: [...head, createSpan(open)], value: '', fold: pointer })
  for (const [at, [name, child]] of entries.entries()) {
    const childKey = isArray ? [] : [untrustedSpan(JSON.stringify(name), { color: 'cyan' }), createSpan(': ')]
    addValue(child, {
      ...{ lines, folded, pointer: childPointer(pointer, name), depth: depth + 1 },
      ...{ key: childKey, comma: at === entries.length - 1 ? '' : ',' },
    })
  }
  lines.push({ spans: [createSpan(' '.repeat(depth * 2 + 2)), createSpan(close + comma)], value: '' })
}

function colorOf(value: unknown): NonNullable<Span['color']> {
  return typeof value === 'string' ? 'green' : typeof value === 'number' ? 'yellow' : 'magenta'
}

function childPointer(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
