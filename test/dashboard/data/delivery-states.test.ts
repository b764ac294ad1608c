import {
  findMissingSubscription,
  formatDeliveryLabel,
  groupDeliveryStates,
  mergeDeliveries,
} from '../../../src/dashboard/data/delivery-states.ts'
import type { WebhookDelivery } from '../../../src/domain/events/webhook-deliveries.ts'
import { assert, suite } from '../../support/suite.ts'
import { deliveryWith } from '../dashboard-samples.ts'

const test = suite('dashboard/data/delivery-states')

const failed = { status: 'failed', http_status: 500, error: 'http_status' } as const
const pending = { status: 'pending', http_status: null, duration_ms: null } as const

test('returns the newest result and the pending attempt of each endpoint', () => {
  const states = groupDeliveryStates([
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
  const states = groupDeliveryStates([
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

test('merges the newest page, and drops pending attempts that the page does not contain', () => {
  const deliveries = [deliveryWith('whd_2', pending), deliveryWith('whd_1', pending), deliveryWith('whd_0')]
  const known = { deliveries, since: 0 }
  const page = { data: [deliveryWith('whd_3'), deliveryWith('whd_2')], has_more: true }
  assert.equal(
    mergeDeliveries(known, page, 10).deliveries.map(({ id, status }) => `${id} ${status}`),
    ['whd_3 succeeded', 'whd_2 succeeded', 'whd_0 succeeded'],
  )
  assert.is(mergeDeliveries(known, page, 1).deliveries.length, 1)
  const newest = { data: [deliveryWith('whd_9')], has_more: true }
  assert.equal(
    mergeDeliveries(known, newest, 10).deliveries,
    newest.data,
    'after deliveries that were not read',
  )
})

test('returns the time after which all deliveries are known', () => {
  const [older, newer] = [deliveryWith('whd_1', { created: 10 }), deliveryWith('whd_2', { created: 20 })]
  const merge = (known: readonly WebhookDelivery[], data: readonly WebhookDelivery[], has_more = true) =>
    mergeDeliveries({ deliveries: known, since: 0 }, { data, has_more }, 10).since
  assert.is(mergeDeliveries(null, { data: [newer], has_more: false }, 10).since, 0)
  assert.is(mergeDeliveries(null, { data: [newer], has_more: true }, 10).since, 20, 'a page that is cut')
  assert.is(merge([newer, older], [newer]), 10)
  assert.is(merge([older], [newer]), 20, 'after deliveries that were not read')
  const retry = deliveryWith('whd_3', { ...pending, created: 15 })
  assert.is(merge([newer, retry, older], [newer]), 15, 'a pending attempt without its result')
  assert.is(merge([newer, retry, older], [newer, retry, older], false), 0)
})

test('distinguishes a type that endpoints leave out from the types of an object that they do not need', () => {
  const enabled = ['subscription.created', 'payment.*']
  assert.is(findMissingSubscription('subscription.created', enabled), null)
  assert.is(findMissingSubscription('payment.refunded', enabled), null)
  assert.is(findMissingSubscription('subscription.canceled', enabled), 'forgotten')
  assert.is(findMissingSubscription('subscription.canceled', ['subscription.canceled', 'invoice.paid']), null)
  assert.is(findMissingSubscription('invoice.created', ['invoice.paid']), null, 'a handler does not need it')
  assert.is(findMissingSubscription('invoice.created', enabled), 'unused')
  assert.is(findMissingSubscription('payment_method.attached', enabled), 'unused')
  assert.is(findMissingSubscription('payment_method.attached', []), 'unused')
  assert.is(findMissingSubscription('payment_method.attached', ['*']), null)
})

test('describes the result of a delivery by status, reason or state', () => {
  const none = { http_status: null } as const
  assert.is(formatDeliveryLabel(deliveryWith('whd_1')), '200')
  assert.is(
    formatDeliveryLabel(deliveryWith('whd_1', { ...none, status: 'failed', error: 'refused' })),
    'refused',
  )
  assert.is(formatDeliveryLabel(deliveryWith('whd_1', { ...none, status: 'pending' })), 'pending')
})

test.run()
