import { endWait } from './authentications.ts'
import type { Owing } from './billing.ts'
import { finalize } from './billing.ts'
import { type BillingAccount, BillingUnitOfWork } from './billing-unit-of-work.ts'
import { cardFailure, declineRefusal, issuerOfApproved, REJECTED } from './card-reading.ts'
import type { Decision, RuleContext } from './changes.ts'
import { type ChargedCard, collect, endSubscription, endWaiting, recoverIfSettled } from './charge-invoice.ts'
import { isGone } from './customers.ts'
import { DomainError } from './domain-error.ts'
import {
  failInvoicePayment,
  markInvoiceUncollectible,
  payInvoice,
  payOutOfBand,
  voidInvoice,
} from './invoice-collection.ts'
import type { Invoice, InvoiceStatus } from './invoices.ts'
import { type Failure, failPayment, type Payment, succeedPayment } from './payments.ts'
import { requireLive, type Subscription } from './subscriptions.ts'

/** How somebody pays an invoice by hand. */
export interface PaymentByHand {
  /** The card to charge, in place of the subscription's. */
  readonly card: ChargedCard | null
  readonly isOffSession: boolean
  readonly isOutOfBand: boolean
}

/** Ends a subscription at once; its open invoices stay open, but are no longer collected. */
export function cancelNow(account: BillingAccount, context: RuleContext): Decision<Subscription> {
  requireLive(account.subscription, 'cancel')
  const billing = new BillingUnitOfWork(account, context)
  endSubscription(billing, 'requested')
  return { changes: billing.changes, result: billing.subscription }
}

/** Opens a draft under the next number. */
export function finalizeByHand({ account, invoice }: Owing, context: RuleContext): Decision<Invoice> {
  requireState(invoice, 'finalize', ['draft'])
  const billing = new BillingUnitOfWork(account, context)
  finalize(billing, invoice)
  return { changes: billing.changes, result: current(billing, invoice) }
}

/** Pays an open or written-off invoice; a card that is declined leaves its attempt behind and refuses with 402. */
export function payByHand(
  owing: Owing,
  { card, ...how }: PaymentByHand,
  context: RuleContext,
): Decision<Invoice> {
  const { account, invoice, tried } = owing
  requireState(invoice, 'pay', ['open', 'uncollectible'])
  const billing = new BillingUnitOfWork(account, context)
  if (how.isOutOfBand) {
    endWaiting(billing, tried, 'superseded')
    billing.add(payOutOfBand(invoice, context))
    recoverIfSettled(billing)
    return { changes: billing.changes, result: current(billing, invoice) }
  }
  if (isGone(account.customer)) throw noCustomer(invoice)
  const charged = card ?? account.card
  if (charged === null) throw noCard(invoice)
  const collecting = { invoice, tried, card: charged, isAutomatic: false, isOffSession: how.isOffSession }
  const collected = collect(billing, collecting)
  if (collected.kind === 'paid') return { changes: billing.changes, result: current(billing, invoice) }
  return { changes: billing.changes, refusal: declineRefusal(collected.failure, collected.payment) }
}

function noCustomer({ id, customer }: Invoice): DomainError {
  return new DomainError(
    'customer_deleted',
    `Cannot charge a card for invoice '${id}': customer '${customer}' was deleted. Settle it with paid_out_of_band, void it, or mark it uncollectible.`,
  )
}

function noCard({ id, customer }: Invoice): DomainError {
  return new DomainError(
    'payment_method_missing',
    `Invoice '${id}' has no card to charge: customer '${customer}' has no default card. Save one with a checkout session, name another card with payment_method, or give paid_out_of_band.`,
    { param: 'payment_method' },
  )
}

