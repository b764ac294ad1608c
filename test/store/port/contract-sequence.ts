import type { Metadata } from '../../../src/domain/core/metadata.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import {
  alsoReopened,
  type ContractTests,
  commit,
  customer,
  event,
  idsOf,
  put,
  remove,
  upTo,
  waitForNextTurn,
} from '../fixture.ts'
import { SAMPLES } from '../samples.ts'

const sequencesOf = (events: readonly Event[]) => events.map(({ sequence }) => sequence)
const ascending = (values: readonly number[]) => [...values].sort((a, b) => a - b)

/** Stores `count` events with ids that contain `number`; with `fails` the transaction throws. */
async function storeEvents(
  store: Store,
  number: number,
  { count, fails = false }: { count: number; fails?: boolean },
): Promise<readonly Event[]> {
  const { events } = await store.transact(async () => {
    await waitForNextTurn()
    if (fails) throw new Error('failed')
    return commit(null, { events: upTo(count).map((place) => event(`evt_${number}_${place}`)) })
  })
  return events
}

async function allEvents(store: Store): Promise<Event[]> {
  const { data } = await store.list('events', { limit: 1000 })
  return [...data].reverse()
}

const HARD_STRINGS = [
  'Zoë Müller, 東京, العربية',
  'line\u2028and\u2029paragraph',
  '\u{1f469}\u200d\u{1f4bb} \u{1f600}',
  'lone \ud800 and \udc00, turned \udc00\ud800',
  'NUL \u0000, ESC \u001b, DEL \u007f, C1 \u0085, BOM \ufeff',
  '"quotes" \\ / </script> \r\n\t',
  '[]},\n{"c":"00000000"}\n',
  'x'.repeat(100_000),
]

const HARD_METADATA: Metadata = JSON.parse(
  '{"zebra":"1","apple":"2","10":"3","9":"4","":"5","__proto__":"6","constructor":"7","é":"8","e\u0301":"9"}',
)

const HARD_NUMBERS = [0, 1e21, 1e-7, 0.1 + 0.2, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, -1.5]

/** Contract of event sequence numbers and of unchanged records. */
export const sequence: ContractTests = {
  'sequence numbers start at 1 and follow the order of the events in a transaction': async ({ store }) => {
    assert.equal(sequencesOf(await storeEvents(store, 1, { count: 3 })), [1, 2, 3])
    assert.equal(await storeEvents(store, 2, { count: 0 }), [])
    assert.equal(sequencesOf(await storeEvents(store, 3, { count: 1 })), [4])
    assert.equal(await idsOf(store, 'events'), ['evt_3_1', 'evt_1_3', 'evt_1_2', 'evt_1_1'])
  },

  'newestSequence is 0 before the first event, and does not change when events are removed': async ({
    store,
    reopen,
  }) => {
    assert.is(await store.newestSequence(), 0)
    const events = await storeEvents(store, 1, { count: 3 })
    assert.is(await store.newestSequence(), 3)
    await remove(store, ...events)
    const { result } = await store.transact(async (reader) => commit(await reader.newestSequence()))
    assert.is(result, 3)
    for await (const each of alsoReopened({ store, reopen })) assert.is(await each.newestSequence(), 3)
  },

  'a transaction resolves with the stored events': async ({ store }) => {
    const [first, second] = await storeEvents(store, 1, { count: 2 })
    assert.equal(await store.get('events', 'evt_1_1'), first)
    assert.equal(await store.get('events', 'evt_1_2'), second)
    const sample = { ...SAMPLES.events, id: 'evt_1_1' }
    assert.is(JSON.stringify(first), JSON.stringify(sample), 'sequence is before test_clock')
  },

  'events of concurrent transactions have no gaps, and those of one transaction are consecutive': async ({
    store,
  }) => {
    const taken = await Promise.all(
      upTo(50).map((number) => storeEvents(store, number, { count: number % 4 })),
    )
    for (const events of taken) {
      const first = events[0]?.sequence ?? 0
      assert.equal(
        sequencesOf(events),
        events.map((_, index) => first + index),
      )
    }
    assert.equal(ascending(taken.flatMap(sequencesOf)), upTo(75))
    assert.equal(sequencesOf(await allEvents(store)), upTo(75))
  },

  'created never decreases without a test clock, even when clocks of processes differ, but may decrease on test clocks':
    async ({ store, reopen }) => {
      const storeEvent = (one: Store, id: string, fields: Pick<Event, 'created' | 'test_clock'>) =>
        one.transact(async () => commit(null, { events: [event(id, fields)] }))
      const createdOf = async (one: Store, id: string) => (await one.get('events', id))?.created
      await storeEvent(store, 'evt_1', { created: 900, test_clock: null })
      await storeEvent(store, 'evt_2', { created: 2000, test_clock: 'clock_1' })
      let number = 2
      for await (const each of alsoReopened({ store, reopen })) {
        for (const [test_clock, created, kept] of [
          [null, 880, 900],
          ['clock_1', 100, 100],
          [null, 900, 900],
        ] as const) {
          number += 1
          await storeEvent(each, `evt_${number}`, { created, test_clock })
          assert.is(await createdOf(each, `evt_${number}`), kept)
        }
      }
    },

  'transactions that throw use no sequence number': async ({ store, reopen }) => {
    const outcomes = await Promise.allSettled(
      upTo(50).map((number) => storeEvents(store, number, { count: 2, fails: number % 3 === 0 })),
    )
    const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [...outcome.value] : []))
    assert.equal(ascending(sequencesOf(taken)), upTo(68))
    const reopened = await reopen()
    assert.equal(sequencesOf(await allEvents(reopened)), upTo(68))
    assert.equal(sequencesOf(await storeEvents(reopened, 51, { count: 1 })), [69])
  },

  'a record keeps every character and its field order': async ({ store, reopen }) => {
    const hard = HARD_STRINGS.map((text, index) =>
      customer(`cus_${index}`, { name: text, email: text, metadata: { ...HARD_METADATA, [text]: text } }),
    )
    const { id, metadata, ...rest } = customer('cus_turned')
    const turned = { metadata, ...rest, id }
    const records = [...hard, turned]
    await put(store, ...records)
    for await (const each of alsoReopened({ store, reopen })) {
      for (const record of records) {
        assert.is(JSON.stringify(await each.get('customers', record.id)), JSON.stringify(record))
        const { data } = await each.list('customers', { where: { email: record.email }, limit: 1 })
        assert.is(data.length, 1, 'a filter finds the record')
      }
    }
  },

  'stores every number of a record unchanged': async ({ store, reopen }) => {
    const records = HARD_NUMBERS.map((total, index) => ({ ...SAMPLES.invoices, id: `in_${index}`, total }))
    await put(store, ...records)
    const reopened = await reopen()
    for (const { id, total } of records) assert.is((await reopened.get('invoices', id))?.total, total)
  },

  'an event keeps its copy of the object when the record changes': async ({ store, reopen }) => {
    const before = customer('cus_1', { name: 'Jane' })
    await store.transact(async () =>
      commit(null, {
        writes: [{ put: before }],
        events: [event('evt_1', { data: { object: before, previous_attributes: { name: null } } })],
      }),
    )
    await put(store, customer('cus_1', { name: 'Joan' }))
    for await (const each of alsoReopened({ store, reopen })) {
      const stored = await each.get('events', 'evt_1')
      assert.is(
        JSON.stringify(stored?.data),
        JSON.stringify({ object: before, previous_attributes: { name: null } }),
      )
    }
  },
}
