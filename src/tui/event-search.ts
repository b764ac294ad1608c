import type { Event } from '../domain/events.ts'
import { summarizeEvent } from './event-summary.ts'
import type { DetailLine } from './json-lines.ts'

const textsOf = new WeakMap<Event, string>()

/** Returns whether the summary or a value of an event, not a field name, contains a text in lower case. */
export function hasValue(event: Event, query: string, names: ReadonlyMap<string, string>): boolean {
  let text = textsOf.get(event)
  if (text === undefined) {
    const { amount, name } = summarizeEvent(event, names)
    text = `${joinValues(event)}\n${amount ?? ''}\n${name ?? ''}`.toLowerCase()
    textsOf.set(event, text)
  }
  return text.includes(query)
}

/** Joins all values inside an object with line breaks, which no typed text contains. */
function joinValues(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.values(value).map(joinValues).join('\n')
}

/** Returns the indexes of the lines whose value contains a text, case-insensitively. */
export function findLines(lines: readonly DetailLine[], query: string): number[] {
  if (query === '') return []
  const lower = query.toLowerCase()
  return lines.flatMap((line, at) => (textOf(line).toLowerCase().includes(lower) ? [at] : []))
}

function textOf({ value, spans }: DetailLine): string {
  return value ?? spans.map(({ text }) => text).join('')
}
