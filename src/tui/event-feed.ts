import type { DeliveryRecord, ListenRecord, ListenTarget } from '../client/listen-records.ts'
import type { Event } from '../domain/events.ts'
import { matchesGlob } from '../domain/globs.ts'

const ROWS_KEPT = 2000
/** Number of old rows that are dropped at a time. */
const ROWS_SLACK = 500

/** An event with its deliveries, oldest first. */
export interface EventRow {
  /** The event's number in the order of arrival, from 1. */
  readonly position: number
  /** Wall clock in milliseconds. */
  readonly receivedAtMs: number
  readonly event: Event
  readonly deliveries: DeliveryRecord[]
}

/** State of the connection to the server. */
export interface ConnectionStatus {
  readonly state: 'connecting' | 'ready' | 'retrying' | 'down'
  readonly reason: string | null
}

/** The records of a listener so far: at least the newest 2000 events. */
export interface EventFeed {
  readonly rows: readonly EventRow[]
  readonly connection: ConnectionStatus
  readonly targets: readonly ListenTarget[]
  /** The number of all events so far, and of the rows whose latest delivery failed. */
  readonly counts: { readonly events: number; readonly failed: number }
  /** Message about the latest gap in the stream, or null. */
  readonly reset: string | null
}

/** Adds records to a feed, which changes in place. */
export interface FeedWriter {
  readonly feed: EventFeed
  readonly add: (record: ListenRecord, receivedAtMs: number) => void
  readonly clear: () => void
}

/** Creates an empty feed. */
export function createFeed(): FeedWriter {
  const rows: EventRow[] = []
  const byId = new Map<string, EventRow>()
  const feed = {
    rows,
    connection: { state: 'connecting', reason: null } as ConnectionStatus,
    targets: [] as readonly ListenTarget[],
    counts: { events: 0, failed: 0 },
    reset: null as string | null,
  }

  function addEvent(event: Event, receivedAtMs: number): void {
    feed.counts.events += 1
    const row = { position: feed.counts.events, receivedAtMs, event, deliveries: [] }
    rows.push(row)
    byId.set(event.id, row)
    if (rows.length < ROWS_KEPT + ROWS_SLACK) return
    for (const old of rows.splice(0, ROWS_SLACK)) {
      byId.delete(old.event.id)
      if (hasFailed(old)) feed.counts.failed -= 1
    }
  }

  function addDelivery(record: DeliveryRecord): void {
    const row = byId.get(record.event)
    if (row === undefined) return
    const hadFailed = hasFailed(row)
    row.deliveries.push(record)
    feed.counts.failed += Number(hasFailed(row)) - Number(hadFailed)
  }

  return {
    feed,
    add(record, receivedAtMs) {
      if (record.type === 'event') addEvent(record.event, receivedAtMs)
      if (record.type === 'delivery') addDelivery(record)
      if (record.type === 'state') {
        feed.connection = { state: record.state, reason: record.reason }
        feed.targets = record.targets
      }
      if (record.type === 'reset') {
        feed.reset = `events ${record.after} → ${record.continues_after}: deleted events, or another database`
      }
    },
    clear() {
      rows.length = 0
      byId.clear()
      feed.counts.failed = 0
    },
  }
}

/** Returns the latest delivery of an event to a target, or null. */
export function latestDelivery({ deliveries }: EventRow, webhookEndpoint: string): DeliveryRecord | null {
  return deliveries.findLast((one) => one.webhook_endpoint === webhookEndpoint) ?? null
}

/** Returns whether the latest delivery to any target failed. */
export function hasFailed(row: EventRow): boolean {
  return row.deliveries.some(
    (one) => one.error !== null && latestDelivery(row, one.webhook_endpoint)?.id === one.id,
  )
}

/** Selects the events of the list. */
export interface EventFilter {
  /** Text that the event must contain, case-insensitive. */
  readonly search: string
  /** A type or a glob such as `invoice.*`; empty for all. */
  readonly types: string
  readonly failedOnly: boolean
  /** The last position to show while the list is paused; null when it is not. */
  readonly until: number | null
}

/** Returns the rows that match a filter, oldest first. */
export function visibleRows(
  { rows }: EventFeed,
  { search, types, failedOnly, until }: EventFilter,
): readonly EventRow[] {
  if (search === '' && types === '' && !failedOnly && until === null) return rows
  const sought = search.toLowerCase()
  return rows.filter(
    (row) =>
      (until === null || row.position <= until) &&
      (!failedOnly || hasFailed(row)) &&
      (types === '' || matchesGlob(types, row.event.type)) &&
      (sought === '' || JSON.stringify(row.event).toLowerCase().includes(sought)),
  )
}
