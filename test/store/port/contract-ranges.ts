import fc from 'fast-check'
import type { ListQuery, Store } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import {
  alsoReopened,
  type ContractContext,
  type ContractTests,
  commit,
  event,
  idsOf,
  invoice,
  put,
  remove,
  runOptions,
} from '../fixture.ts'
import { NaiveStore } from '../naive-store.ts'

/** Enough records for several chunks of every index and for large ranges. */
const MANY = 2400
const NOON = 1_700_000_000
const DAY = 86_400
const STATUSES = ['open', 'paid', 'void'] as const
const LAST_DUE = MANY + 40
/** A number that is coprime to MANY, so that its multiples modulo MANY are a permutation. */
const STRIDE = 997

const idOf = (number: number) => `in_${number}`

/** Relations between due dates and the order of the list. */
const DUE_DATES: Readonly<Record<string, (number: number) => number | null>> = {
  'in list order': (number) => NOON + number + 30,
  'in random order': (number) => NOON + ((number * STRIDE) % MANY),
  'that are mostly null': (number) => (number % 50 === 0 ? NOON + number : null),
}

const made = (number: number, due_date: number | null) =>
  invoice(idOf(number), {
    // A fifth of the records are on a test clock in the future.
    created: NOON + Math.floor(number / 3) + (number % 5 === 0 ? DAY : 0),
    customer: `cus_${number % 40}`,
    status: STATUSES[Math.floor(number / 7) % STATUSES.length] ?? 'open',
    due_date,
  })

/** Stores many invoices, changes some and removes some. */
async function fill(store: Store, dueOf: (number: number) => number | null): Promise<NaiveStore> {
  const model = new NaiveStore()
  const all = Array.from({ length: MANY }, (_, number) => made(number, dueOf(number)))
  const postponed = all
    .filter((_, number) => number % 11 === 0)
    .map((one) => ({ ...one, due_date: NOON + DAY }))
  const advanced = all
    .filter((_, number) => number % 13 === 0)
    .map((one) => ({ ...one, due_date: NOON - DAY }))
  const settled = all
    .filter((_, number) => number % 17 === 0)
    .map((one) => ({ ...one, status: 'paid' as const }))
  const removed = all.filter((_, number) => number % 19 === 0)
  for (const batch of [all, postponed, advanced, settled]) {
    await put(store, ...batch)
    for (const one of batch) model.put({ ...one })
  }
  await remove(store, ...removed)
  for (const one of removed) model.remove(one)
  return model
}

const anyDue = fc.integer({ min: -2, max: LAST_DUE }).map((number) => NOON + number)

/** Creates small, large and half-open ranges. */
const rangesOf = (anyValue: fc.Arbitrary<number>) =>
  fc.oneof(
    fc.tuple(anyValue, fc.nat(60)).map(([gte, width]) => ({ gte, lte: gte + width })),
    fc.record({ gt: anyValue, lt: anyValue }, { requiredKeys: [] }),
    fc.record({ gte: anyValue, lte: anyValue }, { requiredKeys: [] }),
  )

const anyWhere: fc.Arbitrary<NonNullable<ListQuery['where']>> = fc.constantFrom<
  NonNullable<ListQuery['where']>
>(
  {},
  { status: 'open' },
  { status: ['open', 'void'] },
  { customer: 'cus_3' },
  { customer: ['cus_3', 'cus_4'], status: 'paid' },
  { customer: 'cus_none' },
)

function toCreatedRange([clock, end, width]: readonly [number, number, number]) {
  const lt = NOON + clock + end
  return width === 0 ? { field: 'created', lt } : { field: 'created', gte: lt - width, lt }
}

const anyQuery: fc.Arbitrary<ListQuery> = fc
  .record({
    where: anyWhere,
    due: fc.array(rangesOf(anyDue), { maxLength: 2 }),
    created: fc.option(
      fc.tuple(fc.constantFrom(0, 0, DAY), fc.integer({ min: 0, max: MANY / 3 }), fc.nat(300)),
    ),
    limit: fc.constantFrom(1, 3, 10, 100),
    direction: fc.constantFrom('starting_after', 'ending_before', null),
    // The cursor is never a removed record.
    cursor: fc.nat(Math.floor(MANY / 19) - 2).map((number) => idOf(number * 19 + 1)),
  })
  .map(({ where, due, created, limit, direction, cursor }) => ({
    where,
    ranges: [
      ...due.map((bounds) => ({ field: 'due_date', ...bounds })),
      ...(created === null ? [] : [toCreatedRange(created)]),
    ],
    limit,
    ...(direction === null ? {} : { [direction]: cursor }),
  }))

