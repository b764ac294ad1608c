import type { Owing } from './billing.ts'
import { readCard } from './card-reading.ts'
import { type EnteredCard, refuseTooManyDeclines } from './card-submission.ts'
import type { Decision, World } from './changes.ts'
import { payByHand } from './invoice-handling.ts'

/** The invoice is paid, or its buyer is asked to authenticate the payment of that id. */
export type InvoiceSubmitted =
  | { readonly kind: 'done' }
  | { readonly kind: 'authenticate'; readonly target: string }

/** Pays an invoice with a card its buyer typed in, which is charged this once and not saved. */
export function payByEnteredCard(
  owing: Owing,
  entered: EnteredCard,
  world: World,
): Decision<InvoiceSubmitted> {
  const tries = owing.tried.payments.filter(({ status, off_session }) => status === 'failed' && !off_session)
  refuseTooManyDeclines(tries, { now: world.now, test_clock: owing.invoice.test_clock })
  const { card, name } = readCard(entered, false, world)
  const charged = { id: null, card, billing_details: { name } }
  const decision = payByHand(owing, { card: charged, isOffSession: false, isOutOfBand: false }, world)
  if ('result' in decision) return { changes: decision.changes, result: { kind: 'done' } }
  const { code, details } = decision.refusal
  // With the buyer present, asking to authenticate is no end but a step.
  const isAsked = code === 'authentication_required' && details.payment
  if (!isAsked) return decision
  return { changes: decision.changes, result: { kind: 'authenticate', target: isAsked.id } }
}
