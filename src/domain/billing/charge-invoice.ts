import { isHardDecline } from '../cards/declines.ts'
import { getAlternatingDecision } from '../cards/test-cards.ts'
import { findNextAttemptTime } from '../core/dunning.ts'
import {
  type Authentication,
  createAuthentication,
  removeAuthentication,
} from '../payments/authentications.ts'
import {
  AUTHENTICATION_REQUIRED_FAILURE,
  getSavedCardDecision,
  toPaymentFailure,
} from '../payments/card-authorization.ts'
import type { PaymentlessDeclineLog } from '../payments/decline-limit.ts'
import {
  attachPaymentMethod,
  type CardDetails,
  getInstrument,
  type Instrument,
  isBankAccount,
  type PaymentMethod,
} from '../payments/payment-methods.ts'
import {
  cancelUnauthenticatedPayment,
  createPayment,
  failPayment,
  type Payment,
  type PaymentFailure,
  requirePaymentAuthentication,
  succeedPayment,
} from '../payments/payments.ts'
import type { BillingUnitOfWork } from './billing-unit-of-work.ts'
import { deleteInvoiceItem } from './invoice-items.ts'
import {
  isInvoicePastDue,
  markInvoiceDebitPending,
  markInvoicePaid,
  markInvoicePaymentFailed,
  markInvoicePaymentSkipped,
  stopCollection,
} from './invoice-transitions.ts'
import type { Invoice } from './invoices.ts'
import {
  type CancellationReason,
  isLiveSubscription,
  markPastDue,
  markSubscriptionCanceled,
  markUnpaid,
  recoverSubscription,
  setDefaultCard,
} from './subscriptions.ts'

/** Earlier attempts to collect an invoice. */
export interface CollectionHistory {
  /** Every payment of the invoice, newest first. */
  readonly payments: readonly Payment[]
  /** The pending 3-D Secure authentication and its payment; both null if no authentication is pending. */
  readonly authentication: Authentication | null
  readonly pendingPayment: Payment | null
  readonly declineLog: PaymentlessDeclineLog | null
}

/** The history of an invoice without collection attempts. */
export const EMPTY_COLLECTION_HISTORY: CollectionHistory = {
  payments: [],
  authentication: null,
  pendingPayment: null,
  declineLog: null,
}

/** A saved card or bank account, or a card entered for one payment, which has no id. */
export interface ChargeableInstrument extends Pick<PaymentMethod, 'card' | 'sepa_debit'> {
  readonly id: string | null
  readonly billing_details: { readonly name: string | null }
}

/** One attempt to charge an invoice. */
export interface ChargeInvoiceOptions {
  readonly invoice: Invoice
  readonly history: CollectionHistory
  /** The card to charge; null when the customer has no usable card. */
  readonly card: ChargeableInstrument | null
  readonly isAutomatic: boolean
  /** True when the cardholder is absent and cannot authenticate. */
  readonly isOffSession: boolean
  /**
   * True when the cardholder has just authenticated with the card, so that an on-session charge needs no
   * authentication.
   */
  readonly isAuthenticated?: boolean
  /** True when an entered card is saved and becomes the card of the subscription if its issuer approves the charge. */
  readonly isKept?: boolean
}

/** The result of an attempt. `payment` is null without a card to charge. A debit is processing until its outcome. */
export type ChargeInvoiceResult =
  | { readonly kind: 'paid' | 'processing' }
  | { readonly kind: 'failed'; readonly failure: PaymentFailure; readonly payment: Payment | null }

const NO_CARD: PaymentFailure = {
  code: 'payment_method_missing',
  decline_code: null,
  message: 'The customer has no card to charge.',
  retryable: true,
  advice: 'update_card',
}

/** Charges an invoice once and sets the status of its subscription: active, past due, unpaid or canceled. */
export function chargeInvoice(
  billing: BillingUnitOfWork,
  options: ChargeInvoiceOptions,
): ChargeInvoiceResult {
  const { invoice, history, card, isOffSession, isAutomatic, isAuthenticated = false } = options
  const { context } = billing
  cancelUnauthenticatedAttempt(billing, history, 'superseded')
  if (card === null) return failAttempt(billing, options, NO_CARD, null)
  const instrument = getInstrument(card)
  if (isBankAccount(instrument)) return submitDebit(billing, options, card.id, instrument)
  const attempt = history.payments.length + 1
  const charge = { customer: invoice.customer, isOffSession, isAuthenticated, attempt }
  const issuer = getSavedCardDecision(instrument, charge, context)
  const decision =
    issuer.kind === 'alternate' ? getAlternatingDecision(billing.countAlternatingCharge()) : issuer
  const isSavedFirst = options.isKept && decision.kind === 'approve'
  const entered = { card: instrument, billing_details: card.billing_details }
  const { id } = isSavedFirst ? saveEnteredCard(billing, entered) : card
  const payment = createInvoicePayment(billing, options, id, instrument)
  if (decision.kind === 'decline') {
    const failure = toPaymentFailure(decision)
    const failed = failPayment(payment, failure, context)
    billing.add(failed)
    return failAttempt(billing, options, failure, failed.after)
  }
  if (decision.kind === 'challenge') return requestAuthentication(billing, options, entered, payment)
  billing.add(
    succeedPayment(payment, {}, context),
    markInvoicePaid(invoice, { isAutomatic, payment: payment.id }, context),
  )
  recoverUnlessPastDue(billing)
  return { kind: 'paid' }
}

function submitDebit(
  billing: BillingUnitOfWork,
  options: ChargeInvoiceOptions,
  method: string | null,
  account: Instrument,
): ChargeInvoiceResult {
  const { invoice, isAutomatic } = options
  const { id: payment } = createInvoicePayment(billing, options, method, account)
  billing.add(markInvoiceDebitPending(invoice, { isAutomatic, payment }))
  return { kind: 'processing' }
}

