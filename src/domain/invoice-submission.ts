import type { InvoiceRecords } from './billing-cycle.ts'
import { resolveTestCard } from './card-authorization.ts'
import type { Decision, RuleContext } from './changes.ts'
import { enforceDeclineLimit, recordDecline } from './decline-limit.ts'
import { DomainError } from './domain-error.ts'
import { payInvoice } from './invoice-actions.ts'
import type { EnteredCard } from './session-submission.ts'

/** The invoice is paid, or the cardholder must authenticate the payment with the id `target`. */
export type InvoiceSubmissionResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'authenticate'; readonly target: string }

/** Pays an invoice with an entered card, which is charged once and not saved. */
export function submitInvoicePayment(
  records: InvoiceRecords,
  entered: EnteredCard,
  context: RuleContext,
): Decision<InvoiceSubmissionResult> {
  const { invoice, history } = records
  const { declineLog } = history
  const payments = history.payments.filter(({ status, off_session }) => status === 'failed' && !off_session)
  enforceDeclineLimit({ payments, declineLog }, { now: context.now, test_clock: invoice.test_clock })
  const submission = resolveTestCard(entered, false, context)
  if (submission instanceof DomainError) {
    return { changes: [recordDecline(declineLog, invoice.id, context)], error: submission }
  }
  const { card, name } = submission
  const charged = { id: null, card, billing_details: { name } }
  const decision = payInvoice(records, { card: charged, isOffSession: false, isOutOfBand: false }, context)
  if ('result' in decision) return { changes: decision.changes, result: { kind: 'done' } }
  const { code, details } = decision.error
  // The cardholder is present and can authenticate, so this decline is not final.
  if (code !== 'authentication_required' || !details.payment) return decision
  return { changes: decision.changes, result: { kind: 'authenticate', target: details.payment.id } }
}
