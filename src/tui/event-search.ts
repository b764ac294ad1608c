import type { Event } from '../domain/events/events.ts'
import { getEventCustomerOrObjectId, getEventObjectSummary } from '../presentation/event-summary.ts'
import type { DetailLine } from './json-lines.ts'
import { getLineText } from './spans.ts'

/** The searchable text of each event, without the customer's name, which later events can change. */
const texts = new WeakMap<Event, string>()

/**
 * Returns whether a value of the event, its formatted amount or the customer's name contains `query`, which must be in
 * lower case.
 */
export function hasMatchingValue(event: Event, query: string, names: ReadonlyMap<string, string>): boolean {
  let text = texts.get(event)
  if (text === undefined) {
    text = `${joinValues(event)}\n${getEventObjectSummary(event).amount ?? ''}`.toLowerCase()
    texts.set(event, text)
  }
  const name = names.get(getEventCustomerOrObjectId(event))
  return text.includes(query) || (name?.toLowerCase().includes(query) ?? false)
}

/** Joins all values inside an object with line breaks, which no typed text contains. */
function joinValues(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.values(value).map(joinValues).join('\n')
}

/** Returns the indexes of the lines whose value contains `query`, case-insensitively. */
export function listMatchingLineIndexes(lines: readonly DetailLine[], query: string): number[] {
  if (query === '') return []
  const lower = query.toLowerCase()
  return lines.flatMap((line, at) =>
    (line.value ?? getLineText(line.spans)).toLowerCase().includes(lower) ? [at] : [],
  )
}
