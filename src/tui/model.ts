import type { DeliveryRecord, ListenRecord, ListenTarget } from '../client/listen-records.ts'
import type { Event } from '../domain/events.ts'
import { matchesGlob } from '../domain/globs.ts'

const ROWS_KEPT = 2000
/** Old rows go this many at a time. */
const ROWS_SLACK = 500

/** An event with what came of sending it, in the order in which it did. */
export interface Row {
  /** Counted from 1 in the order in which events came. */
  readonly place: number
  /** When it came, in milliseconds of the wall clock. */
  readonly atMs: number
  readonly event: Event
  readonly deliveries: DeliveryRecord[]
}

/** How the connection to the service is. */
export interface Connection {
  readonly state: 'connecting' | 'ready' | 'retrying' | 'down'
  readonly reason: string | null
}

/** What a listener has told so far, as far as it is kept: the youngest 2000 events and more. */
export interface Feed {
  readonly rows: readonly Row[]
  readonly connection: Connection
  readonly targets: readonly ListenTarget[]
  /** How many events there were in all, and how many of the rows have failed as it is now. */
  readonly counts: { readonly events: number; readonly failed: number }
  /** The latest reset in words, or null. */
  readonly reset: string | null
}

/** A feed that records are put into; what it shows changes in place. */
export interface FeedBook {
  readonly feed: Feed
  readonly put: (record: ListenRecord, atMs: number) => void
  readonly clear: () => void
}

/** An empty feed. */
export function createFeed(): FeedBook {
  const rows: Row[] = []
  const byId = new Map<string, Row>()
  const feed = {
    rows,
    connection: { state: 'connecting', reason: null } as Connection,
    targets: [] as readonly ListenTarget[],
    counts: { events: 0, failed: 0 },
    reset: null as string | null,
  }

  function add(event: Event, atMs: number): void {
    feed.counts.events += 1
    const row = { place: feed.counts.events, atMs, event, deliveries: [] }
    rows.push(row)
    byId.set(event.id, row)
    if (rows.length < ROWS_KEPT + ROWS_SLACK) return
    for (const old of rows.splice(0, ROWS_SLACK)) {
      byId.delete(old.event.id)
      if (isFailed(old)) feed.counts.failed -= 1
    }
  }

  function addDelivery(record: DeliveryRecord): void {
    const row = byId.get(record.event)
    if (row === undefined) return
    const hadFailed = isFailed(row)
    row.deliveries.push(record)
    feed.counts.failed += Number(isFailed(row)) - Number(hadFailed)
  }

  return {
    feed,
    put(record, atMs) {
      if (record.type === 'event') add(record.event, atMs)
      if (record.type === 'delivery') addDelivery(record)
      if (record.type === 'state') {
        feed.connection = { state: record.state, reason: record.reason }
        feed.targets = record.targets
      }
      if (record.type === 'reset') {
        feed.reset = `events ${record.after} → ${record.continues_after}: another database, or not kept any more`
      }
    },
    clear() {
      rows.length = 0
      byId.clear()
      feed.counts.failed = 0
    },
  }
}

/** The latest delivery of an event to a target, or null. */
export function latestAt({ deliveries }: Row, webhookEndpoint: string): DeliveryRecord | null {
  return deliveries.findLast((one) => one.webhook_endpoint === webhookEndpoint) ?? null
}

/** Whether the latest delivery to some target failed. */
export function isFailed(row: Row): boolean {
  return row.deliveries.some(
    (one) => one.error !== null && latestAt(row, one.webhook_endpoint)?.id === one.id,
  )
}

/** What is left out of the list. */
export interface Filter {
  /** Text that the event must hold, in any case of letters. */
  readonly search: string
  /** A type or a glob such as `invoice.*`; empty for all. */
  readonly types: string
  readonly failedOnly: boolean
  /** Rows after this place are not shown yet; null when nothing is held back. */
  readonly until: number | null
}

/** The rows that a filter leaves, oldest first. */
export function visibleRows({ rows }: Feed, { search, types, failedOnly, until }: Filter): readonly Row[] {
  if (search === '' && types === '' && !failedOnly && until === null) return rows
  const sought = search.toLowerCase()
  return rows.filter(
    (row) =>
      (until === null || row.place <= until) &&
      (!failedOnly || isFailed(row)) &&
      (types === '' || matchesGlob(types, row.event.type)) &&
      (sought === '' || JSON.stringify(row.event).toLowerCase().includes(sought)),
  )
}
