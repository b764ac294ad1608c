import type { Owing } from './billing.ts'
import { readCard } from './card-reading.ts'
import type { EnteredCard } from './card-submission.ts'
import type { Decision, RuleContext } from './changes.ts'
import { noteDecline, refuseTooManyDeclines } from './decline-limit.ts'
import { DomainError } from './domain-error.ts'
import { payByHand } from './invoice-handling.ts'

/** The invoice is paid, or its buyer is asked to authenticate the payment of that id. */
export type InvoiceSubmitted =
  | { readonly kind: 'done' }
  | { readonly kind: 'authenticate'; readonly target: string }

/** Pays an invoice with a card its buyer typed in, which is charged this once and not saved. */
export function payByEnteredCard(
  owing: Owing,
  entered: EnteredCard,
  context: RuleContext,
): Decision<InvoiceSubmitted> {
  const { invoice, tried } = owing
  const { traceless } = tried
  const payments = tried.payments.filter(({ status, off_session }) => status === 'failed' && !off_session)
  refuseTooManyDeclines({ payments, traceless }, { now: context.now, test_clock: invoice.test_clock })
  const read = readCard(entered, false, context)
  if (read instanceof DomainError) {
    return { changes: [noteDecline(traceless, invoice.id, context)], refusal: read }
  }
  const { card, name } = read
  const charged = { id: null, card, billing_details: { name } }
  const decision = payByHand(owing, { card: charged, isOffSession: false, isOutOfBand: false }, context)
  if ('result' in decision) return { changes: decision.changes, result: { kind: 'done' } }
  const { code, details } = decision.refusal
  // With the buyer present, asking to authenticate is no end but a step.
  const isAsked = code === 'authentication_required' && details.payment
  if (!isAsked) return decision
  return { changes: decision.changes, result: { kind: 'authenticate', target: isAsked.id } }
}
