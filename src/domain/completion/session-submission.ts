import type { CardFields } from '../cards/card-validation.ts'
import { getAlternatingDecision } from '../cards/test-cards.ts'
import type { Change, Decision, RuleContext } from '../core/changes.ts'
import { type Counter, getAlternatingCounterId, incrementCounter } from '../core/counters.ts'
import { DomainError } from '../core/domain-error.ts'
import {
  type Authentication,
  createAuthentication,
  removeAuthentication,
} from '../payments/authentications.ts'
import {
  authorizeTestCard,
  type CardAuthorization,
  createDeclineError,
  getDecisionAfterAuthentication,
  toPaymentFailure,
} from '../payments/card-authorization.ts'
import { type Customer, type DeletedCustomer, requireCustomer } from '../payments/customers.ts'
import { resolveTestIban } from '../payments/debits.ts'
import {
  enforceDeclineLimit,
  type PaymentlessDeclineLog,
  recordPaymentlessDecline,
} from '../payments/decline-limit.ts'
import { approvePayment } from '../payments/payment-approval.ts'
import { type Instrument, isBankAccount } from '../payments/payment-methods.ts'
import { requireNotProcessing } from '../payments/payment-processing.ts'
import {
  cancelUnauthenticatedPayment,
  failPayment,
  type Payment,
  type PaymentFailure,
  requirePaymentAuthentication,
} from '../payments/payments.ts'
import type { WalletDecision } from '../payments/wallet.ts'
import type { Redemption } from '../sessions/discounts.ts'
import { requireOffered } from '../sessions/payment-method-types.ts'
import type { PaymentSession } from '../sessions/payment-sessions.ts'
import { type EnteredPromotionCode, removeEnteredPromotionCode } from '../sessions/promotion-codes.ts'
import { completeSession, formatSessionReference, requireOpenSession } from '../sessions/sessions.ts'
import { createTimerChange } from '../time/timers.ts'
import { type CardUpdateRecords, completeCardSession } from './card-session-completion.ts'
import { completeCheckout } from './checkout-completion.ts'
import type { CompletableSession } from './hosted-session.ts'
import {
  addEnteredDiscount,
  findSessionRedemptionError,
  getSessionCharge,
  isCardAccepted,
  isCardRequired,
  isDiscountLost,
} from './session-offers.ts'
import { createSessionPayment, saveSessionCard } from './session-payments.ts'

/** A session with the records that its completion requires. */
export interface SessionCompletionRecords {
  readonly session: CompletableSession
  /** The customer; null or deleted only for closed sessions. Check the session's status before its customer. */
  readonly customer: Customer | DeletedCustomer | null
  readonly authentication: Authentication | null
  readonly pendingPayment: Payment | null
  readonly invoiceCounter: Counter | null
  /** The counter of the customer's charges with the test card that approves every other charge. */
  readonly alternatingCharges: Counter | null
  /** The newest failed payments of the session, at most as many as the hourly decline limit. */
  readonly recentFailures: readonly Payment[]
  readonly declineLog: PaymentlessDeclineLog | null
  /** The records of the card update; null for sessions that do not replace a card. */
  readonly cardUpdate: CardUpdateRecords | null
  /** The coupon that completing the session redeems; null if no coupon is redeemed. */
  readonly redemption: Redemption | null
  /** The record of the promotion code that the customer entered on the page; null if no code was entered. */
  readonly enteredCode: EnteredPromotionCode | null
  /** The offer on the page on which the card was submitted; absent when the API submits the card. */
  readonly shownOffer?: string
}

/**
 * The result of a submission: the session is complete, the cardholder must authenticate at `/3ds/<target>`, or the
 * issuer is still processing the payment.
 */
export type SessionSubmissionResult =
  | { readonly kind: 'done'; readonly session: CompletableSession }
  | { readonly kind: 'authenticate'; readonly target: string }
  | { readonly kind: 'processing'; readonly session: CompletableSession }

type SubmissionDecision = Decision<SessionSubmissionResult>

/** A card as entered in the payment form or sent to the API. */
export interface EnteredPaymentMethod extends CardFields {
  readonly name?: string | null
  /** The customer's decision when the card comes from the simulated wallet; absent for other cards. */
  readonly wallet?: WalletDecision
  /** The bank account to debit instead of a card. */
  readonly iban?: string
}

