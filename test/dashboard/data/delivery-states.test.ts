import {
  deliveryLabel,
  groupDeliveries,
  mergeDeliveries,
} from '../../../src/dashboard/data/delivery-states.ts'
import { assert, suite } from '../../support/suite.ts'
import { deliveryWith } from '../dashboard-samples.ts'

const test = suite('dashboard/data/delivery-states')

const failed = { status: 'failed', http_status: 500, error: 'http_status' } as const
const pending = { status: 'pending', http_status: null, duration_ms: null } as const

test('returns the newest result and the pending attempt of each endpoint', () => {
  const states = groupDeliveries([
    deliveryWith('whd_3', { ...pending, attempt: 3 }),
    deliveryWith('whd_2', { ...failed, attempt: 2 }),
    deliveryWith('whd_other', { webhook_endpoint: 'we_2' }),
    deliveryWith('whd_1', { ...failed, attempt: 1 }),
  ]).get('evt_1')
  assert.equal(
    states?.map(({ endpoint, settled, pending }) => [endpoint, settled?.id, pending?.id]),
    [
      ['we_1', 'whd_2', 'whd_3'],
      ['we_2', 'whd_other', undefined],
    ],
  )
})

test('returns endpoints whose newest result is a failure first', () => {
  const states = groupDeliveries([
    deliveryWith('whd_3', { webhook_endpoint: 'we_1' }),
    deliveryWith('whd_2', { ...failed, webhook_endpoint: 'we_2' }),
    deliveryWith('whd_1', { ...failed, webhook_endpoint: 'we_1' }),
  ]).get('evt_1')
  assert.equal(
    states?.map(({ endpoint, settled }) => [endpoint, settled?.status]),
    [
      ['we_2', 'failed'],
      ['we_1', 'succeeded'],
    ],
  )
})

test('merges the newest page, without pending attempts that it does not show', () => {
  const known = [deliveryWith('whd_2', pending), deliveryWith('whd_1', pending), deliveryWith('whd_0')]
  const merged = mergeDeliveries(known, [deliveryWith('whd_3'), deliveryWith('whd_2')], 10)
  assert.equal(
    merged.map(({ id, status }) => `${id} ${status}`),
    ['whd_3 succeeded', 'whd_2 succeeded', 'whd_0 succeeded'],
  )
  assert.is(mergeDeliveries(known, [deliveryWith('whd_3'), deliveryWith('whd_2')], 1).length, 1)
  const newest = [deliveryWith('whd_9')]
  assert.equal(mergeDeliveries(known, newest, 10), newest, 'after deliveries that were not read')
})

test('names the result of a delivery by status, reason or state', () => {
  const none = { http_status: null } as const
  assert.is(deliveryLabel(deliveryWith('whd_1')), '200')
  assert.is(deliveryLabel(deliveryWith('whd_1', { ...none, status: 'failed', error: 'refused' })), 'refused')
  assert.is(deliveryLabel(deliveryWith('whd_1', { ...none, status: 'pending' })), 'pending')
})

test.run()
