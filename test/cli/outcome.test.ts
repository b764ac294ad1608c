import { nextStep, outcomeOf } from '../../src/cli/outcome.ts'
import type { CheckoutSession } from '../../src/domain/checkout-sessions.ts'
import type { PaymentSession } from '../../src/domain/payment-sessions.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('cli/outcome')

const CHECKOUT = {
  object: 'checkout_session',
  amount_total: 120000,
  currency: 'eur',
  subscription: 'sub_1',
  invoice: 'in_1',
}

const SAID: readonly (readonly [session: object, words: string])[] = [
  [{ ...CHECKOUT, payment_status: 'paid' }, 'Paid 1200.00 EUR: subscription sub_1, invoice in_1.'],
  [{ ...CHECKOUT, payment_status: 'unpaid' }, 'Nothing charged: subscription sub_1; invoice in_1 was sent.'],
  [{ ...CHECKOUT, payment_status: 'no_payment_required' }, 'Nothing to pay now: subscription sub_1.'],
  [
    { object: 'payment_session', amount: 1250, currency: 'jpy', payment: 'py_1' },
    'Paid 1250 JPY: payment py_1.',
  ],
]

for (const [session, words] of SAID) {
  test(words, () => assert.is(outcomeOf(session as CheckoutSession | PaymentSession), words))
}

test('a new session leads to its page and to the way around it', () => {
  assert.match(
    nextStep({ id: 'cks_1' }, 'checkout'),
    /paycli checkout open cks_1 .*paycli checkout complete cks_1 --card visa/,
  )
})

test.run()
