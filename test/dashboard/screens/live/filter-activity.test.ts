import { groupDeliveryStates } from '../../../../src/dashboard/data/delivery-states.ts'
import { filterActivity } from '../../../../src/dashboard/screens/live/filter-activity.ts'
import { groupActivity } from '../../../../src/dashboard/screens/live/group-activity.ts'
import { assert, suite } from '../../../support/suite.ts'
import { causedBy, deliveryWith, eventWith, requestWith } from '../../dashboard-samples.ts'

const test = suite('dashboard/screens/live/filter-activity')

const ALL = { text: '', failed: '', hide_get: '' }
const groups = groupActivity(
  [
    eventWith(1, { request: causedBy('req_post') }),
    eventWith(2, { request: causedBy('req_failing'), type: 'payment.failed' }),
    eventWith(3, { request: causedBy('req_undelivered') }),
  ],
  [
    requestWith('req_get', { method: 'GET' }),
    requestWith('req_post', { method: 'POST' }),
    requestWith('req_failing', { method: 'POST' }),
    requestWith('req_undelivered', { method: 'POST' }),
    requestWith('req_bad', { method: 'POST', status: 400 }),
  ],
)
const deliveries = groupDeliveryStates([
  deliveryWith('whd_1', { event: 'evt_3', status: 'failed', http_status: 500, error: 'http_status' }),
  deliveryWith('whd_2', { event: 'evt_1' }),
])

function keys(filters: Partial<typeof ALL>): readonly string[] {
  return filterActivity(groups, { ...ALL, ...filters }, deliveries).map(({ key }) => key)
}

test('hides requests that only read', () => {
  assert.not(keys({ hide_get: '1' }).includes('req_get'))
  assert.ok(keys({ hide_get: '1' }).includes('req_post'))
})

test('shows only failed requests, events and deliveries', () => {
  assert.equal(keys({ failed: '1' }), ['req_bad', 'req_undelivered', 'req_failing'])
})

test('finds text in requests and in the objects of events, in any case', () => {
  assert.equal(keys({ text: ' PAYMENT.failed' }), ['req_failing'])
  assert.equal(keys({ text: 'jane@EXAMPLE.com' }), ['req_undelivered', 'req_failing', 'req_post'])
  assert.equal(keys({ text: 'req_bad' }), ['req_bad'])
  assert.equal(keys({ text: 'nothing has this' }), [])
})

test.run()
