import fc from 'fast-check'
import type { Query, Store } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import {
  alsoReopened,
  type Bench,
  type Contract,
  commit,
  event,
  idsOf,
  invoice,
  put,
  remove,
  tries,
} from '../fixture.ts'
import { NaiveStore } from '../naive-store.ts'

/** Enough for several chunks of every index, and for ranges that hold many. */
const MANY = 2400
const NOON = 1_700_000_000
const DAY = 86_400
const STATUSES = ['open', 'paid', 'void'] as const
const LAST_DUE = MANY + 40
/** Without a common divisor with MANY, so that its multiples meet every place once. */
const STRIDE = 997

const idOf = (number: number) => `in_${number}`

/** How the due dates of invoices lie to the order of their list. */
const DUES: Readonly<Record<string, (number: number) => number | null>> = {
  'that follow the list': (number) => NOON + number + 30,
  'in no order': (number) => NOON + ((number * STRIDE) % MANY),
  'that most do not have': (number) => (number % 50 === 0 ? NOON + number : null),
}

const made = (number: number, due_date: number | null) =>
  invoice(idOf(number), {
    created: NOON + Math.floor(number / 3),
    customer: `cus_${number % 40}`,
    status: STATUSES[Math.floor(number / 7) % STATUSES.length] ?? 'open',
    due_date,
  })

/** Many invoices, of which some changed, moved and went. */
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
  const gone = all.filter((_, number) => number % 19 === 0)
  for (const some of [all, postponed, advanced, settled]) {
    await put(store, ...some)
    for (const one of some) model.put({ ...one })
  }
  await remove(store, ...gone)
  for (const one of gone) model.remove(one)
  return model
}

const anyDue = fc.integer({ min: -2, max: LAST_DUE }).map((number) => NOON + number)

/** Ranges of one and of many, open on one side and on none. */
const anyRange = fc.oneof(
  fc.tuple(anyDue, fc.integer({ min: 0, max: 60 })).map(([gte, width]) => ({ gte, lte: gte + width })),
  fc.record({ gt: anyDue, lt: anyDue }, { requiredKeys: [] }),
  fc.record({ gte: anyDue, lte: anyDue }, { requiredKeys: [] }),
)

const anyWhere: fc.Arbitrary<NonNullable<Query['where']>> = fc.constantFrom<NonNullable<Query['where']>>(
  {},
  { status: 'open' },
  { status: ['open', 'void'] },
  { customer: 'cus_3' },
  { customer: ['cus_3', 'cus_4'], status: 'paid' },
  { customer: 'cus_none' },
)

const anyQuery: fc.Arbitrary<Query> = fc
  .record({
    where: anyWhere,
    due: fc.array(anyRange, { minLength: 1, maxLength: 2 }),
    created: fc.option(fc.integer({ min: 0, max: MANY / 3 })),
    limit: fc.constantFrom(1, 3, 10, 100),
    direction: fc.constantFrom('starting_after', 'ending_before', null),
    // None that was removed.
    cursor: fc.nat(Math.floor(MANY / 19) - 2).map((number) => idOf(number * 19 + 1)),
  })
  .map(({ where, due, created, limit, direction, cursor }) => ({
    where,
    ranges: [
      ...due.map((bounds) => ({ field: 'due_date', ...bounds })),
      ...(created === null ? [] : [{ field: 'created', lt: NOON + created }]),
    ],
    limit,
    ...(direction === null ? {} : { [direction]: cursor }),
  }))

/** When the events of a run happened: most on test clocks, which are ahead and fall back. */
const MOMENTS: Readonly<Record<string, (number: number) => number>> = {
  'in order': (number) => NOON + Math.floor(number / 3),
  'on clocks that run apart': (number) => NOON + (number % 4) * DAY + number,
  'in no order': (number) => NOON + ((number * STRIDE) % MANY),
}

const TYPES = ['customer.created', 'customer.updated'] as const

