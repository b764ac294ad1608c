import type { ListQuery, RangeFilter, Store } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import {
  alsoReopened,
  type ContractTests,
  commit,
  customer,
  event,
  idsOf,
  paymentSession,
  put,
  remove,
  subscription,
} from '../fixture.ts'
import { SAMPLES } from '../samples.ts'

type Where = NonNullable<ListQuery['where']>

async function sessionsWith(store: Store, where: Where): Promise<string> {
  return (await idsOf(store, 'payment_sessions', { where })).join(' ')
}

async function putSessions(store: Store): Promise<void> {
  await put(
    store,
    paymentSession('a', { customer: 'cus_1', status: 'open' }),
    paymentSession('b', { customer: 'cus_2', status: 'open' }),
    paymentSession('c', { customer: 'cus_1', status: 'complete' }),
    paymentSession('d', { customer: 'cus_1', status: 'open' }),
    paymentSession('e', { customer: 'cus_3', status: 'expired' }),
  )
}

const FILTERED: readonly (readonly [Where, string])[] = [
  [{}, 'e d c b a'],
  [{ customer: 'cus_1' }, 'd c a'],
  [{ status: 'open' }, 'd b a'],
  [{ customer: 'cus_1', status: 'open' }, 'd a'],
  [{ status: 'open', customer: 'cus_3' }, ''],
  [{ customer: ['cus_1', 'cus_3'] }, 'e d c a'],
  [{ customer: ['cus_3', 'cus_2', 'cus_3', 'cus_9'] }, 'e b'],
  [{ customer: ['cus_1', 'cus_2'], status: ['open', 'expired'] }, 'd b a'],
  [{ customer: 'cus_9' }, ''],
  [{ customer: ['cus_9'] }, ''],
  [{ customer: [] }, ''],
  [{ customer: [], status: 'open' }, ''],
  [{ customer: '' }, ''],
  [{ customer: '__proto__' }, ''],
]

const NOON = 1_700_000_000

async function boundedIds(store: Store, ...ranges: RangeFilter[]): Promise<string> {
  return (await idsOf(store, 'subscriptions', { ranges })).join(' ')
}

