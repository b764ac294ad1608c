import { inSequence, type Snapshot, TOLD } from '../../src/engine/invariants/snapshot.ts'
import { COLLECTION_NAMES } from '../../src/store/port/collections.ts'
import { CHECKOUT_URL, type Sandbox } from '../support/sandbox.ts'

const ID = /\b(?:cus|cks|py_sess|py|pm|sub|si|in|il|re|clock)_Test\d{20}\b/g
/** How often time was moved on is no part of what happened in it. */
const ADVANCES = ['test_clock.advancing', 'test_clock.ready']
const COMPARED = [...TOLD, 'authentications', 'counters', 'timers'] as const

/** A story without the ids it happened to be told with. */
export interface Retold {
  readonly events: readonly object[]
  readonly records: Readonly<Record<string, readonly object[]>>
}

/**
 * All that happened and what came of it, with ids numbered in the order in which events first named them: two lives that
 * differ in nothing else are retold alike. Deliveries live on wall time and are left out.
 */
export function retold({ records }: Snapshot): Retold {
  const events = inSequence(records.events)
  const names = new Map<string, string>()
  for (const { data } of events) {
    for (const [id] of JSON.stringify(data).matchAll(ID)) {
      if (!names.has(id)) names.set(id, `${id.slice(0, id.lastIndexOf('_'))}_${names.size + 1}`)
    }
  }
  const renamed = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replace(ID, (id) => names.get(id) ?? 'unnamed'))
  return {
    events: events
      .filter(({ type }) => !ADVANCES.includes(type))
      .map(({ type, created, data, test_clock, request }) =>
        renamed({ type, created, data, test_clock, isAsked: request !== null }),
      ),
    records: Object.fromEntries(COMPARED.map((name) => [name, sorted(renamed([...records[name]]))])),
  }
}

function sorted<T extends { readonly id: string }>(records: readonly T[]): T[] {
  return [...records].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Everything stored, private records too, whoever wrote it. */
export async function whole({ store, runtime, now }: Sandbox): Promise<Snapshot> {
  const records = await Promise.all(
    COLLECTION_NAMES.map(async (name) => [name, await store.oldest(name, Number.MAX_SAFE_INTEGER)] as const),
  )
  return {
    now: now(),
    checkoutUrl: CHECKOUT_URL,
    dunning: runtime.dunning,
    sequence: await store.newestSequence(),
    records: Object.fromEntries(records) as unknown as Snapshot['records'],
  }
}

/** Fails where two retold stories part, and says how. */
export function isRetoldAlike(one: Retold, other: Retold): void {
  for (const [at, event] of one.events.entries()) isAlike(event, other.events[at], `event ${at + 1}`)
  isAlike(one.events.length, other.events.length, 'the number of events')
  for (const [name, records] of Object.entries(one.records)) isAlike(records, other.records[name], name)
}

function isAlike(one: unknown, other: unknown, what: string): void {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
  if (a !== b) throw new Error(`${what} differs:\n${a}\n${b}`)
}
