import type { InvoiceActionRecords } from '../billing/billing-cycle.ts'
import { BillingUnitOfWork } from '../billing/billing-unit-of-work.ts'
import { applyDunning, recoverUnlessPastDue } from '../billing/charge-invoice.ts'
import { markInvoicePaid, markInvoicePaymentFailed } from '../billing/invoice-transitions.ts'
import type { Change, RuleContext } from '../core/changes.ts'
import { findNextAttemptTime } from '../core/dunning.ts'
import { findDebitFailure } from '../payments/debits.ts'
import { failPayment, type PaymentFailure, succeedPayment } from '../payments/payments.ts'
import { endSessionDebit } from '../sessions/payment-sessions.ts'
import type { PaymentWithSession } from './payment-capture.ts'

/** A debit without an outcome, with the payment session or the invoice that the debit pays. */
export interface DebitRecords extends PaymentWithSession {
  readonly owed: InvoiceActionRecords | null
}

/** Ends a debit at its outcome: first the payment succeeds or fails, then its invoice or payment session. */
export function settleDebit({ payment, session, owed }: DebitRecords, context: RuleContext): Change[] {
  const failure = findDebitFailure(payment, context)
  const settled =
    failure === null ? succeedPayment(payment, {}, context) : failPayment(payment, failure, context)
  return [
    settled,
    ...(owed === null ? [] : settleInvoiceDebit(owed, { payment: payment.id, failure }, context)),
    ...(session === null ? [] : [endSessionDebit(session, failure === null)]),
  ]
}

/**
 * Applies the outcome of a debit to its invoice: paid, or failed with the next automatic attempt counted from now. The
 * attempt was counted when the debit was submitted. `failure` is null after a success.
 */
function settleInvoiceDebit(
  { account, invoice }: InvoiceActionRecords,
  { payment, failure }: { readonly payment: string; readonly failure: PaymentFailure | null },
  context: RuleContext,
): readonly Change[] {
  const billing = new BillingUnitOfWork(account, context)
  const attempt = { isAutomatic: false, payment }
  if (failure === null) {
    billing.add(markInvoicePaid(invoice, attempt, context))
    recoverUnlessPastDue(billing)
    return billing.changes
  }
  const isRetried = invoice.auto_advance && invoice.collection_method === 'charge_automatically'
  const next = isRetried ? findNextAttemptTime(context.dunning, invoice.attempt_count, context.now) : null
  billing.add(markInvoicePaymentFailed(invoice, { ...attempt, error: failure, next }))
  if (isRetried) applyDunning(billing, next)
  return billing.changes
}
