import type { ObjectUpdate } from '../../../src/domain/core/changes.ts'
import {
  cancelPayment,
  createPayment,
  failPayment,
  type Payment,
  requirePaymentAuthentication,
  succeedPayment,
} from '../../../src/domain/payments/payments.ts'
import { aPayment, VISA } from '../../support/domain-samples.ts'
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

const FIELDS = `id object created livemode status amount amount_capturable amount_captured currency amount_refunded
  refunded amount_disputed disputed capture_method capture_before customer payment_method
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
    sepa_debit: null,
  })
})

test('each final payment status sets only its own timestamp', () => {
  const times = ({ after }: ObjectUpdate<Payment>) => [after.succeeded_at, after.failed_at, after.canceled_at]
  const payment = aPayment(context)
  assert.equal(times(succeedPayment(payment, {}, context)), [START, null, null])
  assert.equal(times(failPayment(payment, DECLINE, context)), [null, START, null])
  assert.equal(times(cancelPayment(payment, 'x', context)), [null, null, START])
  assert.equal(times(requirePaymentAuthentication(payment, context)), [null, null, null])
})

test('a payment that requires action links to its 3-D Secure page below the checkout URL', () => {
  const { after } = requirePaymentAuthentication(aPayment(context), context)
  assert.equal(after.next_action, {
    type: 'redirect_to_url',
    redirect_to_url: { url: `${CHECKOUT_URL}/3ds/${after.id}` },
  })
  assert.equal(after.outcome, { retryable: false, advice: 'authenticate' })
})

test.run()
