import type { InvoiceActionRecords } from '../billing/billing-cycle.ts'
import { payInvoice } from '../billing/invoice-actions.ts'
import type { Invoice } from '../billing/invoices.ts'
import type { Decision, RuleContext } from '../core/changes.ts'
import { DomainError } from '../core/domain-error.ts'
import { resolveTestCard } from '../payments/card-authorization.ts'
import { enforceDeclineLimit, recordPaymentlessDecline } from '../payments/decline-limit.ts'
import type { EnteredPaymentMethod } from './session-submission.ts'

/** The result of paying an invoice: paid, or an authentication by the cardholder of the payment with the id `target`. */
export type InvoiceSubmissionResult =
  | { readonly kind: 'done'; readonly invoice: Invoice }
  | { readonly kind: 'authenticate'; readonly target: string }

/**
 * Pays an invoice with an entered card. With `keep`, the card is saved and becomes the card of the subscription if its
 * issuer approves the charge.
 */
export function submitInvoicePayment(
  records: InvoiceActionRecords,
  { card: entered, keep }: { readonly card: EnteredPaymentMethod; readonly keep: boolean },
  context: RuleContext,
): Decision<InvoiceSubmissionResult> {
  const { invoice, history } = records
  const { declineLog } = history
  const payments = history.payments.filter(({ status, off_session }) => status === 'failed' && !off_session)
  enforceDeclineLimit(payments, declineLog, { now: context.now, test_clock: invoice.test_clock })
  const submission = resolveTestCard(entered, context)
  if (submission instanceof DomainError) {
    return { changes: [recordPaymentlessDecline(declineLog, invoice.id, context)], error: submission }
  }
  const { card, name } = submission
  const charged = { id: null, card, sepa_debit: null, billing_details: { name } }
  const options = { card: charged, isOffSession: false, isOutOfBand: false, isKept: keep }
  const decision = payInvoice(records, options, context)
  if ('result' in decision)
    return { changes: decision.changes, result: { kind: 'done', invoice: decision.result } }
  const { code, details } = decision.error
  // The cardholder is present and can authenticate, so this decline is not final.
  if (code !== 'authentication_required' || !details.payment) return decision
  return { changes: decision.changes, result: { kind: 'authenticate', target: details.payment.id } }
}
