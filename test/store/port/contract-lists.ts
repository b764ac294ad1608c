import type { DeletedCustomer } from '../../../src/domain/payments/customers.ts'
import type { ListQuery, Store } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import { alsoReopened, type ContractTests, commit, customer, idsOf, put, remove } from '../fixture.ts'
import { SAMPLES } from '../samples.ts'

const NOON = 1_700_000_000

const created = (id: string, offset: number) => customer(id, { created: NOON + offset })

const stub = (id: string): DeletedCustomer => ({ id, object: 'customer', deleted: true })

/** Stores six customers with two different timestamps; cus_6 is the newest. */
async function putSix(store: Store): Promise<void> {
  for (const number of [1, 2, 3, 4, 5, 6]) await put(store, created(`cus_${number}`, number < 4 ? 0 : 1))
}

async function pageOf(store: Store, query: ListQuery): Promise<string> {
  const { data, has_more } = await store.list('customers', query)
  return `${data.map(({ id }) => id.replace('cus_', '')).join(' ')}${has_more ? ' …' : ''}`
}

/** Queries with their expected pages; an ellipsis stands for has_more. */
const PAGES: readonly (readonly [ListQuery, string])[] = [
  [{ limit: 1 }, '6 …'],
  [{ limit: 5 }, '6 5 4 3 2 …'],
  [{ limit: 6 }, '6 5 4 3 2 1'],
  [{ limit: 100 }, '6 5 4 3 2 1'],
  [{ limit: 2, starting_after: 'cus_6' }, '5 4 …'],
  [{ limit: 2, starting_after: 'cus_4' }, '3 2 …'],
  [{ limit: 2, starting_after: 'cus_3' }, '2 1'],
  [{ limit: 2, starting_after: 'cus_2' }, '1'],
  [{ limit: 2, starting_after: 'cus_1' }, ''],
  [{ limit: 2, ending_before: 'cus_1' }, '3 2 …'],
  [{ limit: 2, ending_before: 'cus_3' }, '5 4 …'],
  [{ limit: 2, ending_before: 'cus_4' }, '6 5'],
  [{ limit: 2, ending_before: 'cus_5' }, '6'],
  [{ limit: 2, ending_before: 'cus_6' }, ''],
  [{ limit: 5, ending_before: 'cus_1' }, '6 5 4 3 2'],
]

