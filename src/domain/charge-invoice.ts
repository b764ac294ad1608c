import { type Authentication, awaitBuyer, endWait } from './authentications.ts'
import type { BillingUnitOfWork } from './billing-unit-of-work.ts'
import { isExpiredCard } from './card-checks.ts'
import { cardFailure } from './card-reading.ts'
import type { TracelessDeclines } from './decline-limit.ts'
import { isHardDecline } from './declines.ts'
import { nextAttemptAt } from './dunning.ts'
import {
  failInvoicePayment,
  isInArrears,
  payInvoice,
  skipInvoicePayment,
  stopCollection,
} from './invoice-collection.ts'
import type { Invoice } from './invoices.ts'
import type { CardDetails, PaymentMethod } from './payment-methods.ts'
import {
  beginPayment,
  cancelWaiting,
  challengePayment,
  type Failure,
  failPayment,
  type Payment,
  succeedPayment,
} from './payments.ts'
import {
  type CancellationReason,
  cancelSubscription,
  fallBehind,
  leaveUnpaid,
  recoverSubscription,
} from './subscriptions.ts'
import {
  alternate,
  cardByBehavior,
  type Issuer,
  type IssuerDecision,
  issuerOffSession,
} from './test-cards.ts'

/** What was tried before to collect an invoice. */
export interface Tried {
  /** Every attempt to charge it, newest first. */
  readonly payments: readonly Payment[]
  /** The buyer it waits for in 3-D Secure, with the attempt begun; both null when it waits for nobody. */
  readonly authentication: Authentication | null
  readonly waitingPayment: Payment | null
  readonly traceless: TracelessDeclines | null
}

/** An invoice that was never tried. */
export const UNTRIED: Tried = { payments: [], authentication: null, waitingPayment: null, traceless: null }

/** A card that is charged: a saved one, or one its buyer typed in for this once, without an id. */
export interface ChargedCard {
  readonly id: string | null
  readonly card: CardDetails
  readonly billing_details: { readonly name: string | null }
}

/** One attempt to collect an invoice. */
export interface Collecting {
  readonly invoice: Invoice
  readonly tried: Tried
  /** Null when the customer has no usable card. */
  readonly card: ChargedCard | null
  readonly isAutomatic: boolean
  /** Whether the buyer is absent, so that nobody can authenticate. */
  readonly isOffSession: boolean
}

/** How an attempt ended; `payment` is the attempt itself, where a card could be charged. */
export type Collected =
  | { readonly kind: 'paid' }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly payment: Payment | null }

const NO_CARD: Failure = {
  code: 'payment_method_missing',
  decline_code: null,
  message: 'The customer has no card that could be charged.',
  retryable: true,
  advice: 'update_card',
}

const ASK_BUYER: Failure = cardFailure({
  kind: 'decline',
  code: 'authentication_required',
  decline_code: null,
})

/** Charges an invoice once and writes down all that follows: its subscription falls behind, recovers or ends. */
export function collect(billing: BillingUnitOfWork, collecting: Collecting): Collected {
  const { invoice, tried, card } = collecting
  endWaiting(billing, tried, 'superseded')
  if (card === null) return failed(billing, collecting, { failure: NO_CARD, payment: null })
  const payment = begin(billing, invoice, { card, isOffSession: collecting.isOffSession })
  const issuer = settleAlternation(billing, issuerOf(card, collecting, billing.context.now))
  if (issuer.kind === 'decline') {
    const failure = cardFailure(issuer)
    const change = failPayment(payment, failure, billing.context)
    billing.add(change)
    return failed(billing, collecting, { failure, payment: change.after })
  }
  if (issuer.kind === 'challenge') return challenged(billing, collecting, { card, payment })
  const succeeded = succeedPayment(payment, {}, billing.context)
  billing.add(succeeded)
  billing.add(payInvoice(invoice, { ...collecting, payment: payment.id }, billing.context))
  recoverIfSettled(billing)
  return { kind: 'paid' }
}

/** Cancels an attempt that still waits for its buyer, and forgets the wait. */
export function endWaiting(billing: BillingUnitOfWork, tried: Tried, reason: string): void {
  billing.add(
    ...cancelWaiting(tried.waitingPayment, reason, billing.context),
    ...endWait(tried.authentication),
  )
}

function issuerOf(card: ChargedCard, { tried, isOffSession }: Collecting, now: number): Issuer {
  const { card: details } = card
  if (isExpiredCard(details, now)) return { kind: 'decline', code: 'expired_card', decline_code: null }
  if (isOffSession) return issuerOffSession(details.test_behavior, tried.payments.length + 1)
  const known = cardByBehavior(details.test_behavior)
  if (known === undefined) throw new Error(`no test card behaves as '${details.test_behavior}'`)
  return known.onSession
}

