import {
  EVENT_EMITTING_COLLECTIONS,
  type Snapshot,
  sortBySequence,
} from '../../src/engine/invariants/snapshot.ts'
import { COLLECTION_NAMES } from '../../src/store/port/collections.ts'
import { CHECKOUT_URL, type Sandbox } from '../support/sandbox.ts'

const ID = /\b[a-z]+(?:_sess)?_Test\d{20}\b/g
/** Events that depend on the number of advances, which may differ. */
const ADVANCES = ['test_clock.advancing', 'test_clock.ready']
/** A field of clocks that depends on the parameters of the advances. */
const STEPS = 'month_steps_start'
const COMPARED = [...EVENT_EMITTING_COLLECTIONS, 'authentications', 'counters', 'timers'] as const

/** A snapshot with normalized ids. */
export interface NormalizedSnapshot {
  readonly events: readonly object[]
  readonly records: Readonly<Record<string, readonly object[]>>
}

/**
 * Returns the events and records with ids numbered by their first use in events, so that two runs that
 * differ only in ids are equal. Deliveries use wall time and are excluded.
 */
export function normalizeSnapshot({ records }: Snapshot): NormalizedSnapshot {
  const events = sortBySequence(records.events)
  const names = new Map<string, string>()
  for (const { data } of events) {
    for (const [id] of JSON.stringify(data).matchAll(ID)) {
      if (!names.has(id)) names.set(id, `${id.slice(0, id.lastIndexOf('_'))}_${names.size + 1}`)
    }
  }
  const renamed = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value, (field, inner) => (field === STEPS ? undefined : inner)).replace(
        ID,
        (id) => names.get(id) ?? 'unnamed',
      ),
    )
  return {
    events: events
      .filter(({ type }) => !ADVANCES.includes(type))
      .map(({ type, created, data, test_clock, request }) =>
        renamed({ type, created, data, test_clock, hasRequest: request !== null }),
      ),
    records: Object.fromEntries(COMPARED.map((name) => [name, sorted(renamed([...records[name]]))])),
  }
}

function sorted<T extends { readonly id: string }>(records: readonly T[]): T[] {
  return [...records].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Reads all records of the store, including private records. */
export async function readSnapshot({ store, runtime, now }: Sandbox): Promise<Snapshot> {
  const records = await Promise.all(
    COLLECTION_NAMES.map(
      async (name) => [name, await store.listOldest(name, Number.MAX_SAFE_INTEGER)] as const,
    ),
  )
  return {
    now: now(),
    checkoutUrl: CHECKOUT_URL,
    dunning: runtime.dunning,
    sequence: await store.newestSequence(),
    records: Object.fromEntries(records) as unknown as Snapshot['records'],
  }
}

/** Throws at the first difference between two normalized snapshots. */
export function assertSameHistory(one: NormalizedSnapshot, other: NormalizedSnapshot): void {
  for (const [at, event] of one.events.entries()) assertSame(event, other.events[at], `event ${at + 1}`)
  assertSame(one.events.length, other.events.length, 'the number of events')
  for (const [name, records] of Object.entries(one.records)) assertSame(records, other.records[name], name)
}

function assertSame(one: unknown, other: unknown, what: string): void {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
  if (a !== b) throw new Error(`${what} differs:\n${a}\n${b}`)
}