/**
 * Completes a session with the entered card or IBAN, for the hosted page and the API. A session that sends its invoices
 * needs no card. A session that requires no card for its trial still saves a given card.
 */
export function submitSession(
  records: SessionCompletionRecords,
  entered: EnteredPaymentMethod,
  context: RuleContext,
): SubmissionDecision {
  const { session, pendingPayment, recentFailures, declineLog } = records
  requireNotProcessing(pendingPayment, `complete ${formatSessionReference(session)}`)
  requireOpenSession(session, 'complete', context.now)
  requireOffered(session, entered)
  requireRedeemable(records, context.now)
  const replaced = [
    ...cancelUnauthenticatedPayment(pendingPayment, 'superseded', context),
    ...removeAuthentication(records.authentication),
  ]
  const { iban, number = '' } = entered
  const isGiven = (iban !== undefined || number !== '') && isCardAccepted(session)
  if (!isGiven && !isCardRequired(session, context.now)) {
    const finished = completeApprovedSession(records, { card: null, name: null, payment: null }, context)
    return prependChanges(replaced, finished)
  }
  if (iban !== undefined) {
    const account = { ...resolveTestIban({ ...entered, iban }, context), payment: null }
    return prependChanges(replaced, completeApprovedSession(records, account, context))
  }
  enforceDeclineLimit(recentFailures, declineLog, { now: context.now, test_clock: session.test_clock })
  const request = { customer: session.customer, isSetup: getSessionCharge(records, context.now) === 0 }
  const submission = authorizeTestCard(entered, request, context)
  return submission instanceof DomainError
    ? declineWithoutPayment(records, submission, context)
    : prependChanges(replaced, chargeCard(records, submission, context))
}

/** Ends a 3-D Secure authentication: an approval passes the charge to the issuer, a rejection fails the payment. */
export function completeSessionAuthentication(
  records: SessionCompletionRecords,
  isApproved: boolean,
  context: RuleContext,
): SubmissionDecision {
  const { session, authentication, pendingPayment } = records
  requireNotProcessing(pendingPayment, `authenticate ${formatSessionReference(session)}`)
  requireOpenSession(session, 'authenticate', context.now)
  if (authentication === null) {
    throw new DomainError(
      `${session.object}_unexpected_state`,
      `No 3-D Secure authentication is pending for ${session.object} '${session.id}'. Submit a card first.`,
    )
  }
  const { card, name } = authentication
  const { offer } = authentication
  if (isApproved)
    requireRedeemable({ ...records, ...(offer !== undefined && { shownOffer: offer }) }, context.now)
  const request = { customer: session.customer, isSetup: authentication.payment === null, isApproved }
  const issuer = getDecisionAfterAuthentication(card, request, context)
  const decision =
    issuer.kind === 'decline'
      ? decline(records, pendingPayment, toPaymentFailure(issuer), context)
      : completeApprovedSession(
          records,
          { card, name, payment: pendingPayment, isAuthenticated: true },
          context,
        )
  return prependChanges(removeAuthentication(authentication), decision)
}

// If an entered code can no longer be redeemed, the page shows the price without its discount, and the customer accepts
// that price.
function requireRedeemable(records: SessionCompletionRecords, now: number): void {
  const error = findSessionRedemptionError(records, now)
  if (error !== null && (isDiscountLost(records, now) || records.shownOffer === undefined)) throw error
}

function prependChanges(changes: readonly Change[], decision: SubmissionDecision): SubmissionDecision {
  return { ...decision, changes: [...changes, ...decision.changes] }
}

