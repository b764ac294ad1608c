import type { Stored } from '../../../src/domain/changes.ts'
import type { Event } from '../../../src/domain/events.ts'
import type { Collection, Collections } from '../../../src/store/collections.ts'

/** Everything stored at one moment, in Unix seconds, with all that is due done. */
export interface Snapshot {
  readonly now: number
  readonly checkoutUrl: string
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
] as const satisfies readonly Collection[]

/** Both kinds of session. */
export function sessionsOf({ records }: Snapshot) {
  return [...records.checkout_sessions, ...records.payment_sessions]
}

/** The events of each object, oldest first. */
export function historyOf({ records }: Snapshot): Map<string, Event[]> {
  const history = new Map<string, Event[]>()
  for (const event of inSequence(records.events)) {
    const { id } = event.data.object
    history.set(id, [...(history.get(id) ?? []), event])
  }
  return history
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
