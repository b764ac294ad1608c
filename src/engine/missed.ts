import type { EventType } from '../domain/event-types.ts'
import { isMissed, type Told } from '../domain/webhook-resends.ts'
import type { Reader } from '../store/port/store.ts'
import { loadDeliveries } from './load-related.ts'

const RECORDS_PER_PAGE = 100
const MAX_RECORDS_SEARCHED = 20_000
const MAX_EVENTS = 1000

/** Which of the events that are missed by `now`; all times in Unix seconds of wall time. */
export interface MissedWindow {
  readonly now: number
  readonly since: number
  readonly until?: number
  readonly types?: readonly EventType[]
}

/**
 * Loads what an endpoint missed, the oldest first and a thousand at most: events whose attempts so far all failed or
 * were skipped. What is on its way right now is not among them.
 */
export async function loadMissed(
  reader: Reader,
  webhookEndpoint: string,
  window: MissedWindow,
): Promise<{ readonly missed: readonly Told[]; readonly hasMore: boolean }> {
  const failed = await failedEvents(reader, webhookEndpoint, window)
  const missed: Told[] = []
  for (const id of failed.events) {
    const deliveries = await loadDeliveries(reader, id)
    const event = isMissed(deliveries, webhookEndpoint, window.now) ? await reader.get('events', id) : null
    if (event === null || window.types?.includes(event.type) === false) continue
    if (missed.length === MAX_EVENTS) return { missed, hasMore: true }
    missed.push({ event, deliveries })
  }
  return { missed, hasMore: failed.hasMore }
}

/** The events with a failed or skipped delivery in the window, the oldest first. */
async function failedEvents(
  reader: Reader,
  webhookEndpoint: string,
  { since, until = Number.MAX_SAFE_INTEGER }: MissedWindow,
): Promise<{ readonly events: readonly string[]; readonly hasMore: boolean }> {
  const events = new Set<string>()
  const query = {
    where: { webhook_endpoint: webhookEndpoint, status: ['failed', 'skipped'] },
    ranges: [{ field: 'created', gte: since, lte: until }],
    limit: RECORDS_PER_PAGE,
  }
  let last: string | undefined
  for (let searched = 0; searched < MAX_RECORDS_SEARCHED; searched += RECORDS_PER_PAGE) {
    const after = last === undefined ? {} : { starting_after: last }
    const { data, has_more } = await reader.list('webhook_deliveries', { ...query, ...after })
    for (const { event } of data) {
      // Where an event stands is where it was first tried.
      events.delete(event)
      events.add(event)
    }
    last = data.at(-1)?.id
    if (!has_more) return { events: [...events].reverse(), hasMore: false }
  }
  return { events: [...events].reverse(), hasMore: true }
}
