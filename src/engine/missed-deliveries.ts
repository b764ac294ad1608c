import type { EventType } from '../domain/core/event-types.ts'
import { type EventWithDeliveries, isMissedEvent } from '../domain/events/webhook-resends.ts'
import type { StoreReader } from '../store/port/store.ts'
import { iterateRecordPages, loadEventDeliveries } from './load-related.ts'

const MAX_RECORDS_SEARCHED = 20_000
const MAX_EVENTS = 1000

/** The filter of the events that an endpoint has missed at `now`. All times are real time in Unix seconds. */
export interface MissedEventsFilter {
  readonly now: number
  readonly since: number
  readonly until?: number
  readonly types?: readonly EventType[]
}

/**
 * Loads up to 1000 events that an endpoint missed, oldest first. A delivery of each event failed or was skipped, and no
 * delivery succeeded or is due. A retry scheduled for later does not count as due.
 */
export async function loadMissedEvents(
  reader: StoreReader,
  webhookEndpoint: string,
  window: MissedEventsFilter,
): Promise<{ readonly missed: readonly EventWithDeliveries[]; readonly hasMore: boolean }> {
  const failed = await findFailedEvents(reader, webhookEndpoint, window)
  const missed: EventWithDeliveries[] = []
  for (const id of failed.events) {
    const deliveries = await loadEventDeliveries(reader, id)
    const event = isMissedEvent(deliveries, webhookEndpoint, window.now)
      ? await reader.get('events', id)
      : null
    if (event === null || window.types?.includes(event.type) === false) continue
    if (missed.length === MAX_EVENTS) return { missed, hasMore: true }
    missed.push({ event, deliveries })
  }
  return { missed, hasMore: failed.hasMore }
}

/** Returns the ids of events with a failed or skipped delivery in the window, oldest first. */
async function findFailedEvents(
  reader: StoreReader,
  webhookEndpoint: string,
  { since, until = Number.MAX_SAFE_INTEGER }: MissedEventsFilter,
): Promise<{ readonly events: readonly string[]; readonly hasMore: boolean }> {
  const events = new Set<string>()
  let searched = 0
  const query = {
    where: { webhook_endpoint: webhookEndpoint, status: ['failed', 'skipped'] },
    ranges: [{ field: 'created', gte: since, lte: until }],
  }
  for await (const deliveries of iterateRecordPages(reader, 'webhook_deliveries', query)) {
    if (searched >= MAX_RECORDS_SEARCHED) return { events: [...events].reverse(), hasMore: true }
    searched += deliveries.length
    for (const { event } of deliveries) {
      // Deliveries are listed newest first. Insert the event again, so that its oldest delivery decides its position.
      events.delete(event)
      events.add(event)
    }
  }
  return { events: [...events].reverse(), hasMore: false }
}
