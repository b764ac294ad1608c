import { type Decision, isDeleted, type RuleContext } from '../core/changes.ts'
import { DomainError, requireStatus } from '../core/domain-error.ts'
import { removeAuthentication } from '../payments/authentications.ts'
import {
  createDeclineError,
  getDecisionAfterAuthentication,
  toPaymentFailure,
} from '../payments/card-authorization.ts'
import { createBalanceChange } from '../payments/credit-balance.ts'
import { isPaymentProcessing, requireNotProcessing } from '../payments/payment-processing.ts'
import { failPayment, succeedPayment } from '../payments/payments.ts'
import { addProrations } from './apply-subscription-change.ts'
import { finalizeAndCollect, type InvoiceActionRecords } from './billing-cycle.ts'
import { BillingUnitOfWork } from './billing-unit-of-work.ts'
import {
  type ChargeableInstrument,
  type CollectionHistory,
  cancelUnauthenticatedAttempt,
  chargeInvoice,
  recoverUnlessPastDue,
  saveEnteredCard,
} from './charge-invoice.ts'
import { type CreditableLine, createCreditCorrections } from './credit-corrections.ts'
import type { InvoiceItem } from './invoice-items.ts'
import {
  markInvoicePaid,
  markInvoicePaidOutOfBand,
  markInvoicePaymentFailed,
  markInvoiceUncollectible,
  markInvoiceVoid,
} from './invoice-transitions.ts'
import type { Invoice } from './invoices.ts'
import { isLiveSubscription, type Subscription } from './subscriptions.ts'

export interface PayInvoiceOptions {
  /** The card to charge, or null for the subscription's card. */
  readonly card: ChargeableInstrument | null
  readonly isOffSession: boolean
  readonly isOutOfBand: boolean
  /** Whether an entered card is saved and becomes the card of the subscription if this card pays the invoice. */
  readonly isKept?: boolean
}

/**
 * Finalizes a draft, which gets the next invoice number and becomes open. With `auto_advance`, the card is charged
 * immediately unless the collection method is `send_invoice`. A decline is not an error, because the retry schedule
 * continues.
 */
export function finalizeInvoice(
  { account, invoice }: InvoiceActionRecords,
  { auto_advance: autoAdvance = invoice.auto_advance }: Partial<Pick<Invoice, 'auto_advance'>>,
  context: RuleContext,
): Decision<Invoice> {
  requireStatus(invoice, ['draft'], 'finalize')
  if (autoAdvance) requireCollected(account.subscription, invoice)
  const billing = new BillingUnitOfWork(account, context)
  finalizeAndCollect(billing, invoice, autoAdvance)
  return { changes: billing.changes, result: current(billing, invoice) }
}

function requireCollected(subscription: Subscription, { id }: Invoice): void {
  if (isLiveSubscription(subscription)) return
  throw new DomainError(
    'subscription_unexpected_state',
    `Cannot collect invoice '${id}' automatically: subscription '${subscription.id}' is canceled. Finalize the invoice without auto_advance and pay it with POST /v1/invoices/${id}/pay.`,
    { param: 'auto_advance' },
  )
}

/** Throws unless the invoice is open or uncollectible and its customer exists. */
export function requirePayableInvoice({
  account,
  invoice,
}: Pick<InvoiceActionRecords, 'account' | 'invoice'>): void {
  requireStatus(invoice, ['open', 'uncollectible'], 'pay')
  if (isDeleted(account.customer)) throw customerDeletedError(invoice)
}

/** Pays an open or uncollectible invoice. On a decline, stores the failed payment and returns a 402 error. */
export function payInvoice(
  { account, invoice, history }: InvoiceActionRecords,
  { card, isOffSession, isOutOfBand, isKept = false }: PayInvoiceOptions,
  context: RuleContext,
): Decision<Invoice> {
  requireStatus(invoice, ['open', 'uncollectible'], 'pay')
  requireNoDebit(invoice, history, 'pay')
  const billing = new BillingUnitOfWork(account, context)
  if (isOutOfBand) {
    cancelUnauthenticatedAttempt(billing, history, 'superseded')
    billing.add(markInvoicePaidOutOfBand(invoice, context))
    recoverUnlessPastDue(billing)
    return { changes: billing.changes, result: current(billing, invoice) }
  }
  if (isDeleted(account.customer)) throw customerDeletedError(invoice)
  const charged = card ?? account.card
  if (charged === null) throw cardMissingError(invoice)
  const attempt = { invoice, history, card: charged, isAutomatic: false, isOffSession, isKept }
  const result = chargeInvoice(billing, attempt)
  if (result.kind === 'failed')
    return { changes: billing.changes, error: createDeclineError(result.failure, result.payment) }
  return { changes: billing.changes, result: current(billing, invoice) }
}

function customerDeletedError({ id, customer }: Invoice): DomainError {
  return new DomainError(
    'customer_deleted',
    `Cannot charge a card for invoice '${id}': customer '${customer}' was deleted. Pay the invoice with paid_out_of_band, void it, or mark it uncollectible.`,
  )
}

