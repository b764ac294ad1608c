import { refundBehaviorOf, TEST_CARDS } from '../../../src/domain/cards/test-cards.ts'
import type { Payment } from '../../../src/domain/payments/payments.ts'
import { createRefund, failRefund, succeedRefund } from '../../../src/domain/payments/refunds.ts'
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
  const { card } = payment.payment_method_details
  return { ...payment, payment_method_details: { type: 'card', card: { ...card, last4 } } }
}

/** Returns the payment after its refund. */
function paymentAfter(changes: readonly { after: object | null }[]): Payment {
  return changes.find(({ after }) => after && 'amount_refunded' in after)?.after as Payment
}

test('creates a refund of the remaining amount with all fields', () => {
  const payment = paid('4242', { amount_refunded: 400, test_clock: 'clock_1' })
  const fields = { reason: 'duplicate', metadata: { a: 'b' } } as const
  const { changes, result } = createRefund(payment, fields, createRuleContext(START + 5))
  assert.equal(eventTypesOf(changes), ['refund.created', 'payment.refunded'])
  assert.equal(result, {
    id: 're_Test00000000000000000001',
    object: 'refund',
    created: START + 5,
    livemode: false,
    payment: payment.id,
    customer: payment.customer,
    amount: 600,
    currency: 'eur',
    status: 'succeeded',
    reason: 'duplicate',
    failure_reason: null,
    metadata: { a: 'b' },
    test_clock: 'clock_1',
  })
  assert.equal(paymentAfter(changes), { ...payment, amount_refunded: 1000, refunded: true })
})

test('the error for a refund that is too large has amounts in the currency of the payment', async () => {
  const messageOf = async (payment: Payment, amount: number) =>
    (await catchDomainError(() => createRefund(payment, { amount }, context))).message
  const inEuro = paid('4242', { amount: 1250, amount_refunded: 1000 })
  assert.match(
    await messageOf(inEuro, 300),
    /^Refund of 3\.00 EUR exceeds the remaining 2\.50 EUR of .+ at most 250,/,
  )
  const inYen = paid('4242', { amount: 1250, amount_refunded: 1250, currency: 'jpy' })
  assert.match(await messageOf(inYen, 1), 'already refunded in full (1250 JPY)')
})

/** refunded before, requested amount, refunded after or error code */
const AMOUNTS = `
  0    1    1
  0    999  999
  0    1000 1000
  0    1001 refund_amount_too_large
  0    -    1000
  999  1    1000
  999  2    refund_amount_too_large
  999  -    1000
  1000 1    payment_already_refunded
  1000 -    payment_already_refunded
`

for (const line of AMOUNTS.trim().split('\n')) {
  const [before = '', asked = '', outcome = ''] = line.trim().split(/\s+/)
  test(`refunding ${asked === '-' ? 'the rest' : asked} of a payment of 1000 after ${before} refunded ${/\D/.test(outcome) ? `throws ${outcome}` : `sets amount_refunded to ${outcome}`}`, async () => {
    const payment = paid('4242', { amount_refunded: Number(before), refunded: before === '1000' })
    const fields = asked === '-' ? {} : { amount: Number(asked) }
    if (/\D/.test(outcome)) {
      const { code, param } = await catchDomainError(() => createRefund(payment, fields, context))
      assert.equal([code, param], [outcome, code === 'refund_amount_too_large' ? 'amount' : 'payment'])
      return
    }
    const after = paymentAfter(createRefund(payment, fields, context).changes)
    assert.equal([after.amount_refunded, after.refunded], [Number(outcome), outcome === '1000'])
  })
}

for (const status of ['processing', 'requires_action', 'failed', 'canceled'] as const) {
  test(`rejects refunding a payment that is ${status}`, async () => {
    const { code, message } = await catchDomainError(() =>
      createRefund(paid('4242', { status }), {}, context),
    )
    assert.is(code, 'payment_not_refundable')
    assert.match(message, new RegExp(`is ${status}, and only succeeded payments`))
  })
}

test('a refund to test card refund_async is pending and succeeds after an hour', () => {
  const { changes, result } = createRefund(paid('7726'), { amount: 400 }, context)
  assert.equal(eventTypesOf(changes), ['refund.created', 'payment.refunded', '-'])
  assert.is(result.status, 'pending')
  assert.equal(changes[2]?.after, {
    id: result.id,
    object: 'timer',
    what: 'refund_succeeds',
    at: START + HOUR,
    test_clock: null,
  })
  const settled = succeedRefund(result)
  assert.is(settled.event, 'refund.updated')
  assert.equal(settled.after, { ...result, status: 'succeeded' })
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

test('a failed refund does not affect other refunds', () => {
  const payment = paid('5126', { amount_refunded: 300 })
  const { changes, result } = createRefund(payment, { amount: 200 }, context)
  assert.is(paymentAfter(failRefund(result, paymentAfter(changes))).amount_refunded, 300)
})

test('the outcome of a refund depends on brand and last4 of the payment', () => {
  const slow = TEST_CARDS.filter(({ refunds }) => refunds !== 'at_once').map(({ alias }) => alias)
  assert.equal(slow, ['refund_async', 'refund_fails'])
  for (const { brand, number, refunds } of TEST_CARDS) {
    assert.is(refundBehaviorOf({ brand, last4: number.slice(-4) }), refunds)
  }
  assert.is(refundBehaviorOf({ brand: 'visa', last4: '9999' }), 'at_once')
})

test.run()
