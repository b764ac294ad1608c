import { events } from '../../api/operations/events.ts'
import type { Client } from '../../client/client.ts'
import type { Event } from '../../domain/events.ts'
import { isoOf } from '../../domain/moment-text.ts'
import { type Walked, walk } from '../request/paginate.ts'
import type { Way } from './advance-progress.ts'
import type { ChosenClock } from './clock-choice.ts'

const MOST_COUNTED = 5000

/** The place of the newest event on a clock, 0 before the first. */
export async function newestSequence(client: Client, clockId: string): Promise<number> {
  // Of all events the newest by time need not be the last in the sequence: each clock has its own time.
  const { data } = await client.call(events.list, { test_clock: clockId, limit: 1 })
  return data[0]?.sequence ?? 0
}

/** What happened on a clock after a place in the sequence, newest first and not without end. */
export function eventsSince(client: Client, clockId: string, sequence: number): Promise<Walked<Event>> {
  const asked = { test_clock: clockId, sequence: { gt: sequence } }
  return walk((cursor) => client.call(events.list, { ...asked, ...cursor }), MOST_COUNTED)
}

/** From where to where a clock went, and how often what happened in between, in the order in which it first did. */
export function advanceSummary({ clock, isOnly }: ChosenClock, way: Way, happened: Walked<Event>): string {
  const name = isOnly ? `${clock.id} (the only clock)` : clock.id
  const head = `${name}: ${momentOf(way.from)} -> ${momentOf(way.to)}`
  const { found, hasMore } = happened
  if (found.length === 0) return `${head}, and nothing happened.`
  const counts = countTypes(found)
  const width = Math.max(...[...counts.values()].map((count) => String(count).length))
  const rows = [...counts].map(([type, count]) => `  ${String(count).padStart(width)}  ${type}`)
  const events = found.length === 1 ? '1 event' : `${found.length} events`
  const many = hasMore ? `more than ${events}, of which the newest are` : events
  return [`${head}, ${many}:`, ...rows, `See them: paycli timeline ${clock.id}`].join('\n')
}

function countTypes(newestFirst: readonly Event[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { type } of newestFirst.toReversed()) counts.set(type, (counts.get(type) ?? 0) + 1)
  return counts
}

function momentOf(seconds: number): string {
  return isoOf(seconds) ?? String(seconds)
}
