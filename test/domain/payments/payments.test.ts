import type { Mutation } from '../../../src/domain/core/changes.ts'
import {
  cancelPayment,
  cancelUnauthenticatedPayment,
  challengePayment,
  createPayment,
  failPayment,
  isPendingPayment,
  type Payment,
  type PaymentStatus,
  succeedPayment,
} from '../../../src/domain/payments/payments.ts'
import { aPayment, eventTypesOf, VISA } from '../../support/domain-samples.ts'
import { CHECKOUT_URL, createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/payments/payments')

const context = createRuleContext()
const DECLINE = {
  code: 'card_declined',
  decline_code: 'lost_card',
  message: 'Your card was declined.',
  retryable: false,
  advice: 'do_not_retry',
} as const
const REJECTION = { ...DECLINE, code: 'authentication_failed', decline_code: null }

const FIELDS = `id object created livemode status amount currency amount_refunded refunded customer payment_method
  invoice checkout_session payment_session origin description off_session payment_method_details next_action failure_code decline_code
  failure_message outcome succeeded_at failed_at canceled_at canceled_reason metadata test_clock`

test('creates a processing payment with all fields in order', () => {
  const { event, before, after } = createPayment(
    {
      id: 'py_1',
      amount: 500,
      currency: 'jpy',
      customer: 'cus_1',
      payment_method: 'pm_1',
      invoice: 'in_1',
      checkout_session: 'cks_1',
      payment_session: null,
      off_session: true,
      test_clock: null,
      card: VISA,
    },
    context,
  )
  assert.equal([event, before, after.status, after.created], ['payment.created', null, 'processing', START])
  assert.is(Object.keys(after).join(' '), FIELDS.split(/\s+/).join(' '))
  assert.equal(
    [after.outcome, after.amount_refunded, after.refunded, after.next_action],
    [{ retryable: false, advice: null }, 0, false, null],
  )
  assert.equal(after.payment_method_details, {
    type: 'card',
    card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2031, three_d_secure: null, wallet: null },
  })
})

/** status before, transition, status after, three_d_secure, event */
const TABLE = `
  processing       succeed    succeeded        null           payment.succeeded
  processing       decline    failed           null           payment.failed
  processing       reject     failed           null           payment.failed
  processing       challenge  requires_action  null           payment.requires_action
  processing       cancel     canceled         null           payment.canceled
  requires_action  succeed    succeeded        authenticated  payment.succeeded
  requires_action  decline    failed           authenticated  payment.failed
  requires_action  reject     failed           failed         payment.failed
  requires_action  cancel     canceled         null           payment.canceled
`

const MOVES: Readonly<Record<string, (payment: Payment) => Mutation<Payment>>> = {
  succeed: (payment) => succeedPayment(payment, {}, context),
  decline: (payment) => failPayment(payment, DECLINE, context),
  reject: (payment) => failPayment(payment, REJECTION, context),
  challenge: (payment) => challengePayment(payment, context),
  cancel: (payment) => cancelPayment(payment, 'superseded', context),
}

for (const line of TABLE.trim().split('\n')) {
  const [from = '', move = '', to = '', secure = '', event = ''] = line.trim().split(/\s+/)
  test(`the transition ${move} changes a payment from ${from} to ${to}`, () => {
    const processing = aPayment(context)
    const payment = from === 'processing' ? processing : challengePayment(processing, context).after
    const change = MOVES[move]?.(payment)
    assert.equal([change?.event, change?.before, change?.after.status], [event, payment, to])
    assert.is(String(change?.after.payment_method_details.card.three_d_secure), secure)
    assert.is(change?.after.next_action === null, to !== 'requires_action')
  })
}

test('each final payment status sets only its own timestamp', () => {
  const times = ({ after }: Mutation<Payment>) => [after.succeeded_at, after.failed_at, after.canceled_at]
  const payment = aPayment(context)
  assert.equal(times(succeedPayment(payment, {}, context)), [START, null, null])
  assert.equal(times(failPayment(payment, DECLINE, context)), [null, START, null])
  assert.equal(times(cancelPayment(payment, 'x', context)), [null, null, START])
  assert.equal(times(challengePayment(payment, context)), [null, null, null])
})

test('a failed payment has the codes, message and advice of the failure', () => {
  const { after } = failPayment(aPayment(context), DECLINE, context)
  assert.equal(
    [after.failure_code, after.decline_code, after.failure_message],
    ['card_declined', 'lost_card', 'Your card was declined.'],
  )
  assert.equal(after.outcome, { retryable: false, advice: 'do_not_retry' })
})

test('a payment that requires action links to its 3-D Secure page below the checkout URL', () => {
  const { after } = challengePayment(aPayment(context), context)
  assert.equal(after.next_action, {
    type: 'redirect_to_url',
    redirect_to_url: { url: `${CHECKOUT_URL}/3ds/${after.id}` },
  })
  assert.equal(after.outcome, { retryable: false, advice: 'authenticate' })
})

test('a succeeded payment links to the invoice and card', () => {
  const links = { invoice: 'in_1', payment_method: 'pm_1' }
  const { after } = succeedPayment(aPayment(context), links, context)
  assert.equal([after.invoice, after.payment_method], ['in_1', 'pm_1'])
})

test('cancels only the payments that require action', () => {
  const statuses: PaymentStatus[] = ['processing', 'requires_action', 'succeeded', 'failed', 'canceled']
  for (const status of statuses) {
    const payment = aPayment(context, { status })
    const isWaiting = status === 'processing' || status === 'requires_action'
    assert.is(isPendingPayment(payment), isWaiting)
    const canceled = status === 'requires_action' ? ['payment.canceled'] : []
    assert.equal(eventTypesOf(cancelUnauthenticatedPayment(payment, 'superseded', context)), canceled)
  }
  assert.equal(cancelUnauthenticatedPayment(null, 'superseded', context), [])
})

test.run()
