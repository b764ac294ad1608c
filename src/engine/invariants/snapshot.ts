import type { HostedSession } from '../../domain/completion/hosted-session.ts'
import { isDeleted, type StoredObject } from '../../domain/core/changes.ts'
import type { DunningPolicy } from '../../domain/core/dunning.ts'
import { hasEventTypes } from '../../domain/core/event-types.ts'
import { EVENT_OBJECT_SCHEMAS, type Event } from '../../domain/events/events.ts'
import { toCanonicalJson } from '../../domain/text/canonical-json.ts'
import { COLLECTION_NAMES, COLLECTION_RULES, type CollectionName } from '../../store/port/collections.ts'
import type { StoreContents } from '../../store/port/store.ts'

/** All stored data at one point in time. */
export interface Snapshot extends StoreContents {
  /** The real time, in Unix seconds, up to which every due job has run; 0 when unknown. */
  readonly now: number
  /** The base URL of all hosted pages; null when it may have changed between sessions. */
  readonly checkoutUrl: string | null
  /** The dunning policy of all invoices; omitted when it may have changed. */
  readonly dunning?: DunningPolicy
}

/** Yields one message for each violation. */
export type Invariant = (snapshot: Snapshot) => Iterable<string>

/** The collections that emit an event for every change to an object. */
export const EVENT_EMITTING_COLLECTIONS: readonly CollectionName[] = COLLECTION_NAMES.filter((name) =>
  hasEventTypes(COLLECTION_RULES[name]),
)

/** Returns the sessions of every kind. */
export function listSnapshotSessions({ records }: Snapshot): readonly HostedSession[] {
  const { checkout_sessions, payment_sessions, card_sessions, portal_sessions } = records
  return [...checkout_sessions, ...payment_sessions, ...card_sessions, ...portal_sessions]
}

/**
 * Returns a function that returns the time up to which all jobs of a test clock have run, in Unix seconds; null when
 * unknown. The argument null stands for real time.
 */
export function createClockTimeLookup({
  now,
  records,
}: Snapshot): (testClock: string | null) => number | null {
  const times = new Map<string | null, number>()
  if (now > 0) times.set(null, now)
  for (const clock of records.test_clocks) {
    // Jobs after `frozen_time` may have run on a clock that is advancing or failed.
    if (!isDeleted(clock) && clock.status === 'ready') times.set(clock.id, clock.frozen_time)
  }
  return (testClock) => times.get(testClock) ?? null
}

/** Returns the events of each object by object id, oldest first. */
export function groupEventsByObject({ records }: Snapshot): Map<string, Event[]> {
  return Map.groupBy(sortBySequence(records.events), ({ data }) => data.object.id)
}

/** Returns whether retention deleted the oldest events, so that the history of an object may be incomplete. */
export function isEventHistoryTruncated({ records, sequence }: Snapshot): boolean {
  return sequence > 0 && !records.events.some((event) => event.sequence === 1)
}

/** Returns the events in the order of their sequence numbers. */
export function sortBySequence(events: readonly Event[]): Event[] {
  return [...events].sort((a, b) => a.sequence - b.sequence)
}

/** Returns a map of every record that emits events, by id. */
export function mapEventRecordsById({ records }: Snapshot): Map<string, StoredObject> {
  const withEvents = EVENT_EMITTING_COLLECTIONS.flatMap((collection): StoredObject[] => [
    ...records[collection],
  ])
  return new Map(withEvents.map((record) => [record.id, record]))
}

/** The fields with the id of another object, which have the name of its type. */
export const REFERENCE_FIELDS = Object.keys(EVENT_OBJECT_SCHEMAS)

/** Yields a message for each record whose field differs from the same field of an object that the record belongs to. */
export function* findOwnerMismatches(
  snapshot: Snapshot,
  field: 'currency' | 'test_clock',
): Generator<string> {
  const records = new Map<string, Readonly<Record<string, unknown>>>(
    mapEventRecordsById(snapshot)
      .entries()
      .map(([id, record]) => [id, { ...record }]),
  )
  for (const [id, record] of records) {
    for (const owner of REFERENCE_FIELDS.map((name) => records.get(String(record[name])))) {
      if (owner && field in record && field in owner && owner[field] !== record[field])
        yield `${id}: its ${field} ${record[field]} differs from that of ${owner['id']}`
    }
  }
}

/** Yields every nested value of a record with its field name and path, except inside the merchant's `metadata`. */
export function* iterateNestedValues(
  value: unknown,
  path = '',
): Generator<{ path: string; field: string; value: unknown }> {
  if (typeof value !== 'object' || value === null) return
  for (const [field, inner] of Object.entries(value)) {
    if (field === 'metadata') continue
    const at = path === '' ? field : `${path}.${field}`
    yield { path: at, field, value: inner }
    yield* iterateNestedValues(inner, at)
  }
}

/** Returns whether two JSON values are equal; the order of fields does not matter. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return toCanonicalJson(a) === toCanonicalJson(b)
}
