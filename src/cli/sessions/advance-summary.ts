import { events } from '../../api/operations/events.ts'
import type { Client } from '../../client/client.ts'
import type { Event } from '../../domain/events/events.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'
import { listObjects, type PaginatedList } from '../request/paginate.ts'
import type { AdvanceRange } from './advance-progress.ts'
import type { ChosenClock } from './clock-choice.ts'

const MAX_EVENTS = 5000

/** Lists the newest 5,000 events on a clock after a sequence number, newest first. */
export function listEventsOnClock(
  client: Client,
  clockId: string,
  sequence: number,
): Promise<PaginatedList<Event>> {
  return listObjects(client, events.list, { test_clock: clockId, sequence: { gt: sequence } }, MAX_EVENTS)
}

/** Formats start and end of an advance and the number of events per type, in the order of first occurrence. */
export function formatAdvanceSummary(
  { clock, isOnly }: ChosenClock,
  range: AdvanceRange,
  events: PaginatedList<Event>,
): string {
  const name = isOnly ? `${clock.id} (the only clock)` : clock.id
  const head = `Advanced ${name}\n${formatTime(range.from)} -> ${formatTime(range.to)}`
  const { found, hasMore } = events
  if (found.length === 0) return `${head}, no events`
  const counts = countTypes(found)
  const width = Math.max(...[...counts.values()].map((count) => String(count).length))
  const rows = [...counts].map(([type, count]) => `  ${String(count).padStart(width)}  ${type}`)
  const total = found.length === 1 ? '1 event' : `${found.length} events`
  const shown = hasMore ? `the newest ${total}` : total
  return [`${head}, ${shown}`, ...rows, `See them: paycli timeline ${clock.id}`].join('\n')
}

function countTypes(newestFirst: readonly Event[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { type } of newestFirst.toReversed()) counts.set(type, (counts.get(type) ?? 0) + 1)
  return counts
}

function formatTime(seconds: number): string {
  return toIsoTimestamp(seconds) ?? String(seconds)
}