/** Takes an invoice back; an attempt that waits for its buyer is canceled first. */
export function voidByHand({ account, invoice, tried }: Owing, context: RuleContext): Decision<Invoice> {
  requireState(invoice, 'void', ['draft', 'open', 'uncollectible'])
  const billing = new BillingUnitOfWork(account, context)
  endWaiting(billing, tried, 'invoice_voided')
  billing.add(voidInvoice(invoice, context))
  recoverIfSettled(billing)
  return { changes: billing.changes, result: current(billing, invoice) }
}

/** Writes an open invoice off. */
export function writeOffByHand({ account, invoice }: Owing, context: RuleContext): Decision<Invoice> {
  requireState(invoice, 'mark uncollectible', ['open'])
  const billing = new BillingUnitOfWork(account, context)
  billing.add(markInvoiceUncollectible(invoice, context))
  recoverIfSettled(billing)
  return { changes: billing.changes, result: current(billing, invoice) }
}

/** The buyer's answer to 3-D Secure for an invoice: approving lets the issuer decide, rejecting fails the attempt. */
export function answerInvoiceChallenge(
  owing: Owing,
  isApproved: boolean,
  context: RuleContext,
): Decision<Invoice> {
  const { invoice, tried } = owing
  requireState(invoice, 'authenticate a payment of', ['open', 'uncollectible'])
  const { authentication, waitingPayment: payment } = tried
  if (authentication === null || payment === null) throw nothingWaits(invoice)
  const issuer = isApproved ? issuerOfApproved(authentication.card, false, context.now) : REJECTED
  const decision =
    issuer.kind === 'decline'
      ? failApproved(owing, { payment, failure: cardFailure(issuer) }, context)
      : payApproved(owing, payment, context)
  return { ...decision, changes: [...endWait(authentication), ...decision.changes] }
}

function nothingWaits({ id }: Invoice): DomainError {
  return new DomainError(
    'invoice_unexpected_state',
    `No 3-D Secure authentication is waiting for invoice '${id}'. Begin one with POST /v1/invoices/${id}/pay with {"off_session":false} and a card that asks for it.`,
  )
}

/** The buyer approved the charge of an invoice, and the issuer answered. */
export function payApproved(
  { account, invoice }: Owing,
  payment: Payment,
  context: RuleContext,
): Decision<Invoice> {
  const billing = new BillingUnitOfWork(account, context)
  const attempt = { isAutomatic: false, payment: payment.id }
  billing.add(succeedPayment(payment, {}, context), payInvoice(invoice, attempt, context))
  recoverIfSettled(billing)
  return { changes: billing.changes, result: current(billing, invoice) }
}

/** The buyer, or the issuer after an approval, said no to the charge of an invoice. */
export function failApproved(
  { account, invoice }: Owing,
  refused: { readonly payment: Payment; readonly failure: Failure },
  context: RuleContext,
): Decision<Invoice> {
  const billing = new BillingUnitOfWork(account, context)
  const failed = failPayment(refused.payment, refused.failure, context)
  const { code, decline_code, message } = refused.failure
  const attempt = { isAutomatic: false, payment: refused.payment.id }
  const error = { code, decline_code, message }
  billing.add(failed, failInvoicePayment(invoice, { ...attempt, error, next: invoice.next_payment_attempt }))
  return { changes: billing.changes, refusal: declineRefusal(refused.failure, failed.after) }
}

function current(billing: BillingUnitOfWork, { id }: Invoice): Invoice {
  const found = billing.invoices.find((invoice) => invoice.id === id)
  if (found === undefined) throw new Error(`invoice ${id} is not in the billing`)
  return found
}

function requireState(invoice: Invoice, action: string, allowed: readonly InvoiceStatus[]): void {
  if (allowed.includes(invoice.status)) return
  const states = allowed.join(' or ')
  throw new DomainError(
    'invoice_unexpected_state',
    `Cannot ${action} invoice '${invoice.id}': it is ${invoice.status}, and only an invoice that is ${states} can be. Look at it with GET /v1/invoices/${invoice.id}.`,
  )
}
