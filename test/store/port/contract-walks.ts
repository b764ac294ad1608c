import fc from 'fast-check'
import type { ListQuery, Store } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import { type ContractTests, paymentSession, put, runOptions } from '../fixture.ts'

interface Session {
  readonly created: number
  readonly customer: string
}

/** A pagination run: existing records, page size, filter, and the records inserted after each page. */
interface PaginationRun {
  readonly before: readonly Session[]
  readonly between: readonly (readonly Session[])[]
  readonly limit: number
  readonly where: NonNullable<ListQuery['where']>
}

const anySession = fc.record({
  created: fc.integer({ min: 0, max: 6 }),
  customer: fc.constantFrom('cus_1', 'cus_2', 'cus_3'),
})

const anyRun: fc.Arbitrary<PaginationRun> = fc.record({
  before: fc.array(anySession, { maxLength: 25 }),
  between: fc.array(fc.array(anySession, { maxLength: 3 }), { maxLength: 12 }),
  limit: fc.integer({ min: 1, max: 27 }),
  where: fc.constantFrom<PaginationRun['where']>(
    {},
    { customer: 'cus_1' },
    { customer: ['cus_2', 'cus_3'] },
    { customer: ['cus_1', 'cus_2'], status: 'open' },
  ),
})

/** Paginations of 25 records, one for each limit, with inserts after every page. */
const EVERY_LIMIT: readonly PaginationRun[] = Array.from({ length: 26 }, (_, index) => ({
  before: Array.from({ length: 25 }, (_, place) => ({ created: place % 4, customer: 'cus_1' })),
  between: Array.from({ length: 30 }, (_, place) => [{ created: place % 5, customer: 'cus_1' }]),
  limit: index + 1,
  where: { customer: 'cus_1' },
}))

const isWanted = ({ customer }: Session, where: PaginationRun['where']) =>
  where['customer'] === undefined || [where['customer']].flat().includes(customer)

async function insert(store: Store, sessions: readonly Session[], prefix: string): Promise<void> {
  await put(store, ...sessions.map((fields, index) => paymentSession(`${prefix}_${index}`, fields)))
}

/** Reads all pages, with inserts in between; returns all ids in list order. */
async function paginate(store: Store, run: PaginationRun, from: Partial<ListQuery>): Promise<string[]> {
  const isBackwards = from.ending_before !== undefined
  const seen: string[] = []
  let cursor = from
  const inserted = run.between.reduce((sum, sessions) => sum + sessions.length, 0)
  for (let step = 0; step <= run.before.length + inserted; step += 1) {
    const { data, has_more } = await store.list('payment_sessions', {
      where: run.where,
      limit: run.limit,
      ...cursor,
    })
    const ids = data.map(({ id }) => id)
    assert.ok(ids.length <= run.limit, 'a page must not exceed its limit')
    assert.ok(!has_more || ids.length === run.limit, 'a page with has_more must be full')
    if (isBackwards) seen.unshift(...ids)
    else seen.push(...ids)
    const [edge] = isBackwards ? ids : ids.slice(-1)
    if (!has_more || edge === undefined) return seen
    cursor = isBackwards ? { ending_before: edge } : { starting_after: edge }
    await insert(store, run.between[step] ?? [], `new_${step}`)
  }
  throw new Error(`endless pagination: ${seen.join(' ')}`)
}

/** Returns the ids of the existing records that match the filter, in list order. */
function expected({ before, where }: PaginationRun): string[] {
  return before
    .map((session, index) => ({ session, index }))
    .filter(({ session }) => isWanted(session, where))
    .map(({ index }) => `old_${index}`)
    .toReversed()
}

async function paginateForwards(store: Store, run: PaginationRun): Promise<void> {
  await insert(store, run.before, 'old')
  const seen = await paginate(store, run, {})
  assert.is(new Set(seen).size, seen.length, 'no record is returned twice')
  assert.equal(
    seen.filter((id) => id.startsWith('old')),
    expected(run),
  )
}

async function paginateBackwards(store: Store, run: PaginationRun): Promise<void> {
  await insert(store, run.before, 'old')
  const wanted = expected(run)
  const oldest = wanted.pop()
  if (oldest === undefined) return
  const seen = await paginate(store, run, { ending_before: oldest })
  assert.is(new Set(seen).size, seen.length, 'no record is returned twice')
  assert.equal(
    seen.filter((id) => id.startsWith('old')),
    wanted,
  )
}

/** Contract of pagination. */
export const walks: ContractTests = {
  'forward pagination returns every existing record once, with every limit': async ({ open }) => {
    for (const run of EVERY_LIMIT) await paginateForwards((await open()).store, run)
  },

  'backward pagination returns every existing record once, with every limit': async ({ open }) => {
    for (const run of EVERY_LIMIT) await paginateBackwards((await open()).store, run)
  },

  'any random forward pagination returns every existing record once': async ({ open, runs }) => {
    const property = fc.asyncProperty(anyRun, async (run) => paginateForwards((await open()).store, run))
    await fc.assert(property, runOptions(runs))
  },

  'any random backward pagination returns every existing record once': async ({ open, runs }) => {
    const property = fc.asyncProperty(anyRun, async (run) => paginateBackwards((await open()).store, run))
    await fc.assert(property, runOptions(runs))
  },

  'pagination continues after a record that no longer matches the filter': async ({ store }) => {
    await insert(store, Array(6).fill({ created: 1, customer: 'cus_1' }), 'py')
    const where = { status: 'open' }
    const first = await store.list('payment_sessions', { where, limit: 3 })
    assert.equal(
      first.data.map(({ id }) => id),
      ['py_5', 'py_4', 'py_3'],
    )
    await put(store, paymentSession('py_3', { created: 1, customer: 'cus_1', status: 'complete' }))
    const next = await store.list('payment_sessions', { where, limit: 3, starting_after: 'py_3' })
    assert.equal(
      next.data.map(({ id }) => id),
      ['py_2', 'py_1', 'py_0'],
    )
  },
}