// Only the pages show a charge that takes its time; a saved card is answered for at once.
function settleAlternation(
  billing: BillingUnitOfWork,
  issuer: Issuer,
): IssuerDecision | Extract<Issuer, { kind: 'challenge' }> {
  if (issuer.kind === 'slow') return { kind: 'approve' }
  return issuer.kind === 'alternate' ? alternate(billing.countAlternation()) : issuer
}

function begin(
  billing: BillingUnitOfWork,
  invoice: Invoice,
  { card, isOffSession }: { readonly card: ChargedCard; readonly isOffSession: boolean },
): Payment {
  const begun = beginPayment(
    {
      id: billing.context.newId('py_'),
      amount: invoice.amount_remaining,
      currency: invoice.currency,
      customer: invoice.customer,
      payment_method: card.id,
      invoice: invoice.id,
      checkout_session: null,
      payment_session: null,
      off_session: isOffSession,
      test_clock: invoice.test_clock,
      card: card.card,
    },
    billing.context,
  )
  billing.add(begun)
  return begun.after
}

function challenged(
  billing: BillingUnitOfWork,
  { invoice }: Collecting,
  { card, payment }: { readonly card: ChargedCard; readonly payment: Payment },
): Collected {
  const challenge = challengePayment(payment, billing.context)
  billing.add(challenge)
  const next = invoice.next_payment_attempt
  const attempt = { isAutomatic: false, payment: payment.id, error: ASK_BUYER, next }
  billing.add(failInvoicePayment(invoice, attempt))
  billing.add(
    awaitBuyer({
      id: invoice.id,
      payment: payment.id,
      card: card.card,
      name: card.billing_details.name,
    }),
  )
  return { kind: 'failed', failure: ASK_BUYER, payment: challenge.after }
}

function failed(
  billing: BillingUnitOfWork,
  { invoice, isAutomatic }: Collecting,
  { failure, payment }: { readonly failure: Failure; readonly payment: Payment | null },
): Collected {
  const { code, decline_code, message } = failure
  // What somebody tries by hand never moves the automatic schedule.
  const next = isAutomatic ? nextAttempt(billing, invoice) : invoice.next_payment_attempt
  const error = { code, decline_code, message }
  billing.add(failInvoicePayment(invoice, { isAutomatic, payment: payment?.id ?? null, error, next }))
  if (isAutomatic) fallenBehind(billing, next)
  return { kind: 'failed', failure, payment }
}

function nextAttempt({ context }: BillingUnitOfWork, invoice: Invoice): number | null {
  return nextAttemptAt(context.dunning, invoice.attempt_count + 1, context.now)
}

/** A retry is due, but its card was declined for good on this invoice: the attempt is skipped and the count runs on. */
export function skipRetry(billing: BillingUnitOfWork, invoice: Invoice): void {
  const next = nextAttempt(billing, invoice)
  billing.add(skipInvoicePayment(invoice, next))
  fallenBehind(billing, next)
}

/** Whether the last decline of a card on this invoice rules out trying it again by itself. */
export function isRuledOut(card: PaymentMethod | null, { payments }: Tried): boolean {
  const last = payments.find(
    ({ payment_method, status }) => payment_method === card?.id && status === 'failed',
  )
  return last !== undefined && isHardDecline(last.failure_code ?? '', last.decline_code)
}

function fallenBehind(billing: BillingUnitOfWork, next: number | null): void {
  billing.add(...fallBehind(billing.subscription))
  if (next !== null) return
  const { on_exhausted } = billing.context.dunning
  if (on_exhausted === 'cancel') endSubscription(billing, 'payment_failed')
  if (on_exhausted === 'unpaid') billing.add(...leaveUnpaid(billing.subscription))
}

/** Ends the subscription and the collection of all it still owes. */
export function endSubscription(billing: BillingUnitOfWork, reason: CancellationReason): void {
  billing.add(cancelSubscription(billing.subscription, reason, billing.context))
  billing.add(...billing.invoices.flatMap(stopCollection))
}

/** The subscription is in order again once nothing is in arrears. */
export function recoverIfSettled(billing: BillingUnitOfWork): void {
  if (billing.invoices.some((invoice) => isInArrears(invoice, billing.context.now))) return
  billing.add(...recoverSubscription(billing.subscription))
}
