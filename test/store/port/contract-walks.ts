import fc from 'fast-check'
import type { Query, Store } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import { type Contract, paymentSession, put, tries } from '../fixture.ts'

interface Session {
  readonly created: number
  readonly customer: string
}

/** A walk through a list while others insert: which records there are, how far each step goes, what comes between. */
interface Walk {
  readonly before: readonly Session[]
  readonly between: readonly (readonly Session[])[]
  readonly limit: number
  readonly where: NonNullable<Query['where']>
}

const anySession = fc.record({
  created: fc.integer({ min: 0, max: 6 }),
  customer: fc.constantFrom('cus_1', 'cus_2', 'cus_3'),
})

const anyWalk: fc.Arbitrary<Walk> = fc.record({
  before: fc.array(anySession, { maxLength: 25 }),
  between: fc.array(fc.array(anySession, { maxLength: 3 }), { maxLength: 12 }),
  limit: fc.integer({ min: 1, max: 27 }),
  where: fc.constantFrom<Walk['where']>(
    {},
    { customer: 'cus_1' },
    { customer: ['cus_2', 'cus_3'] },
    { customer: ['cus_1', 'cus_2'], status: 'open' },
  ),
})

/** A walk of 25 records for each limit there is, with inserts after every page. */
const EVERY_LIMIT: readonly Walk[] = Array.from({ length: 26 }, (_, index) => ({
  before: Array.from({ length: 25 }, (_, place) => ({ created: place % 4, customer: 'cus_1' })),
  between: Array.from({ length: 30 }, (_, place) => [{ created: place % 5, customer: 'cus_1' }]),
  limit: index + 1,
  where: { customer: 'cus_1' },
}))

const isWanted = ({ customer }: Session, where: Walk['where']) =>
  where['customer'] === undefined || [where['customer']].flat().includes(customer)

async function insert(store: Store, sessions: readonly Session[], prefix: string): Promise<void> {
  await put(store, ...sessions.map((fields, index) => paymentSession(`${prefix}_${index}`, fields)))
}

/** Follows has_more from page to page, inserting in between; gives all ids in the order of the list. */
async function follow(store: Store, walk: Walk, from: Partial<Query>): Promise<string[]> {
  const isBackwards = from.ending_before !== undefined
  const seen: string[] = []
  let cursor = from
  const inserted = walk.between.reduce((sum, sessions) => sum + sessions.length, 0)
  for (let step = 0; step <= walk.before.length + inserted; step += 1) {
    const { data, has_more } = await store.list('payment_sessions', {
      where: walk.where,
      limit: walk.limit,
      ...cursor,
    })
    const ids = data.map(({ id }) => id)
    assert.ok(ids.length <= walk.limit, 'a page is no longer than its limit')
    assert.ok(!has_more || ids.length === walk.limit, 'a page with more after it is full')
    if (isBackwards) seen.unshift(...ids)
    else seen.push(...ids)
    const [edge] = isBackwards ? ids : ids.slice(-1)
    if (!has_more || edge === undefined) return seen
    cursor = isBackwards ? { ending_before: edge } : { starting_after: edge }
    await insert(store, walk.between[step] ?? [], `new_${step}`)
  }
  throw new Error(`a walk that does not end: ${seen.join(' ')}`)
}

/** The records there were before a walk, in the order of the list, that pass its filter. */
function expected({ before, where }: Walk): string[] {
  return before
    .map((session, index) => ({ session, index }))
    .filter(({ session }) => isWanted(session, where))
    .sort((a, b) => b.session.created - a.session.created || b.index - a.index)
    .map(({ index }) => `old_${index}`)
}

async function walkForwards(store: Store, walk: Walk): Promise<void> {
  await insert(store, walk.before, 'old')
  const seen = await follow(store, walk, {})
  assert.is(new Set(seen).size, seen.length, 'nothing comes twice')
  assert.equal(
    seen.filter((id) => id.startsWith('old')),
    expected(walk),
  )
}

async function walkBackwards(store: Store, walk: Walk): Promise<void> {
  await insert(store, walk.before, 'old')
  const wanted = expected(walk)
  const oldest = wanted.pop()
  if (oldest === undefined) return
  const seen = await follow(store, walk, { ending_before: oldest })
  assert.is(new Set(seen).size, seen.length, 'nothing comes twice')
  assert.equal(
    seen.filter((id) => id.startsWith('old')),
    wanted,
  )
}

/** What someone who walks through a list page by page is promised. */
export const walks: Contract = {
  'a walk to the oldest meets every record that was there once, with every limit': async ({ open }) => {
    for (const walk of EVERY_LIMIT) await walkForwards((await open()).store, walk)
  },

  'a walk to the newest meets every record that was there once, with every limit': async ({ open }) => {
    for (const walk of EVERY_LIMIT) await walkBackwards((await open()).store, walk)
  },

  'any walk to the oldest meets every record that was there once': async ({ open, runs }) => {
    const property = fc.asyncProperty(anyWalk, async (walk) => walkForwards((await open()).store, walk))
    await fc.assert(property, tries(runs))
  },

  'any walk to the newest meets every record that was there once': async ({ open, runs }) => {
    const property = fc.asyncProperty(anyWalk, async (walk) => walkBackwards((await open()).store, walk))
    await fc.assert(property, tries(runs))
  },

  'a walk goes on from a record that left its filter meanwhile': async ({ store }) => {
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
