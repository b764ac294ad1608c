import type { Stored } from '../../domain/changes.ts'
import type { Dunning } from '../../domain/dunning.ts'
import type { Event } from '../../domain/events.ts'
import { isDeletedClock } from '../../domain/test-clocks.ts'
import type { Collection, Collections } from '../../store/port/collections.ts'

/** Everything stored at one moment. */
export interface Snapshot {
  /** Real time in Unix seconds up to which all that is due was done; 0 when that is not known. */
  readonly now: number
  /** Where all sessions' pages are; null when they may have been made at different addresses. */
  readonly checkoutUrl: string | null
  /** How all failed invoices were collected; left out when that may have changed meanwhile. */
  readonly dunning?: Dunning
  /** The number of the newest event there ever was. */
  readonly sequence: number
  readonly records: { readonly [C in Collection]: readonly Collections[C][] }
}

/** Yields a sentence for each place where a rule is broken. */
export type Invariant = (snapshot: Snapshot) => Iterable<string>

/** The collections whose objects tell each of their changes by an event. */
export const TOLD = [
  'customers',
  'checkout_sessions',
  'payment_sessions',
  'payment_methods',
  'subscriptions',
  'invoices',
  'payments',
  'refunds',
  'test_clocks',
] as const satisfies readonly Collection[]

/** Both kinds of session. */
export function sessionsOf({ records }: Snapshot) {
  return [...records.checkout_sessions, ...records.payment_sessions]
}

/** Gives the time on a test clock, or real time, up to which all that is due was done; null where nobody can tell. */
export function timesOf({ now, records }: Snapshot): (testClock: string | null) => number | null {
  const times = new Map<string | null, number>()
  if (now > 0) times.set(null, now)
  for (const clock of records.test_clocks) {
    // A clock that is on its way or broke down has done more than its time tells.
    if (!isDeletedClock(clock) && clock.status === 'ready') times.set(clock.id, clock.frozen_time)
  }
  return (testClock) => times.get(testClock) ?? null
}

/** The events of each object, oldest first. */
export function historyOf({ records }: Snapshot): Map<string, Event[]> {
  const history = new Map<string, Event[]>()
  for (const event of inSequence(records.events)) {
    const { id } = event.data.object
    const events = history.get(id)
    if (events) events.push(event)
    else history.set(id, [event])
  }
  return history
}

/** Whether the oldest events were dropped, so that histories may begin in their middle. */
export function isTruncated({ records, sequence }: Snapshot): boolean {
  return sequence > 0 && !records.events.some((event) => event.sequence === 1)
}

/** Records by a key of theirs; those without one are in no group. */
export function grouped<T>(records: readonly T[], keyOf: (record: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const record of records) {
    const key = keyOf(record)
    if (key === null) continue
    const group = groups.get(key)
    if (group) group.push(record)
    else groups.set(key, [record])
  }
  return groups
}

/** Events by their sequence. */
export function inSequence(events: readonly Event[]): Event[] {
  return [...events].sort((a, b) => a.sequence - b.sequence)
}

/** Every record that can be named by an id in an event. */
export function toldRecords({ records }: Snapshot): Map<string, Stored> {
  const told: Stored[] = TOLD.flatMap((collection): Stored[] => [...records[collection]])
  return new Map(told.map((record) => [record.id, record]))
}

/** Every value inside a record with its field's name and path; a merchant's own words in `metadata` are left out. */
export function* valuesIn(
  value: unknown,
  path = '',
): Generator<{ path: string; field: string; value: unknown }> {
  if (typeof value !== 'object' || value === null) return
  for (const [field, inner] of Object.entries(value)) {
    if (field === 'metadata') continue
    const at = path === '' ? field : `${path}.${field}`
    yield { path: at, field, value: inner }
    yield* valuesIn(inner, at)
  }
}

/** Whether two JSON values are the same, whatever the order of their fields. */
export function isSame(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