/** Many events, of which the first and a few others went, as history does. */
async function tell(store: Store, momentOf: (number: number) => number): Promise<NaiveStore> {
  const model = new NaiveStore()
  const all = Array.from({ length: MANY }, (_, number) =>
    event(`evt_${number}`, {
      created: momentOf(number),
      type: TYPES[number % TYPES.length] ?? 'customer.created',
      test_clock: number % 4 === 0 ? null : `clock_${number % 4}`,
    }),
  )
  await store.transact(async () => commit(null, { events: all }))
  const told = all.map((one) => model.announce({ ...one }))
  const gone = told.filter((_, number) => number < MANY / 8 || number % 19 === 0)
  await remove(store, ...gone)
  for (const one of gone) model.remove(one)
  return model
}

const anyNumber = fc.integer({ min: -1, max: MANY + 2 })
const anyNumberRange = fc.oneof(
  fc.tuple(anyNumber, fc.nat(60)).map(([gte, width]) => ({ gte, lte: gte + width })),
  fc.record({ gt: anyNumber, lt: anyNumber }, { requiredKeys: [] }),
  fc.record({ gte: anyNumber, lte: anyNumber }, { requiredKeys: [] }),
)

/** Times of real time, and of the clocks that run days ahead. */
const anyMoment = fc
  .tuple(fc.constantFrom(0, 0, 1, 3), anyNumber)
  .map(([days, number]) => NOON + days * DAY + number)
const anyMomentRange = fc.oneof(
  fc.tuple(anyMoment, fc.nat(60)).map(([gte, width]) => ({ gte, lte: gte + width })),
  fc.record({ gt: anyMoment, lt: anyMoment }, { requiredKeys: [] }),
  fc.record({ gte: anyMoment, lte: anyMoment }, { requiredKeys: [] }),
)

const anyEventQuery: fc.Arbitrary<Query> = fc
  .record({
    where: fc.constantFrom<NonNullable<Query['where']>>(
      {},
      { type: 'customer.updated' },
      { test_clock: ['clock_1', 'clock_2'] },
    ),
    bounds: fc.array(anyNumberRange, { maxLength: 2 }),
    created: fc.array(anyMomentRange, { maxLength: 1 }),
    limit: fc.constantFrom(1, 10, 100),
    direction: fc.constantFrom('starting_after', 'ending_before', null),
    // None that was removed.
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

interface Asked {
  readonly collection: 'invoices' | 'events'
  readonly anyQuery: fc.Arbitrary<Query>
  readonly model: NaiveStore
}

async function answersAs({ store, reopen, runs }: Bench, { collection, anyQuery, model }: Asked) {
  for await (const each of alsoReopened({ store, reopen })) {
    const property = fc.asyncProperty(anyQuery, async (query) => {
      const [given, wanted] = [await each.list(collection, query), model.list(collection, query)]
      assert.equal(
        given.data.map(({ id }) => id),
        wanted.data.map(({ id }) => id),
      )
      assert.is(given.has_more, wanted.has_more)
    })
    await fc.assert(property, tries(runs))
  }
}

const ANSWER = 'is the one of an array that is sorted and filtered'

/** What bounds of a number are promised, however many records they hold. */
export const ranges: Contract = {
  ...Object.fromEntries(
    Object.entries(DUES).map(([what, dueOf]) => [
      `any page of very many between bounds of numbers ${what} ${ANSWER}`,
      async (bench: Bench) =>
        answersAs(bench, { collection: 'invoices', anyQuery, model: await fill(bench.store, dueOf) }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(MOMENTS).map(([what, momentOf]) => [
      `any page of very many events between bounds of their sequence and time, told ${what}, ${ANSWER}`,
      async (bench: Bench) =>
        answersAs(bench, {
          collection: 'events',
          anyQuery: anyEventQuery,
          model: await tell(bench.store, momentOf),
        }),
    ]),
  ),

  'an event that was told again is found by its new number only': async ({ store, reopen }) => {
    const tell = (...ids: string[]) =>
      store.transact(async () => commit(null, { events: ids.map((id) => event(id)) }))
    await tell('evt_1', 'evt_2', 'evt_3')
    await tell('evt_1')
    for await (const each of alsoReopened({ store, reopen })) {
      const between = (gte: number, lte: number) =>
        idsOf(each, 'events', { ranges: [{ field: 'sequence', gte, lte }] })
      assert.equal(await between(4, 9), ['evt_1'])
      assert.equal(await between(2, 3), ['evt_3', 'evt_2'])
      assert.equal(await between(0, 1), [])
    }
  },
}
