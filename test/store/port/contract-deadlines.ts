import {
  getFirstAttemptQueue,
  getRetryQueue,
  REAL_TIME_QUEUE,
} from '../../../src/domain/schedule/deadlines.ts'
import { assert } from '../../support/suite.ts'
import {
  alsoReopened,
  type ContractTests,
  checkoutSession,
  delivery,
  dueIds,
  paymentSession,
  put,
} from '../fixture.ts'

const MAX_TIME = Number.MAX_SAFE_INTEGER

/** Contract of the queues of due records. */
export const deadlines: ContractTests = {
  'listDue sorts by time, then by collection, then by insertion': async ({ store, reopen }) => {
    await put(store, paymentSession('py_1', { expires_at: 20 }), paymentSession('py_2', { expires_at: 10 }))
    await put(store, paymentSession('py_3', { expires_at: 20 }), checkoutSession('cks_1', { expires_at: 20 }))
    await put(store, checkoutSession('cks_2', { expires_at: 30 }))
    await put(store, checkoutSession('cks_3', { expires_at: 20, created: 0 }))
    const wanted = ['py_2', 'cks_1', 'cks_3', 'py_1', 'py_3', 'cks_2']
    assert.equal(await dueIds(store, REAL_TIME_QUEUE, { until: MAX_TIME }), wanted)
    assert.equal(await dueIds(await reopen(), REAL_TIME_QUEUE, { until: MAX_TIME }), wanted)
  },

  'listDue returns records due up to the given time, within the limit': async ({ store }) => {
    for (const at of [30, 10, 20]) await put(store, paymentSession(`py_${at}`, { expires_at: at }))
    assert.equal(await dueIds(store, REAL_TIME_QUEUE, { until: 9 }), [])
    assert.equal(await dueIds(store, REAL_TIME_QUEUE, { until: 10 }), ['py_10'])
    assert.equal(await dueIds(store, REAL_TIME_QUEUE, { until: 29 }), ['py_10', 'py_20'])
    assert.equal(await dueIds(store, REAL_TIME_QUEUE, { until: MAX_TIME, limit: 2 }), ['py_10', 'py_20'])
    assert.equal(await dueIds(store, 'unknown', { until: MAX_TIME }), [])
  },

  'a transaction can list due records': async ({ store }) => {
    await put(store, paymentSession('py_1', { expires_at: 10 }))
    const { result } = await store.transact(async (reader) => {
      return { result: await reader.listDue(REAL_TIME_QUEUE, 10, 5), writes: [], events: [] }
    })
    assert.equal(result, [paymentSession('py_1', { expires_at: 10 })])
  },

  'pending deliveries are due in the queue of their endpoint, retries in a separate one': async ({
    store,
    reopen,
  }) => {
    await put(
      store,
      delivery('whd_1', { webhook_endpoint: 'we_1', next_attempt_at: 20 }),
      delivery('whd_2', { webhook_endpoint: 'we_2', next_attempt_at: 10 }),
      delivery('whd_3', { webhook_endpoint: 'we_1', next_attempt_at: 20, created: 5 }),
      delivery('whd_4', { webhook_endpoint: 'we_1', next_attempt_at: null }),
      delivery('whd_5', { webhook_endpoint: 'we_1', next_attempt_at: 5, status: 'failed' }),
      delivery('whd_6', { webhook_endpoint: 'we_1', next_attempt_at: 15 }),
      delivery('whd_7', { webhook_endpoint: 'we_1', next_attempt_at: 12, attempt: 2 }),
    )
    for await (const each of alsoReopened({ store, reopen })) {
      assert.equal(await dueIds(each, getFirstAttemptQueue('we_1'), { until: MAX_TIME }), [
        'whd_6',
        'whd_1',
        'whd_3',
      ])
      assert.equal(await dueIds(each, getFirstAttemptQueue('we_1'), { until: 20, limit: 2 }), [
        'whd_6',
        'whd_1',
      ])
      assert.equal(await dueIds(each, getFirstAttemptQueue('we_2'), { until: MAX_TIME }), ['whd_2'])
      assert.equal(await dueIds(each, getRetryQueue('we_1'), { until: MAX_TIME }), ['whd_7'])
      assert.equal(await dueIds(each, REAL_TIME_QUEUE, { until: MAX_TIME }), [])
    }
  },

  'a retry is not due before its fraction of a second': async ({ store, reopen }) => {
    await put(store, delivery('whd_1', { attempt: 2, next_attempt_at: 70.25 }))
    for await (const each of alsoReopened({ store, reopen })) {
      assert.equal(await dueIds(each, getRetryQueue('we_sample'), { until: 70 }), [])
      assert.equal(await dueIds(each, getRetryQueue('we_sample'), { until: 70.249 }), [])
      assert.equal(await dueIds(each, getRetryQueue('we_sample'), { until: 70.25 }), ['whd_1'])
      assert.is((await each.get('webhook_deliveries', 'whd_1'))?.next_attempt_at, 70.25)
    }
  },
}