function chargeCard(
  records: SessionCompletionRecords,
  submission: CardAuthorization,
  context: RuleContext,
): SubmissionDecision {
  const { card, issuer, name } = submission
  const { session, alternatingCharges, shownOffer: offer } = records
  if (issuer.kind === 'alternate') {
    const counted = incrementCounter(alternatingCharges, getAlternatingCounterId(session.customer))
    const decided = { ...submission, issuer: getAlternatingDecision(alternatingCharges?.value ?? 0) }
    return prependChanges([counted], chargeCard(records, decided, context))
  }
  if (issuer.kind === 'approve')
    return completeApprovedSession(records, { card, name, payment: null }, context)
  const amount = getSessionCharge(records, context.now)
  const created =
    amount === 0 || session.object === 'card_session'
      ? null
      : createSessionPayment(session, card, context, { amount })
  const payment = created?.after ?? null
  const changes: Change[] = created === null ? [] : [created]
  if (issuer.kind === 'decline')
    return prependChanges(changes, decline(records, payment, toPaymentFailure(issuer), context))
  const pending = createAuthentication({
    id: session.id,
    payment: payment?.id ?? null,
    card,
    name,
    ...(offer !== undefined && { offer }),
  })
  if (issuer.kind === 'slow') {
    // The issuer's delay runs in real time, even for sessions on a test clock.
    const at = context.wallNow + issuer.seconds
    const timer = createTimerChange({ id: session.id, what: 'issuer_answers', at, test_clock: null })
    return { changes: [...changes, pending, timer], result: { kind: 'processing', session } }
  }
  const challenge = payment === null ? [] : [requirePaymentAuthentication(payment, context)]
  const result = { kind: 'authenticate', target: payment?.id ?? session.id } as const
  return { changes: [...changes, ...challenge, pending], result }
}

function decline(
  records: SessionCompletionRecords,
  payment: Payment | null,
  failure: PaymentFailure,
  context: RuleContext,
): SubmissionDecision {
  if (payment === null) return declineWithoutPayment(records, createDeclineError(failure, null), context)
  const failed = failPayment(payment, failure, context)
  return { changes: [failed], error: createDeclineError(failure, failed.after) }
}

function declineWithoutPayment(
  { session, declineLog }: SessionCompletionRecords,
  error: DomainError,
  context: RuleContext,
): SubmissionDecision {
  return { changes: [recordPaymentlessDecline(declineLog, session.id, context)], error }
}

interface ApprovedPayment {
  readonly card: Instrument | null
  readonly name: string | null
  /** The payment that was created before the approval, or null. */
  readonly payment: Payment | null
  /** Whether the cardholder approved in 3-D Secure. */
  readonly isAuthenticated?: boolean
}

/** Completes a session whose card was approved, and creates its objects. */
export function completeApprovedSession(
  records: SessionCompletionRecords,
  approved: ApprovedPayment,
  context: RuleContext,
): SubmissionDecision {
  const { session, invoiceCounter, cardUpdate } = records
  if (session.object === 'payment_session') return finishPaymentSession(records, session, approved, context)
  const customer = requireCustomer(records.customer, session.customer)
  const { card, name, payment, isAuthenticated = false } = approved
  if (session.object === 'card_session') {
    if (card === null || isBankAccount(card) || cardUpdate === null)
      throw new Error('completing a card session requires a card')
    const update = { ...cardUpdate, session, customer, card, name, isAuthenticated }
    const { changes, result } = completeCardSession(update, context)
    return { changes, result: { kind: 'done', session: result } }
  }
  const error = findSessionRedemptionError(records, context.now)
  const redemption = error === null ? records.redemption : null
  const priced = {
    openSession: session,
    session: addEnteredDiscount(session, redemption, context.now),
    redemption,
  }
  const { changes, result } = completeCheckout(
    { ...priced, customer, invoiceCounter, card, name, authenticatedPayment: payment },
    context,
  )
  const entered = removeEnteredPromotionCode(records.enteredCode)
  return { changes: [...entered, ...changes], result: { kind: 'done', session: result } }
}

function finishPaymentSession(
  records: SessionCompletionRecords,
  session: PaymentSession,
  { card, name, payment: pending }: ApprovedPayment,
  context: RuleContext,
): SubmissionDecision {
  if (card === null) throw new Error('completing a payment session requires a card')
  const customer = requireCustomer(records.customer, session.customer)
  const { changes: saved, links } = saveSessionCard(session, { customer, card, name }, context)
  const { amount } = session
  const created = pending === null ? createSessionPayment(session, card, context, { amount, ...links }) : null
  const payment = created?.after ?? pending
  if (payment === null) throw new Error('completing a payment session requires a payment')
  // A debit stays in processing until its outcome.
  const approved = isBankAccount(card) ? null : approvePayment(payment, links, context)
  const { id, status, payment_method } = approved?.after ?? payment
  const payment_status = status === 'succeeded' ? 'paid' : 'unpaid'
  const completed = completeSession(session, { payment_status, payment: id, payment_method }, context)
  return {
    changes: [...saved, ...[created, approved].filter((one) => one !== null), completed],
    result: { kind: 'done', session: completed.after },
  }
}
