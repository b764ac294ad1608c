import {
  collapseLanes,
  collectNewestSubscriptions,
  formatLaneTitle,
  groupByLane,
  listLaneTimeGroups,
  MERGED_LANE_ID,
} from '../../../../src/dashboard/screens/clocks/lanes.ts'
import { assert, suite } from '../../../support/suite.ts'
import { axisEvent } from './axis-samples.ts'

const test = suite('dashboard lanes')

const DAY = 86_400

test('finds the subscription of payments and refunds by their invoice, checkout session or payment', () => {
  const events = [
    axisEvent('checkout_session.created', 1, { id: 'cks_1', subscription: null }),
    axisEvent('payment.created', 2, { id: 'py_1', checkout_session: 'cks_1', invoice: null }),
    axisEvent('checkout_session.completed', 2, { id: 'cks_1', subscription: 'sub_1' }),
    axisEvent('payment.succeeded', 3, { id: 'py_2', checkout_session: null, invoice: 'in_2' }),
    axisEvent('invoice.paid', 3, { id: 'in_2', subscription: 'sub_2' }),
    axisEvent('refund.created', 4, { id: 're_1', payment: 'py_2' }),
    axisEvent('customer.updated', 5, { id: 'cus_1' }),
  ]
  const lanes = groupByLane(events).map(({ id, events: own }) => [id, own.map(({ type }) => type)])
  assert.equal(lanes, [
    ['sub_1', ['checkout_session.created', 'payment.created', 'checkout_session.completed']],
    ['sub_2', ['payment.succeeded', 'invoice.paid', 'refund.created']],
    [null, ['customer.updated']],
  ])
})

test('returns no subscription and terminates when objects refer to each other in a cycle', () => {
  const events = [
    axisEvent('invoice.created', 1, { id: 'in_1', payment: 'py_1' }),
    axisEvent('payment.created', 1, { id: 'py_1', invoice: 'in_1' }),
  ]
  assert.equal(
    groupByLane(events).map(({ id }) => id),
    [null],
  )
})

test('returns the newest version of a subscription, but no projected version', () => {
  const events = [
    axisEvent('subscription.created', 1, { id: 'sub_1', status: 'trialing' }),
    axisEvent('subscription.started', 2, { id: 'sub_1', status: 'active' }),
    axisEvent('subscription.canceled', 3, { id: 'sub_1', status: 'canceled' }, true),
  ]
  assert.is(collectNewestSubscriptions(events).get('sub_1')?.['status'], 'active')
})

test('a lane shows the description or id of its subscription, and the email address of its customer', () => {
  const events = [
    axisEvent('subscription.created', 1, { id: 'sub_1', description: 'Pro plan', customer: 'cus_1' }),
    axisEvent('invoice.paid', 2, { id: 'in_2', subscription: 'sub_2' }),
  ]
  const lanes = groupByLane(events, new Map([['cus_1', 'ada@example.com']]))
  assert.equal(
    lanes.map((lane) => [formatLaneTitle(lane), lane.email]),
    [
      ['Pro plan', 'ada@example.com'],
      ['sub_2', null],
    ],
  )
})

test('merges the subscriptions above the maximum into one lane, sorted by time', () => {
  const events = ['sub_1', 'sub_2', 'sub_3'].flatMap((id, index) => [
    axisEvent('subscription.created', index, { id }),
    axisEvent('subscription.renewed', 20 - index, { id }),
  ])
  const lanes = groupByLane([...events, axisEvent('customer.created', 0, { id: 'cus_1' })])
  const collapsed = collapseLanes(lanes, 1)
  assert.equal(
    collapsed.map(({ id, count }) => [id, count]),
    [
      ['sub_1', 1],
      [MERGED_LANE_ID, 2],
      [null, 0],
    ],
  )
  assert.equal(
    collapsed[1]?.events.map(({ created }) => created),
    [1, 2, 18, 19],
  )
  assert.equal(collapseLanes(lanes, 3), lanes)
})

test('lists the event groups of all lanes by time, without merging groups of different lanes', () => {
  const events = [
    axisEvent('invoice.paid', DAY, { id: 'in_1', subscription: 'sub_1' }),
    axisEvent('invoice.paid', DAY, { id: 'in_2', subscription: 'sub_2' }),
    axisEvent('invoice.paid', 10, { id: 'in_3', subscription: 'sub_2' }),
  ]
  const groups = listLaneTimeGroups(groupByLane(events))
  assert.equal(
    groups.map(({ lane, at }) => [lane.id, at]),
    [
      ['sub_2', 10],
      ['sub_1', DAY],
      ['sub_2', DAY],
    ],
  )
})

test.run()
