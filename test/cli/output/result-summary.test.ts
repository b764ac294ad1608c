import {
  outcomeOf,
  refundOutcome,
  sessionNote,
  settlementOf,
} from '../../../src/cli/output/result-summary.ts'
import type { CheckoutSession } from '../../../src/domain/checkout-sessions.ts'
import type { Invoice } from '../../../src/domain/invoices.ts'
import type { PaymentSession } from '../../../src/domain/payment-sessions.ts'
import type { Refund } from '../../../src/domain/refunds.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/outcome')

const CHECKOUT = {
  status: 'complete',
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
    { object: 'payment_session', status: 'complete', amount: 1250, currency: 'jpy', payment: 'py_1' },
    'Paid 1250 JPY: payment py_1.',
  ],
]

for (const [session, words] of SAID) {
  test(words, () => assert.is(outcomeOf(session as CheckoutSession | PaymentSession), words))
}

test('a session that is still open has no outcome yet', () => {
  for (const object of ['checkout_session', 'payment_session']) {
    const session = { ...CHECKOUT, object, status: 'open', payment_status: 'unpaid' }
    assert.is(outcomeOf(session as CheckoutSession | PaymentSession), null)
  }
})

test('a new session leads to its page and to the way around it, one that has ended to nothing', () => {
  const note = (status: string) =>
    sessionNote({ ...CHECKOUT, id: 'cks_1', status, payment_status: 'paid' } as CheckoutSession, 'checkout')
  assert.match(note('open') ?? '', /paycli checkout open cks_1 .*paycli checkout complete cks_1 --card visa/)
  assert.match(note('complete') ?? '', 'Paid 1200.00 EUR')
  assert.is(note('expired'), null)
})

test('an invoice was settled by a payment, or elsewhere', () => {
  const invoice = { total: 1250, currency: 'eur', number: 'INV-000001', latest_payment: 'py_1' } as Invoice
  assert.is(settlementOf(invoice), 'Paid 12.50 EUR: invoice INV-000001 is settled by payment py_1.')
  assert.match(settlementOf({ ...invoice, paid_out_of_band: true }), 'settled elsewhere, without a payment.')
})

test('a refund was given back, or is on its way', () => {
  const refund = { id: 're_1', amount: 1250, currency: 'eur', status: 'succeeded' } as Refund
  assert.is(refundOutcome(refund), '12.50 EUR given back: refund re_1 is succeeded.')
  assert.match(refundOutcome({ ...refund, status: 'pending' }), '12.50 EUR on its way back: refund re_1')
})

test.run()