/** Contract of the order and the pages of lists. */
export const lists: ContractTests = {
  'a list is sorted by insertion, the last record first, whatever the time of its clock': async ({
    store,
    reopen,
  }) => {
    await put(store, created('cus_a', 5), created('cus_b', 5))
    await put(store, created('cus_future', 9_000_000))
    await put(store, created('cus_back', -1), created('cus_c', 5))
    await put(store, created('cus_d', 6))
    const wanted = ['cus_d', 'cus_c', 'cus_back', 'cus_future', 'cus_b', 'cus_a']
    const where = { email: 'jane@example.com' }
    for await (const each of alsoReopened({ store, reopen })) {
      assert.equal(await idsOf(each, 'customers'), wanted)
      assert.equal(await idsOf(each, 'customers', { where, limit: 9 }), wanted)
      const ranges = [{ field: 'created', gte: NOON + 5, lt: NOON + 9 }]
      assert.equal(await idsOf(each, 'customers', { ranges, limit: 9 }), ['cus_d', 'cus_c', 'cus_b', 'cus_a'])
    }
  },

  'a record whose created changes keeps its position, and ranges find its new time': async ({ store }) => {
    await putSix(store)
    await put(store, created('cus_2', 2))
    await put(store, created('cus_6', 0))
    assert.is(await pageOf(store, { limit: 6 }), '6 5 4 3 2 1')
    assert.is(await pageOf(store, { limit: 6, ranges: [{ field: 'created', gte: NOON + 1 }] }), '5 4 2')
    assert.is(await pageOf(store, { limit: 6, ranges: [{ field: 'created', lt: NOON + 1 }] }), '6 3 1')
  },

  'a page matches its limit and cursor, and has_more is correct': async ({ store }) => {
    await putSix(store)
    for (const [query, page] of PAGES) assert.is(await pageOf(store, query), page, JSON.stringify(query))
  },

  'listOldest returns records in insertion order, unlisted ones included': async ({ store, reopen }) => {
    await putSix(store)
    await put(store, stub('cus_3'), created('cus_back', -9), created('cus_1', 7))
    await remove(store, customer('cus_2'))
    await put(store, created('cus_2', 0))
    const { result } = await store.transact(async (reader) => commit(await reader.listOldest('customers', 1)))
    assert.equal(result, [created('cus_1', 7)])
    const wanted = ['cus_1', 'cus_3', 'cus_4', 'cus_5', 'cus_6', 'cus_back', 'cus_2']
    for await (const each of alsoReopened({ store, reopen })) {
      assert.equal(
        (await each.listOldest('customers', 9)).map(({ id }) => id),
        wanted,
      )
      assert.equal(await each.listOldest('customers', 2), [created('cus_1', 7), stub('cus_3')])
      assert.equal(await each.listOldest('invoices', 2), [])
      const after = async (id: string) => (await each.listOldest('customers', 2, id)).map((one) => one.id)
      assert.equal(await after('cus_3'), ['cus_4', 'cus_5'])
      assert.equal(await after('cus_back'), ['cus_2'])
      assert.equal(await after('cus_2'), [])
      assert.equal(await after('cus_none'), ['cus_1', 'cus_3'], 'an unknown id starts at the beginning')
    }
  },

  'count includes unlisted records': async ({ store, reopen }) => {
    await putSix(store)
    await put(store, stub('cus_3'), created('cus_1', 7), created('cus_back', -9))
    await remove(store, customer('cus_2'))
    const { result } = await store.transact(async (reader) => commit(await reader.count('customers')))
    assert.is(result, 6)
    for await (const each of alsoReopened({ store, reopen })) {
      assert.equal([await each.count('customers'), await each.count('invoices')], [6, 0])
    }
  },

  'usage counts the records and about the bytes of all collections': async ({ store, reopen }) => {
    await putSix(store)
    await put(store, customer('cus_1', { created: NOON, name: 'x'.repeat(1000) }))
    await remove(store, customer('cus_2'))
    for await (const each of alsoReopened({ store, reopen })) {
      await each.measureUsage?.()
      const { records, bytes } = each.usage()
      assert.is(records, 5)
      const length = JSON.stringify((await each.list('customers', { limit: 9 })).data).length
      assert.ok(Math.abs(bytes - length) < length / 4, `${bytes} in place of ${length}`)
    }
  },

  'a removed record is removed from every index': async ({ store, reopen }) => {
    for (const record of Object.values(SAMPLES)) await put(store, record)
    await remove(store, ...Object.values(SAMPLES))
    for await (const each of alsoReopened({ store, reopen })) {
      for (const [name, record] of Object.entries(SAMPLES)) {
        const collection = name as keyof typeof SAMPLES
        assert.is(await each.get(collection, record.id), null)
        assert.equal(await idsOf(each, collection), [])
        assert.equal(await each.listOldest(collection, 1), [])
      }
      assert.equal(await idsOf(each, 'events', { where: { object_id: 'cus_sample' } }), [])
      assert.equal(await idsOf(each, 'subscriptions', { where: { live_customer: 'cus_sample' } }), [])
      assert.equal(await idsOf(each, 'payments', { where: { customer: 'cus_sample' } }), [])
      assert.equal(await each.listDue('real', Number.MAX_SAFE_INTEGER, 10), [])
      assert.equal(await each.listDue('deliveries:we_sample', Number.MAX_SAFE_INTEGER, 10), [])
    }
  },
}