/** Contract of filters and ranges. */
export const filters: ContractTests = {
  'a filter matches any of its values, and several filters must all match': async ({ store, reopen }) => {
    await putSessions(store)
    for await (const each of alsoReopened({ store, reopen })) {
      for (const [where, ids] of FILTERED) {
        assert.is(await sessionsWith(each, where), ids, JSON.stringify(where))
      }
    }
  },

  'has_more is correct on pages of filtered lists': async ({ store }) => {
    await putSessions(store)
    const page = (query: ListQuery) => store.list('payment_sessions', query)
    const where = { customer: ['cus_1', 'cus_2'], status: 'open' }
    assert.is((await page({ where, limit: 2 })).has_more, true)
    assert.is((await page({ where, limit: 3 })).has_more, false)
    assert.is((await page({ where, limit: 1, starting_after: 'd' })).has_more, true)
    assert.is((await page({ where, limit: 1, starting_after: 'b' })).has_more, false)
    assert.is((await page({ where, limit: 1, ending_before: 'a' })).has_more, true)
    assert.is((await page({ where, limit: 1, ending_before: 'b' })).has_more, false)
  },

  'a page continues after its cursor even when the cursor does not match the filters': async ({ store }) => {
    await putSessions(store)
    const where = { status: 'open' }
    assert.equal(await idsOf(store, 'payment_sessions', { where, starting_after: 'c' }), ['b', 'a'])
    assert.equal(await idsOf(store, 'payment_sessions', { where, ending_before: 'c' }), ['d'])
  },

  'an update moves a record to other filter values': async ({ store, reopen }) => {
    await putSessions(store)
    await put(store, paymentSession('a', { customer: 'cus_1', status: 'complete' }))
    await put(store, paymentSession('b', { customer: 'cus_3', status: 'open' }))
    for await (const each of alsoReopened({ store, reopen })) {
      assert.is(await sessionsWith(each, { status: 'open' }), 'd b')
      assert.is(await sessionsWith(each, { status: 'complete' }), 'c a')
      assert.is(await sessionsWith(each, { customer: 'cus_2' }), '')
      assert.is(await sessionsWith(each, { customer: 'cus_3' }), 'e b')
    }
  },

  'no filter matches a null field': async ({ store }) => {
    await put(store, customer('cus_1'), customer('cus_2', { test_clock: 'null' }))
    assert.equal(await idsOf(store, 'customers', { where: { test_clock: 'null' } }), ['cus_2'])
    assert.equal(await idsOf(store, 'customers', { where: { test_clock: '' } }), [])
  },

  'finds events by type and by the id of their object': async ({ store }) => {
    const created = event('evt_1', { data: { object: customer('cus_1') } })
    const updated = event('evt_2', { type: 'customer.updated', data: { object: customer('cus_1') } })
    const paid = event('evt_3', { type: 'invoice.paid', data: { object: SAMPLES.invoices } })
    await store.transact(async () => commit(null, { events: [created, updated, paid] }))
    assert.equal(await idsOf(store, 'events', { where: { object_id: 'cus_1' } }), ['evt_2', 'evt_1'])
    const types = ['customer.created', 'invoice.paid']
    assert.equal(await idsOf(store, 'events', { where: { type: types } }), ['evt_3', 'evt_1'])
    assert.equal(await idsOf(store, 'events', { where: { type: types, object_id: 'cus_1' } }), ['evt_1'])
    assert.equal(await idsOf(store, 'events', { ranges: [{ field: 'sequence', gt: 1, lt: 3 }] }), ['evt_2'])
  },

  'live_customer does not match canceled subscriptions': async ({ store }) => {
    await put(
      store,
      subscription('sub_1'),
      subscription('sub_2', { status: 'canceled' }),
      subscription('sub_3'),
    )
    const where = { live_customer: 'cus_sample' }
    assert.equal(await idsOf(store, 'subscriptions', { where }), ['sub_3', 'sub_1'])
    await put(store, subscription('sub_3', { status: 'canceled' }))
    assert.equal(await idsOf(store, 'subscriptions', { where }), ['sub_1'])
    await remove(store, subscription('sub_1'))
    assert.equal(await idsOf(store, 'subscriptions', { where }), [])
  },

  'ranges filter by created and other numbers, and exclude records without the number': async ({ store }) => {
    const ending = (id: string, current_period_end: number | null, offset: number) =>
      subscription(id, { current_period_end, created: NOON + offset })
    await put(store, ending('a', 10, 0), ending('b', 20, 1), ending('c', null, 2), ending('d', 30, 3))
    const field = 'current_period_end'
    assert.is(await boundedIds(store, { field }), 'd b a')
    assert.is(await boundedIds(store, { field, gt: 10 }), 'd b')
    assert.is(await boundedIds(store, { field, gte: 10, lt: 30 }), 'b a')
    assert.is(await boundedIds(store, { field, lte: 20, gt: 20 }), '')
    assert.is(await boundedIds(store, { field, lte: 20 }, { field: 'created', gte: NOON + 1 }), 'b')
    assert.is(
      await boundedIds(store, { field: 'created', gt: NOON }, { field: 'created', lte: NOON + 2 }),
      'c b',
    )
    assert.is(await boundedIds(store, { field: 'created', gte: NOON + 1, gt: NOON + 2 }), 'd')
    assert.is(await boundedIds(store, { field: 'status', gte: 0 }), '')
    assert.is(await boundedIds(store, { field: 'unknown', gte: 0 }), '')
    const where = { customer: 'cus_sample' }
    assert.equal(await idsOf(store, 'subscriptions', { where, ranges: [{ field, gte: 20 }] }), ['d', 'b'])
  },
}
