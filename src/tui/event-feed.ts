import type {
  ConnectionStateRecord,
  DeliveryRecord,
  ListenOutputRecord,
  ListenTarget,
} from '../client/listen-records.ts'
import { evictOldest } from '../domain/core/evict-oldest.ts'
import type { Event } from '../domain/events/events.ts'
import { matchesGlob } from '../domain/text/globs.ts'
import { findEventCustomer } from '../presentation/event-summary.ts'
import { hasMatchingValue } from './event-search.ts'
import { createTrafficMeter, type TrafficMeter } from './traffic.ts'

const ROWS_KEPT = 2000
/** Number of old rows that are removed together. */
const ROWS_SLACK = 500
const NAMES_KEPT = 5000

/** An event with its deliveries, oldest first. */
export interface ListedEvent {
  /** The event's number in the order of arrival, from 1. */
  readonly position: number
  readonly event: Event
  readonly deliveries: DeliveryRecord[]
}

/** The records of a listener so far: at least the newest 2000 events. */
export interface EventFeed {
  readonly rows: readonly ListedEvent[]
  readonly connection: Pick<ConnectionStateRecord, 'state' | 'reason'>
  readonly targets: readonly ListenTarget[]
  /** The number of events since the list was cleared, and of the rows whose latest delivery failed. */
  readonly counts: { readonly events: number; readonly failed: number }
  /** The position of the newest event. */
  readonly newest: number
  /** The names of customers by id. */
  readonly names: ReadonlyMap<string, string>
  /** The latest delivery to each webhook endpoint, by endpoint id. */
  readonly results: ReadonlyMap<string, DeliveryRecord>
  readonly traffic: Pick<TrafficMeter, 'read'>
  /** Message about the latest gap in the stream, or null. */
  readonly reset: string | null
}

/** Creates an empty feed, which `add` and `clear` change in place. */
export function createEventFeed() {
  const rows: ListedEvent[] = []
  const byId = new Map<string, ListedEvent>()
  const traffic = createTrafficMeter()
  const names = new Map<string, string>()
  const results = new Map<string, DeliveryRecord>()
  const counts = { events: 0, failed: 0 }
  const feed: { -readonly [Name in keyof EventFeed]: EventFeed[Name] } = {
    ...{ rows, names, results, traffic, counts, targets: [], newest: 0, reset: null },
    connection: { state: 'connecting', reason: null },
  }

  function addEvent(event: Event): void {
    counts.events += 1
    feed.newest += 1
    const customer = findEventCustomer(event)
    if (customer !== null) names.set(customer.id, customer.name)
    evictOldest(names, NAMES_KEPT)
    const row = { position: feed.newest, event, deliveries: [] }
    rows.push(row)
    byId.set(event.id, row)
    if (rows.length < ROWS_KEPT + ROWS_SLACK) return
    for (const old of rows.splice(0, ROWS_SLACK)) {
      byId.delete(old.event.id)
      if (hasFailedDelivery(old)) counts.failed -= 1
    }
  }

  function addDelivery(record: DeliveryRecord): void {
    const row = byId.get(record.event)
    if (row === undefined) return
    const hadFailed = hasFailedDelivery(row)
    row.deliveries.push(record)
    counts.failed += Number(hasFailedDelivery(row)) - Number(hadFailed)
  }

  return {
    feed: feed as EventFeed,
    add(record: ListenOutputRecord, nowMs: number): void {
      if (record.type === 'event') {
        traffic.countEvent(nowMs)
        addEvent(record.event)
      }
      if (record.type === 'delivery') {
        if (record.duration_ms !== null) traffic.addDuration(record.duration_ms)
        results.set(record.webhook_endpoint, record)
        addDelivery(record)
      }
      if (record.type === 'state') {
        feed.connection = { state: record.state, reason: record.reason }
        feed.targets = record.targets
      }
      if (record.type === 'reset') {
        feed.reset = `events ${record.after} → ${record.continues_after}: deleted events, or another database`
      }
      if (record.type === 'sandbox_reset')
        feed.reset = `sandbox was reset, events kept: ${record.continues_after}`
    },
    clear(): void {
      rows.length = 0
      byId.clear()
      counts.events = 0
      counts.failed = 0
      traffic.clear()
    },
  }
}

/** Returns the latest delivery of an event to a target, or null. */
export function findLatestDelivery(
  { deliveries }: ListedEvent,
  webhookEndpoint: string,
): DeliveryRecord | null {
  return deliveries.findLast((one) => one.webhook_endpoint === webhookEndpoint) ?? null
}

/** Returns whether the latest delivery to any target failed. */
export function hasFailedDelivery(row: ListedEvent): boolean {
  return row.deliveries.some(
    (one) => one.error !== null && findLatestDelivery(row, one.webhook_endpoint)?.id === one.id,
  )
}

/** The filter of the event list. */
export interface EventFilter {
  /** Text that the summary or a value of the event must contain, case-insensitive. */
  readonly search: string
  /** A type or a glob such as `invoice.*`; empty for all. */
  readonly types: string
  readonly failedOnly: boolean
  /** The last position to show while the list is paused; null when the list is not paused. */
  readonly until: number | null
}

/** Returns the rows that match a filter, oldest first. */
export function filterEventRows(
  { rows, names }: Pick<EventFeed, 'rows' | 'names'>,
  { search, types, failedOnly, until }: EventFilter,
): readonly ListedEvent[] {
  if (search === '' && types === '' && !failedOnly && until === null) return rows
  const query = search.toLowerCase()
  return rows.filter(
    (row) =>
      (until === null || row.position <= until) &&
      (!failedOnly || hasFailedDelivery(row)) &&
      (types === '' || matchesGlob(types, row.event.type)) &&
      (query === '' || hasMatchingValue(row.event, query, names)),
  )
}