/** Timestamps of events; most are on test clocks, whose time differs and may go back. */
const EVENT_TIMES: Readonly<Record<string, (number: number) => number>> = {
  'in order': (number) => NOON + Math.floor(number / 3),
  'on different clocks': (number) => NOON + (number % 4) * DAY + number,
  'in random order': (number) => NOON + ((number * STRIDE) % MANY),
}

const TYPES = ['customer.created', 'customer.updated'] as const

/** Stores many events, and removes the first events and some later events, as retention does. */
async function fillEvents(store: Store, timeOf: (number: number) => number): Promise<NaiveStore> {
  const model = new NaiveStore()
  const all = Array.from({ length: MANY }, (_, number) =>
    event(`evt_${number}`, {
      created: timeOf(number),
      type: TYPES[number % TYPES.length] ?? 'customer.created',
      test_clock: number % 4 === 0 ? null : `clock_${number % 4}`,
    }),
  )
  await store.transact(async () => commit(null, { events: all }))
  const events = all.map((one) => model.announce({ ...one }))
  const removed = events.filter((_, number) => number < MANY / 8 || number % 19 === 0)
  await remove(store, ...removed)
  for (const one of removed) model.remove(one)
  return model
}

const anyNumber = fc.integer({ min: -1, max: MANY + 2 })

/** Timestamps in real time and on the clocks that are days ahead. */
const anyTime = fc
  .tuple(fc.constantFrom(0, 0, 1, 3), anyNumber)
  .map(([days, number]) => NOON + days * DAY + number)

const anyEventQuery: fc.Arbitrary<ListQuery> = fc
  .record({
    where: fc.constantFrom<NonNullable<ListQuery['where']>>(
      {},
      { type: 'customer.updated' },
      { test_clock: ['clock_1', 'clock_2'] },
    ),
    bounds: fc.array(rangesOf(anyNumber), { maxLength: 2 }),
    created: fc.array(rangesOf(anyTime), { maxLength: 1 }),
    limit: fc.constantFrom(1, 10, 100),
    direction: fc.constantFrom('starting_after', 'ending_before', null),
    // The cursor is never a removed record.
    cursor: fc.integer({ min: Math.ceil(MANY / 8 / 19), max: Math.floor(MANY / 19) - 1 }),
  })
  .map(({ where, bounds, created, limit, direction, cursor }) => ({
    where,
    ranges: [
      ...bounds.map((each) => ({ field: 'sequence', ...each })),
      ...created.map((each) => ({ field: 'created', ...each })),
    ],
    limit,
    ...(direction === null ? {} : { [direction]: `evt_${cursor * 19 + 1}` }),
  }))

interface ListCase {
  readonly collection: 'invoices' | 'events'
  readonly anyQuery: fc.Arbitrary<ListQuery>
  readonly model: NaiveStore
}

async function compareLists(
  { store, reopen, runs }: ContractContext,
  { collection, anyQuery, model }: ListCase,
) {
  for await (const each of alsoReopened({ store, reopen })) {
    const property = fc.asyncProperty(anyQuery, async (query) => {
      const [actual, expected] = [await each.list(collection, query), model.list(collection, query)]
      assert.equal(
        actual.data.map(({ id }) => id),
        expected.data.map(({ id }) => id),
      )
      assert.is(actual.has_more, expected.has_more)
    })
    await fc.assert(property, runOptions(runs))
  }
}

const EXPECTED = 'equals that of a sorted and filtered array'

/** Contract of ranges in large collections. */
export const ranges: ContractTests = {
  ...Object.fromEntries(
    Object.entries(DUE_DATES).map(([name, dueOf]) => [
      `any page of many records with ranges of numbers ${name} ${EXPECTED}`,
      async (bench: ContractContext) =>
        compareLists(bench, { collection: 'invoices', anyQuery, model: await fill(bench.store, dueOf) }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(EVENT_TIMES).map(([name, timeOf]) => [
      `any page of many events created ${name}, with ranges of sequence and time, ${EXPECTED}`,
      async (bench: ContractContext) =>
        compareLists(bench, {
          collection: 'events',
          anyQuery: anyEventQuery,
          model: await fillEvents(bench.store, timeOf),
        }),
    ]),
  ),

  'an event that was stored again is found only by its new sequence number': async ({ store, reopen }) => {
    const storeEvents = (...ids: string[]) =>
      store.transact(async () => commit(null, { events: ids.map((id) => event(id)) }))
    await storeEvents('evt_1', 'evt_2', 'evt_3')
    await storeEvents('evt_1')
    for await (const each of alsoReopened({ store, reopen })) {
      const between = (gte: number, lte: number) =>
        idsOf(each, 'events', { ranges: [{ field: 'sequence', gte, lte }] })
      assert.equal(await between(4, 9), ['evt_1'])
      assert.equal(await between(2, 3), ['evt_3', 'evt_2'])
      assert.equal(await between(0, 1), [])
    }
  },
}
