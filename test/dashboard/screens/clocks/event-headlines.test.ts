import { formatPaymentTotals } from '../../../../src/dashboard/screens/clocks/axis-events.ts'
import { selectHeadlineEvents } from '../../../../src/dashboard/screens/clocks/event-headlines.ts'
import { assert, suite } from '../../../support/suite.ts'
import { axisEvent } from './axis-samples.ts'

const test = suite('dashboard event headlines')

test('selects the state and the amount of a renewal as the headline', () => {
  const types = ['invoice.created', 'payment.succeeded', 'invoice.paid', 'subscription.renewed']
  const events = types.map((type) => axisEvent(type, 1))
  assert.equal(
    selectHeadlineEvents(events).map(({ type }) => type),
    ['subscription.renewed', 'invoice.paid'],
  )
})

test('selects the first event when no event is important', () => {
  const events = [axisEvent('customer.created', 1), axisEvent('customer.updated', 1)]
  assert.equal(selectHeadlineEvents(events), events.slice(0, 1))
})

test('sums payments by outcome and currency', () => {
  const events = [
    axisEvent('payment.succeeded', 1, { amount: 1200, currency: 'eur' }),
    axisEvent('payment.succeeded', 2, { amount: 450, amount_captured: 100, currency: 'eur' }),
    axisEvent('payment.succeeded', 2, { amount: 500, currency: 'jpy' }),
    axisEvent('payment.failed', 3, { amount: 900, currency: 'eur' }),
    axisEvent('invoice.paid', 3, { amount_due: 900, currency: 'eur' }),
  ]
  assert.equal(formatPaymentTotals(events), [
    '3 payments succeeded: 13.00 EUR, 500 JPY',
    '1 payment failed: 9.00 EUR',
  ])
  assert.equal(formatPaymentTotals([]), [])
})

test.run()