/** Cancels a payment that requires authentication, and removes the pending authentication. */
export function cancelUnauthenticatedAttempt(
  billing: BillingUnitOfWork,
  history: CollectionHistory,
  reason: string,
): void {
  billing.add(
    ...cancelUnauthenticatedPayment(history.pendingPayment, reason, billing.context),
    ...removeAuthentication(history.authentication),
  )
}

interface EnteredInvoiceCard extends Pick<ChargeableInstrument, 'billing_details'> {
  readonly card: CardDetails
}

/** Saves and returns an entered card, which becomes the card of the subscription unless the subscription is canceled. */
export function saveEnteredCard(billing: BillingUnitOfWork, entered: EnteredInvoiceCard): PaymentMethod {
  const { customer, context } = billing
  const { card, billing_details } = entered
  const id = context.newId('pm_')
  const { changes, result } = attachPaymentMethod({ id, customer, card, name: billing_details.name }, context)
  billing.add(...changes)
  if (isLiveSubscription(billing.subscription)) billing.add(setDefaultCard(billing.subscription, id))
  return result
}

function createInvoicePayment(
  billing: BillingUnitOfWork,
  { invoice, isOffSession }: ChargeInvoiceOptions,
  payment_method: string | null,
  card: Instrument,
): Payment {
  const created = createPayment(
    {
      id: billing.context.newId('py_'),
      amount: invoice.amount_remaining,
      currency: invoice.currency,
      customer: invoice.customer,
      payment_method,
      invoice: invoice.id,
      off_session: isOffSession,
      test_clock: invoice.test_clock,
      card,
    },
    billing.context,
  )
  billing.add(created)
  return created.after
}

function requestAuthentication(
  billing: BillingUnitOfWork,
  { invoice, isKept = false }: ChargeInvoiceOptions,
  { card, billing_details: { name } }: EnteredInvoiceCard,
  payment: Payment,
): ChargeInvoiceResult {
  const challenge = requirePaymentAuthentication(payment, billing.context)
  const next = invoice.next_payment_attempt
  const attempt = { isAutomatic: false, payment: payment.id, error: AUTHENTICATION_REQUIRED_FAILURE, next }
  billing.add(
    challenge,
    markInvoicePaymentFailed(invoice, attempt),
    createAuthentication({ id: invoice.id, payment: payment.id, card, name, ...(isKept && { keep: true }) }),
  )
  return { kind: 'failed', failure: AUTHENTICATION_REQUIRED_FAILURE, payment: challenge.after }
}

function failAttempt(
  billing: BillingUnitOfWork,
  { invoice, isAutomatic }: ChargeInvoiceOptions,
  failure: PaymentFailure,
  payment: Payment | null,
): ChargeInvoiceResult {
  // A manual attempt never changes the schedule of automatic attempts.
  const next = isAutomatic ? nextAttempt(billing, invoice) : invoice.next_payment_attempt
  const attempt = { isAutomatic, payment: payment?.id ?? null, error: failure, next }
  billing.add(markInvoicePaymentFailed(invoice, attempt))
  if (isAutomatic) applyDunning(billing, next)
  return { kind: 'failed', failure, payment }
}

function nextAttempt({ context }: BillingUnitOfWork, invoice: Invoice): number | null {
  return findNextAttemptTime(context.dunning, invoice.attempt_count + 1, context.now)
}

/** Skips a due retry because of a hard decline of the card. The skipped attempt counts towards the retry schedule. */
export function skipRetry(billing: BillingUnitOfWork, invoice: Invoice): void {
  const next = nextAttempt(billing, invoice)
  billing.add(markInvoicePaymentSkipped(invoice, next))
  applyDunning(billing, next)
}

/**
 * Returns whether the last failed payment of the invoice with the card was a hard decline, which forbids automatic
 * retries.
 */
export function isRetryBlocked(card: PaymentMethod | null, { payments }: CollectionHistory): boolean {
  const last = payments.find(
    ({ payment_method, status }) => payment_method === card?.id && status === 'failed',
  )
  return last !== undefined && isHardDecline(last.failure_code ?? '', last.decline_code)
}

/** Makes the subscription past due after a failed automatic attempt, and ends its dunning if no attempt follows. */
export function applyDunning(billing: BillingUnitOfWork, next: number | null): void {
  billing.add(...markPastDue(billing.subscription))
  if (next !== null) return
  const { on_exhausted } = billing.context.dunning
  if (on_exhausted === 'cancel') endSubscription(billing, 'payment_failed')
  if (on_exhausted === 'unpaid') billing.add(...markUnpaid(billing.subscription))
}

/**
 * Cancels the subscription, deletes its pending invoice items, and stops the collection of its unpaid invoices.
 * `invoice` is the id of the subscription's last invoice (default: `latest_invoice`).
 */
export function endSubscription(
  billing: BillingUnitOfWork,
  reason: CancellationReason,
  invoice = billing.subscription.latest_invoice,
): void {
  billing.add(markSubscriptionCanceled(billing.subscription, reason, billing.context, invoice))
  billing.add(...billing.pendingItems.map(deleteInvoiceItem), ...billing.invoices.flatMap(stopCollection))
}

/** Makes the subscription active again unless one of its invoices is past due. */
export function recoverUnlessPastDue(billing: BillingUnitOfWork): void {
  if (billing.invoices.some((invoice) => isInvoicePastDue(invoice, billing.context.now))) return
  billing.add(...recoverSubscription(billing.subscription))
}
