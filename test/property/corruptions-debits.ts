import type { Payment } from '../../src/domain/payments/payments.ts'
import { type Corruption, first, type Records } from './corruptions.ts'

/** Corruptions for the invariants of direct debits. */
export const DEBIT_CORRUPTIONS: readonly Corruption[] = [
  [
    'P13',
    'a session whose debit has no outcome, but is paid',
    (records) => (debitedSession(records).payment_status = 'paid'),
  ],
  ['P13', 'a complete session of another debit', (records) => (debitedSession(records).payment = 'py_1')],
  ['P56', 'a debit that succeeded too early', (records) => (debitOf(records, 'succeeded').succeeded_at = 1)],
  [
    'P56',
    'a debit that waits for authentication',
    (records) => (debitOf(records).status = 'requires_action'),
  ],
  ['P56', 'a debit that is reserved', (records) => (debitOf(records).capture_method = 'manual')],
  ['P56', 'a debit without an outcome after seven days', (_records, draft) => (draft.now += 7 * 86_400)],
  [
    'P56',
    'a retry while a debit has no outcome',
    (records) => (debitedInvoice(records).next_payment_attempt = 1e10),
  ],
  ['P56', 'a void invoice with a debit', (records) => (debitedInvoice(records).status = 'void')],
  [
    'P56',
    'an invoice with another latest payment',
    (records) => (debitedInvoice(records).latest_payment = null),
  ],
  [
    'P56',
    'two debits of an invoice',
    (records) => records.payments.push({ ...debitOf(records, 'processing', isOfInvoice), id: 'py_1' }),
  ],
]

const isOfInvoice = ({ invoice }: Payment) => invoice !== null

function debitOf(
  { payments }: Records,
  status: Payment['status'] = 'processing',
  isFitting = (_: Payment) => true,
) {
  return first(
    payments,
    (one) => one.status === status && one.payment_method_details.sepa_debit !== null && isFitting(one),
  )
}

function debitedInvoice(records: Records) {
  const { invoice } = debitOf(records, 'processing', isOfInvoice)
  return first(records.invoices, ({ id }) => id === invoice)
}

function debitedSession(records: Records) {
  const { payment_session } = debitOf(records, 'processing', (one) => one.payment_session !== null)
  return first(records.payment_sessions, ({ id }) => id === payment_session)
}
