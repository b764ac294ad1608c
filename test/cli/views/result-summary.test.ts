import {
  formatSessionNote,
  summarizePaidInvoice,
  summarizeRefund,
  summarizeSession,
} from '../../../src/cli/views/result-summary.ts'
import type { Invoice } from '../../../src/domain/billing/invoices.ts'
import type { CardSession } from '../../../src/domain/completion/card-sessions.ts'
import type { Refund } from '../../../src/domain/payments/refunds.ts'
import type { CheckoutSession } from '../../../src/domain/sessions/checkout-sessions.ts'
import type { PaymentSession } from '../../../src/domain/sessions/payment-sessions.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/result-summary')

const CHECKOUT = {
  status: 'complete',
  object: 'checkout_session',
  amount_total: 120000,
  currency: 'eur',
  subscription: 'sub_1',
  invoice: 'in_1',
}

const SESSION = {
  object: 'payment_session',
  status: 'complete',
  amount: 1250,
  currency: 'jpy',
  payment: 'py_1',
}

const SUMMARIES: readonly (readonly [session: object, summary: string])[] = [
  [{ ...CHECKOUT, payment_status: 'paid' }, 'Paid invoice in_1 of 1200.00 EUR: subscription sub_1.'],
  [{ ...CHECKOUT, payment_status: 'unpaid' }, 'Nothing charged: subscription sub_1; invoice in_1 was sent.'],
  [
    { ...CHECKOUT, payment_status: 'unpaid', payment: 'py_1' },
    'Debits 1200.00 EUR. The outcome of payment py_1 is known in some days. It starts subscription sub_1.',
  ],
  [{ ...CHECKOUT, payment_status: 'no_payment_required' }, 'Nothing to pay now: subscription sub_1.'],
  [{ ...SESSION, payment_status: 'paid' }, 'Paid 1250 JPY: payment py_1.'],
  [
    { ...SESSION, payment_status: 'unpaid', capture_method: 'automatic' },
    'Debits 1250 JPY. The outcome of payment py_1 is known in some days.',
  ],
  [{ ...SESSION, payment_status: 'unpaid' }, 'Reserved 1250 JPY. Capture it: paycli payments capture py_1'],
]

for (const [session, summary] of SUMMARIES) {
  test(`summarizes a completed session as '${summary}'`, () =>
    assert.is(summarizeSession(session as CheckoutSession | PaymentSession), summary))
}

test('returns no summary for an open session', () => {
  for (const object of ['checkout_session', 'payment_session']) {
    const session = { ...CHECKOUT, object, status: 'open', payment_status: 'unpaid' }
    assert.is(summarizeSession(session as CheckoutSession | PaymentSession), null)
  }
})

test('suggests the next commands for an open session, and summarizes a completed session', () => {
  const note = (status: string) =>
    formatSessionNote(
      { ...CHECKOUT, id: 'cks_1', status, payment_status: 'paid' } as CheckoutSession,
      'checkout',
    )
  assert.match(
    note('open') ?? '',
    /paycli checkout open cks_1\n {2}paycli checkout complete cks_1 --card visa/,
  )
  assert.match(note('complete') ?? '', 'Paid invoice in_1 of 1200.00 EUR')
  assert.is(note('expired'), null)
})

test('suggests entering a card for an open card session, and names the card of a completed card session', () => {
  const note = (status: string) =>
    formatSessionNote(
      { object: 'card_session', id: 'cd_sess_1', status, payment_method: 'pm_1' } as CardSession,
      'card-sessions',
    )
  assert.match(note('open') ?? '', 'enter a card without a browser')
  assert.match(note('open') ?? '', 'paycli card-sessions complete cd_sess_1 --card visa')
  assert.is(note('complete'), 'Saved the new card pm_1.')
})

test('summarizes an invoice paid by a payment or out of band', () => {
  const invoice = {
    amount_due: 1250,
    currency: 'eur',
    number: 'INV-000001',
    latest_payment: 'py_1',
  } as Invoice
  assert.is(summarizePaidInvoice(invoice), 'Paid 12.50 EUR: invoice INV-000001 is settled by payment py_1.')
  assert.match(
    summarizePaidInvoice({ ...invoice, paid_out_of_band: true }),
    'settled out of band, without a payment.',
  )
})

test('summarizes a refund with its amount and status', () => {
  const refund = { id: 're_1', amount: 1250, currency: 'eur', status: 'succeeded' } as Refund
  assert.is(summarizeRefund(refund), 'Refund re_1 of 12.50 EUR is succeeded.')
  assert.match(summarizeRefund({ ...refund, status: 'pending' }), 'Refund re_1 of 12.50 EUR is pending.')
})

test.run()
