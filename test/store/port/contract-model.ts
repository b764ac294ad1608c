import fc from 'fast-check'
import type { Collection } from '../../../src/store/port/collections.ts'
import type { Query, Store } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import { type AnyWrite, anyTime, anyWrite, FILTERS, QUEUES, RANGED } from '../any-changes.ts'
import { type Bench, type Contract, commit, rejection, tries } from '../fixture.ts'
import { NaiveStore } from '../naive-store.ts'

const oneOf = fc.constantFrom

type Question = Pick<Query, 'limit'> & {
  readonly where: NonNullable<Query['where']>
  readonly ranges: NonNullable<Query['ranges']>
  readonly collection: Collection
  readonly direction: 'starting_after' | 'ending_before' | null
  /** Which of the listed records is the cursor. */
  readonly place: number
}

const anyBounds = fc
  .record({ gt: anyTime, gte: anyTime, lt: anyTime, lte: anyTime }, { requiredKeys: [] })
  .filter((bounds) => Object.keys(bounds).length < 3)

const anyQuestion: fc.Arbitrary<Question> = oneOf(...(Object.keys(FILTERS) as Collection[])).chain(
  (collection) => {
    const filters = Object.entries(FILTERS[collection] ?? {}).map(([filter, values]) => {
      const anyValue: fc.Arbitrary<string | string[]> = fc.oneof(oneOf(...values), fc.subarray([...values]))
      return [filter, anyValue] as const
    })
    const anyWhere = fc.record(Object.fromEntries(filters), { requiredKeys: [] })
    const anyField = oneOf('created', RANGED[collection] ?? 'created')
    return fc.record({
      collection: fc.constant(collection),
      where: anyWhere as fc.Arbitrary<Question['where']>,
      ranges: fc.array(
        fc.tuple(anyField, anyBounds).map(([field, bounds]) => ({ field, ...bounds })),
        { maxLength: 2 },
      ),
      limit: fc.integer({ min: 1, max: 5 }),
      direction: oneOf('starting_after', 'ending_before', null),
      place: fc.nat(20),
    })
  },
)

interface Step {
  readonly kind: 'commit' | 'refuse' | 'reopen'
  readonly writes: readonly AnyWrite[]
  readonly questions: readonly Question[]
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: oneOf('commit', 'commit', 'commit', 'commit', 'commit', 'commit', 'refuse', 'reopen'),
  writes: fc.array(anyWrite, { maxLength: 12 }),
  questions: fc.array(anyQuestion, { minLength: 3, maxLength: 6 }),
})

// Events are never replaced: what was told last would be gone with one, and what may be told next would be another time.
const anySteps: fc.Arbitrary<readonly Step[]> = fc.array(anyStep, { maxLength: 12 }).map((steps) => {
  let announced = 0
  const withOwnId = (write: AnyWrite): AnyWrite => {
    if (!('announce' in write)) return write
    announced += 1
    return { announce: { ...write.announce, id: `evt_${announced}` } }
  }
  return steps.map((step) => ({ ...step, writes: step.writes.map(withOwnId) }))
})

function change(store: Store, { kind, writes }: Step): Promise<unknown> {
  const events = writes.flatMap((write) => ('announce' in write ? [write.announce] : []))
  const others = writes.flatMap((write) => ('announce' in write ? [] : [write]))
  const stray = { put: { id: 'x', object: 'unheard_of' } }
  const refused = kind === 'refuse' ? [stray] : []
  const outcome = store.transact(async () => commit(null, { writes: [...others, ...refused], events }))
  return kind === 'refuse' ? rejection(outcome) : outcome
}

function changeModel(model: NaiveStore, writes: readonly AnyWrite[]): void {
  for (const write of writes) {
    if ('put' in write) model.put(write.put)
    else if ('remove' in write) model.remove(write.remove)
  }
  for (const write of writes) if ('announce' in write) model.announce({ ...write.announce })
}

async function compare(store: Store, model: NaiveStore, questions: readonly Question[]): Promise<void> {
  for (const { collection, direction, place, ...rest } of questions) {
    const listed = model.listed(collection)
    const cursor = listed[place % Math.max(1, listed.length)]?.id
    const query = direction === null || cursor === undefined ? rest : { ...rest, [direction]: cursor }
    const [given, page] = [await store.list(collection, query), model.list(collection, query)]
    assert.is(JSON.stringify(given), JSON.stringify(page), `${collection} ${JSON.stringify(query)}`)
    const id = `${{ customers: 'cus_', events: 'evt_' }[String(collection)] ?? 'sub_'}${place % 8}`
    assert.is(JSON.stringify(await store.get(collection, id)), JSON.stringify(model.get(collection, id)))
    const after = place % 3 === 0 ? undefined : id
    const oldest = await store.oldest(collection, place, after)
    const wanted = model.oldest(collection, place, after)
    assert.is(JSON.stringify(oldest), JSON.stringify(wanted), `oldest ${collection} after ${after}`)
  }
  assert.is(await store.newestSequence(), model.sequence)
  for (const queue of QUEUES) {
    const [until = 0, limit = 0] = questions.map(({ place }) => place)
    const [given, wanted] = [await store.due(queue, until, limit + 1), model.due(queue, until, limit + 1)]
    assert.is(JSON.stringify(given), JSON.stringify(wanted), `due on ${queue} until ${until}`)
  }
}

async function follow(
  { store, reopen }: Pick<Bench, 'store' | 'reopen'>,
  steps: readonly Step[],
): Promise<void> {
  const model = new NaiveStore()
  let current = store
  for (const step of steps) {
    if (step.kind === 'reopen') current = await reopen()
    else await change(current, step)
    if (step.kind === 'commit') changeModel(model, step.writes)
    await compare(current, model, step.questions)
  }
}

/** The store against a model that is too simple to be wrong. */
export const model: Contract = {
  'after any changes every question has the answer of an array that is sorted and filtered': async ({
    open,
    runs,
  }) => {
    const property = fc.asyncProperty(anySteps, async (steps) => follow(await open(), steps))
    await fc.assert(property, tries(runs))
  },
}
