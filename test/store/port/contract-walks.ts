import type { ListQuery, Store } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import { type ContractContext, type ContractTests, paymentSession, put } from '../fixture.ts'

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

/** Paginations of 25 records, one for each limit, with inserts after every page. */
const EVERY_LIMIT: readonly PaginationRun[] = Array.from({ length: 26 }, (_, index) => ({
  before: Array.from({ length: 25 }, (_, place) => ({ created: place % 4, customer: 'cus_1' })),
  between: Array.from({ length: 30 }, (_, place) => [{ created: place % 5, customer: 'cus_1' }]),
  limit: index + 1,
  where: { customer: 'cus_1' },
}))

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

async function paginateEveryLimit(open: ContractContext['open'], isBackwards: boolean): Promise<void> {
  for (const run of EVERY_LIMIT) {
    const { store } = await open()
    await insert(store, run.before, 'old')
    const wanted = run.before.map((_, index) => `old_${index}`).toReversed()
    const oldest = isBackwards ? wanted.pop() : undefined
    const seen = await paginate(store, run, oldest === undefined ? {} : { ending_before: oldest })
    assert.is(new Set(seen).size, seen.length, 'no record is returned twice')
    assert.equal(
      seen.filter((id) => id.startsWith('old')),
      wanted,
    )
  }
}

/** Contract of pagination. */
export const walks: ContractTests = {
  'forward pagination returns every existing record once, with every limit': ({ open }) =>
    paginateEveryLimit(open, false),

  'backward pagination returns every existing record once, with every limit': ({ open }) =>
    paginateEveryLimit(open, true),
}
