import type { Change, RuleContext } from '../core/changes.ts'
import { findNextAttemptTime } from '../core/dunning.ts'
import type { PaymentFailure } from '../payments/payments.ts'
import type { InvoiceActionRecords } from './billing-cycle.ts'
import { BillingUnitOfWork } from './billing-unit-of-work.ts'
import { applyDunning, recoverUnlessPastDue } from './charge-invoice.ts'
import { markInvoicePaid, markInvoicePaymentFailed } from './invoice-transitions.ts'

/**
 * Applies the outcome of a debit to its invoice: paid, or failed with the next automatic attempt counted from now. The
 * attempt was counted when the debit was submitted. `failure` is null after a success.
 */
export function settleInvoiceDebit(
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
