import fc from 'fast-check'
import type { CollectionName } from '../../../src/store/port/collections.ts'
import type { ListQuery, Store } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import { type AnyWrite, anyTime, anyWrite, FILTERS, QUEUES, RANGED } from '../any-changes.ts'
import { type ContractContext, type ContractTests, commit, rejection, runOptions } from '../fixture.ts'
import { NaiveStore } from '../naive-store.ts'

const oneOf = fc.constantFrom

type ModelQuery = Pick<ListQuery, 'limit'> & {
  readonly where: NonNullable<ListQuery['where']>
  readonly ranges: NonNullable<ListQuery['ranges']>
  readonly collection: CollectionName
  readonly direction: 'starting_after' | 'ending_before' | null
  /** Selects the listed record that is the cursor. */
  readonly position: number
}

const anyBounds = fc
  .record({ gt: anyTime, gte: anyTime, lt: anyTime, lte: anyTime }, { requiredKeys: [] })
  .filter((bounds) => Object.keys(bounds).length < 3)

const anyModelQuery: fc.Arbitrary<ModelQuery> = oneOf(...(Object.keys(FILTERS) as CollectionName[])).chain(
  (collection) => {
    const filters = Object.entries(FILTERS[collection] ?? {}).map(([filter, values]) => {
      const anyValue: fc.Arbitrary<string | string[]> = fc.oneof(oneOf(...values), fc.subarray([...values]))
      return [filter, anyValue] as const
    })
    const anyWhere = fc.record(Object.fromEntries(filters), { requiredKeys: [] })
    const anyField = oneOf('created', RANGED[collection] ?? 'created')
    return fc.record({
      collection: fc.constant(collection),
      where: anyWhere as fc.Arbitrary<ModelQuery['where']>,
      ranges: fc.array(
        fc.tuple(anyField, anyBounds).map(([field, bounds]) => ({ field, ...bounds })),
        { maxLength: 2 },
      ),
      limit: fc.integer({ min: 1, max: 5 }),
      direction: oneOf('starting_after', 'ending_before', null),
      position: fc.nat(20),
    })
  },
)

interface Step {
  readonly kind: 'commit' | 'fail' | 'reopen'
  readonly writes: readonly AnyWrite[]
  readonly queries: readonly ModelQuery[]
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: oneOf('commit', 'commit', 'commit', 'commit', 'commit', 'commit', 'fail', 'reopen'),
  writes: fc.array(anyWrite, { maxLength: 12 }),
  queries: fc.array(anyModelQuery, { minLength: 3, maxLength: 6 }),
})

// Each event gets a new id, because the store never replaces events, and a replacement would change `lastCreated`.
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
  const stray = { put: { id: 'x', object: 'unknown' } }
  const invalid = kind === 'fail' ? [stray] : []
  const outcome = store.transact(async () => commit(null, { writes: [...others, ...invalid], events }))
  return kind === 'fail' ? rejection(outcome) : outcome
}

function changeModel(model: NaiveStore, writes: readonly AnyWrite[]): void {
  for (const write of writes) {
    if ('put' in write) model.put(write.put)
    else if ('remove' in write) model.remove(write.remove)
  }
  for (const write of writes) if ('announce' in write) model.announce({ ...write.announce })
}

async function compare(store: Store, model: NaiveStore, queries: readonly ModelQuery[]): Promise<void> {
  for (const { collection, direction, position, ...rest } of queries) {
    const listed = model.listed(collection)
    const cursor = listed[position % Math.max(1, listed.length)]?.id
    const query = direction === null || cursor === undefined ? rest : { ...rest, [direction]: cursor }
    const [actual, expected] = [await store.list(collection, query), model.list(collection, query)]
    assert.is(JSON.stringify(actual), JSON.stringify(expected), `${collection} ${JSON.stringify(query)}`)
    const id = `${{ customers: 'cus_', events: 'evt_' }[String(collection)] ?? 'sub_'}${position % 8}`
    assert.is(JSON.stringify(await store.get(collection, id)), JSON.stringify(model.get(collection, id)))
    const after = position % 3 === 0 ? undefined : id
    const oldest = await store.listOldest(collection, position, after)
    const wanted = model.listOldest(collection, position, after)
    assert.is(JSON.stringify(oldest), JSON.stringify(wanted), `oldest ${collection} after ${after}`)
  }
  assert.is(await store.newestSequence(), model.newestSequence())
  for (const queue of QUEUES) {
    const [until = 0, limit = 0] = queries.map(({ position }) => position)
    const [actual, expected] = [
      await store.listDue(queue, until, limit + 1),
      model.listDue(queue, until, limit + 1),
    ]
    assert.is(JSON.stringify(actual), JSON.stringify(expected), `due on ${queue} until ${until}`)
  }
}

async function runSteps(
  { store, reopen }: Pick<ContractContext, 'store' | 'reopen'>,
  steps: readonly Step[],
): Promise<void> {
  const model = new NaiveStore()
  let current = store
  for (const step of steps) {
    if (step.kind === 'reopen') current = await reopen()
    else await change(current, step)
    if (step.kind === 'commit') changeModel(model, step.writes)
    await compare(current, model, step.queries)
  }
}

/** Compares the store with a simple model. */
export const model: ContractTests = {
  'after any changes every query returns the same as a sorted and filtered array': async ({ open, runs }) => {
    const property = fc.asyncProperty(anySteps, async (steps) => runSteps(await open(), steps))
    await fc.assert(property, runOptions(runs))
  },
}
