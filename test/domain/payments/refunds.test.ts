import { getCaptureDecision, getRefundBehavior, TEST_CARDS } from '../../../src/domain/cards/test-cards.ts'
import type { Payment } from '../../../src/domain/payments/payments.ts'
import { createRefund, failRefund } from '../../../src/domain/payments/refunds.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aPayment, eventTypesOf } from '../../support/domain-samples.ts'
import { createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/payments/refunds')

const HOUR = 3600
const context = createRuleContext()

/** Returns a succeeded payment of 10.00 EUR with the test card that ends in `last4`. */
function paid(last4 = '4242', more: Partial<Payment> = {}): Payment {
  const payment = aPayment(context, { status: 'succeeded', succeeded_at: START, ...more })
  const amount_captured = more.amount_captured ?? payment.amount
  const { payment_method_details: details } = payment
  const card = details.card && { ...details.card, last4 }
  return { ...payment, amount_captured, payment_method_details: { ...details, card } }
}

/** Returns the payment after its refund. */
function paymentAfter(changes: readonly { after: object | null }[]): Payment {
  return changes.find(({ after }) => after && 'amount_refunded' in after)?.after as Payment
}

test('the error for an impossible refund names the status, or the amounts in the currency of the payment', async () => {
  const errorOf = (payment: Payment, amount: number) =>
    catchDomainError(() => createRefund(payment, { amount }, context))
  const inEuro = await errorOf(paid('4242', { amount: 1250, amount_refunded: 1000 }), 300)
  assert.match(inEuro.message, /^Refund of 3\.00 EUR exceeds the remaining 2\.50 EUR of .+ at most 250,/)
  const inYen = await errorOf(
    paid('4242', { amount: 1250, amount_refunded: 1250, refunded: true, currency: 'jpy' }),
    1,
  )
  assert.match(inYen.message, 'already refunded in full (1250 JPY)')
  assert.equal([inEuro.param, inYen.param], ['amount', 'payment'])
  const unpaid = await errorOf(paid('4242', { status: 'failed' }), 1)
  assert.match(unpaid.message, 'is failed, and only succeeded payments')
})

test('a refund to test card refund_fails succeeds, then fails after an hour and reduces amount_refunded', () => {
  const { changes, result } = createRefund(paid('5126', { test_clock: 'clock_1' }), {}, context)
  assert.is(result.status, 'succeeded')
  const timer = changes[2]?.after
  assert.equal(timer, { ...timer, what: 'refund_fails', at: START + HOUR, test_clock: 'clock_1' })
  const payment = paymentAfter(changes)
  const failed = failRefund(result, payment)
  assert.equal(eventTypesOf(failed), ['refund.failed', 'payment.updated'])
  const failure = { status: 'failed', failure_reason: 'expired_or_canceled_card' }
  assert.equal(failed[0]?.after, { ...result, ...failure })
  assert.equal(failed[1]?.after, { ...payment, amount_refunded: 0, refunded: false })
})

test('the outcomes of a refund and of a capture depend on brand and last4 of the payment', () => {
  const slow = TEST_CARDS.filter(({ refunds }) => refunds !== 'at_once').map(({ alias }) => alias)
  assert.equal(slow, ['refund_async', 'refund_fails'])
  for (const { brand, number, refunds, onCapture } of TEST_CARDS) {
    assert.is(getRefundBehavior({ brand, last4: number.slice(-4) }), refunds)
    assert.is(getCaptureDecision({ brand, last4: number.slice(-4) }), onCapture)
  }
  assert.is(getRefundBehavior({ brand: 'visa', last4: '9999' }), 'at_once')
})

test.run()