function cardMissingError({ id, customer }: Invoice): DomainError {
  return new DomainError(
    'payment_method_missing',
    `Cannot pay invoice '${id}': customer '${customer}' has no default card. Save a card with a checkout session, pass a saved card as payment_method, or set paid_out_of_band.`,
    { param: 'payment_method' },
  )
}

/** An invoice with the records that a void requires. */
export interface VoidInvoiceRecords extends InvoiceActionRecords {
  /** The lines that were billed in the periods of the invoice, oldest first. */
  readonly billed: readonly CreditableLine[]
  /** The customer's pending invoice items, for all subscriptions. */
  readonly customerItems: readonly InvoiceItem[]
}

/**
 * Voids an invoice and cancels its payment that requires authentication. The next invoice reverses later credits for
 * the lines of the void invoice, and repeats the credits that the void invoice contained.
 */
export function voidInvoice(records: VoidInvoiceRecords, context: RuleContext): Decision<Invoice> {
  const { account, invoice, history, billed } = records
  requireStatus(invoice, ['draft', 'open', 'uncollectible'], 'void')
  requireNoDebit(invoice, history, 'void')
  const billing = new BillingUnitOfWork(account, context)
  cancelUnauthenticatedAttempt(billing, history, 'invoice_voided')
  billing.add(
    markInvoiceVoid(invoice, context),
    ...createBalanceChange(account.customer, invoice.currency, -invoice.balance_applied),
  )
  // A deleted customer has no credit and gets no further invoice.
  const corrections = isDeleted(account.customer) ? [] : createCreditCorrections(billed, invoice.id)
  if (corrections.length > 0) {
    if (!isLiveSubscription(account.subscription)) throw creditedError(invoice)
    addProrations(billing, corrections, records)
  }
  recoverUnlessPastDue(billing)
  return { changes: billing.changes, result: current(billing, invoice) }
}

function creditedError({ id, status, subscription }: Invoice): DomainError {
  const fix = status === 'draft' ? 'Finalize it and mark it' : 'Mark it'
  return new DomainError(
    'invoice_unexpected_state',
    `Cannot void invoice '${id}': later changes are based on this invoice, and canceled subscription '${subscription}' has no next invoice to correct the changes. ${fix} as uncollectible instead.`,
  )
}

/** Marks an open invoice as uncollectible. */
export function writeOffInvoice(
  { account, invoice, history }: InvoiceActionRecords,
  context: RuleContext,
): Decision<Invoice> {
  requireStatus(invoice, ['open'], 'mark uncollectible')
  requireNoDebit(invoice, history, 'mark uncollectible')
  const billing = new BillingUnitOfWork(account, context)
  billing.add(markInvoiceUncollectible(invoice, context))
  recoverUnlessPastDue(billing)
  return { changes: billing.changes, result: current(billing, invoice) }
}

/** Ends a 3-D Secure authentication: an approval passes the charge to the issuer, a rejection fails the payment. */
export function completeInvoiceAuthentication(
  records: InvoiceActionRecords,
  isApproved: boolean,
  context: RuleContext,
): Decision<Invoice> {
  const { account, invoice, history } = records
  requireStatus(invoice, ['open', 'uncollectible'], 'authenticate a payment of')
  const { authentication, pendingPayment: payment } = history
  if (authentication === null || payment === null) throw noAuthenticationError(invoice)
  const request = { customer: invoice.customer, isSetup: false, isApproved }
  const issuer = getDecisionAfterAuthentication(authentication.card, request, context)
  const billing = new BillingUnitOfWork(account, context)
  billing.add(...removeAuthentication(authentication))
  const attempt = { isAutomatic: false, payment: payment.id }
  if (issuer.kind === 'decline') {
    const failure = toPaymentFailure(issuer)
    const failed = failPayment(payment, failure, context)
    const next = invoice.next_payment_attempt
    billing.add(failed, markInvoicePaymentFailed(invoice, { ...attempt, error: failure, next }))
    return { changes: billing.changes, error: createDeclineError(failure, failed.after) }
  }
  const { card, name, keep = false } = authentication
  const links = keep
    ? { payment_method: saveEnteredCard(billing, { card, billing_details: { name } }).id }
    : {}
  billing.add(succeedPayment(payment, links, context), markInvoicePaid(invoice, attempt, context))
  recoverUnlessPastDue(billing)
  return { changes: billing.changes, result: current(billing, invoice) }
}

function noAuthenticationError({ id }: Invoice): DomainError {
  return new DomainError(
    'invoice_unexpected_state',
    `No 3-D Secure authentication is pending for invoice '${id}'. Start one: POST /v1/invoices/${id}/pay with {"off_session":false} and a card that requires authentication.`,
  )
}

function current(billing: BillingUnitOfWork, { id }: Invoice): Invoice {
  const found = billing.invoices.find((invoice) => invoice.id === id)
  if (found === undefined) throw new Error(`invoice ${id} does not belong to the subscription`)
  return found
}

/** Throws `payment_processing` while a debit of the invoice has no outcome. */
function requireNoDebit({ id }: Invoice, { payments }: CollectionHistory, action: string): void {
  requireNotProcessing(payments.find(isPaymentProcessing) ?? null, `${action} invoice '${id}'`)
}
