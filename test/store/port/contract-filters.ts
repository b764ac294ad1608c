import type { ListQuery, Store } from '../../../src/store/port/store.ts'
import { assert } from '../../support/suite.ts'
import {
  alsoReopened,
  type ContractTests,
  customer,
  idsOf,
  paymentSession,
  put,
  subscription,
} from '../fixture.ts'

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

  'no filter matches a null field': async ({ store }) => {
    await put(store, customer('cus_1'), customer('cus_2', { test_clock: 'null' }))
    assert.equal(await idsOf(store, 'customers', { where: { test_clock: 'null' } }), ['cus_2'])
    assert.equal(await idsOf(store, 'customers', { where: { test_clock: '' } }), [])
  },

  'a range of a field without numbers matches nothing': async ({ store }) => {
    await put(store, subscription('sub_1'))
    for (const field of ['status', 'unknown']) {
      assert.equal(await idsOf(store, 'subscriptions', { ranges: [{ field, gte: 0 }] }), [])
    }
  },
}
