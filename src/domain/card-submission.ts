import { type Authentication, awaitBuyer, endWait } from './authentications.ts'
import type { CardFields } from './card-checks.ts'
import {
  cardFailure,
  declineRefusal,
  issuerOfApproved,
  REJECTED,
  readCard,
  type Submission,
} from './card-reading.ts'
import type { Change, Decision, RuleContext } from './changes.ts'
import { type CheckoutSession, isFreeToday } from './checkout-sessions.ts'
import { completeCheckout } from './completion.ts'
import { alternatingCounter, type Counter, countUp } from './counters.ts'
import { type Customer, type DeletedCustomer, requireCustomer } from './customers.ts'
import { noteDecline, refuseTooManyDeclines, type TracelessDeclines } from './decline-limit.ts'
import { DomainError } from './domain-error.ts'
import type { CardDetails } from './payment-methods.ts'
import { completePaymentSession, type PaymentSession } from './payment-sessions.ts'
import {
  beginPayment,
  cancelWaiting,
  challengePayment,
  type Failure,
  failPayment,
  type Payment,
  succeedPayment,
} from './payments.ts'
import { isProcessing, refuseWhileProcessing } from './processing.ts'
import { nameOf, requireOpen } from './sessions.ts'
import { alternate, SLOW_SECONDS } from './test-cards.ts'
import { setTimer } from './timers.ts'

/** A session and all that trying to complete it needs to know. */
export interface Attempt {
  readonly session: CheckoutSession | PaymentSession
  /** Closed sessions outlive their customer, so they are refused before the customer is looked at. */
  readonly customer: Customer | DeletedCustomer | null
  readonly waiting: Authentication | null
  readonly waitingPayment: Payment | null
  readonly invoiceCounter: Counter | null
  /** How often the customer was charged with the card that approves every other charge. */
  readonly alternations: Counter | null
  /** The newest failed payments of this session, as many as one hour allows. */
  readonly recentFailures: readonly Payment[]
  readonly traceless: TracelessDeclines | null
}

/** The session is complete, or the buyer is asked to authenticate at `/3ds/<target>`, or the issuer takes its time. */
export type Submitted =
  | { readonly kind: 'done'; readonly session: CheckoutSession | PaymentSession }
  | { readonly kind: 'authenticate'; readonly target: string }
  | { readonly kind: 'processing'; readonly session: CheckoutSession | PaymentSession }

/** What a buyer typed into the form, or a caller sent in its place. */
export interface EnteredCard extends CardFields {
  readonly name?: string | null
}

/**
 * Completes a session with what its buyer entered: the one path of the hosted page and the API. Sessions whose invoices
 * are sent ask for no card.
 */
export function submitEntered(
  attempt: Attempt,
  entered: EnteredCard,
  context: RuleContext,
): Decision<Submitted> {
  refuseWhileProcessing(attempt.waitingPayment, `complete ${nameOf(attempt.session)}`)
  requireOpen(attempt.session, 'complete', context.now)
  if (!isCardAsked(attempt.session))
    return finish(attempt, { card: null, name: null, payment: null }, context)
  const { session, recentFailures, traceless } = attempt
  const { test_clock } = session
  refuseTooManyDeclines({ payments: recentFailures, traceless }, { now: context.now, test_clock })
  const read = readCard(entered, isSaving(session, context.now), context)
  return read instanceof DomainError
    ? declinedWithoutTrace(attempt, read, context)
    : submitCard(attempt, read, context)
}

/** Whether completing the session needs a card at all. */
export function isCardAsked(session: CheckoutSession | PaymentSession): boolean {
  return (
    session.object === 'payment_session' || session.subscription_data.collection_method !== 'send_invoice'
  )
}

/** Whether a card is only saved now and charged later, if ever. */
export function isSaving(session: CheckoutSession | PaymentSession, now: number): boolean {
  return session.object === 'checkout_session' && isFreeToday(session, now)
}

// An approval completes the session, a decline leaves a failed payment and an open session, and a 3-D Secure card waits
// for its buyer. An attempt that still waited is canceled first.
function submitCard(attempt: Attempt, submission: Submission, context: RuleContext): Decision<Submitted> {
  const earlier = [
    ...cancelWaiting(attempt.waitingPayment, 'superseded', context),
    ...endWait(attempt.waiting),
  ]
  return after(earlier, decide(attempt, submission, context))
}

/** The buyer's answer to 3-D Secure: approving lets the issuer decide, rejecting fails the attempt. */
export function answerChallenge(
  attempt: Attempt,
  isApproved: boolean,
  context: RuleContext,
): Decision<Submitted> {
  const { session, waiting, waitingPayment } = attempt
  refuseWhileProcessing(waitingPayment, `authenticate ${nameOf(session)}`)
  requireOpen(session, 'authenticate', context.now)
  if (waiting === null) {
    throw new DomainError(
      `${session.object}_unexpected_state`,
      `No 3-D Secure authentication is waiting for ${session.object} '${session.id}'. Submit a card first.`,
    )
  }
  const isSaving = waiting.payment === null
  const issuer = isApproved ? issuerOfApproved(waiting.card, isSaving, context.now) : REJECTED
  const { card, name } = waiting
  const decision =
    issuer.kind === 'decline'
      ? declined(attempt, { payment: waitingPayment, failure: cardFailure(issuer) }, context)
      : finish(attempt, { card, name, payment: waitingPayment }, context)
  return after(endWait(waiting), decision)
}

function after(earlier: readonly Change[], decision: Decision<Submitted>): Decision<Submitted> {
  return { ...decision, changes: [...earlier, ...decision.changes] }
}

/** The issuer that took its time has approved; nothing when the session ended before. */
export function hearIssuer(attempt: Attempt, context: RuleContext): Decision<null> {
  const { session, waiting, waitingPayment } = attempt
  if (waiting === null || !isProcessing(waitingPayment) || session.status !== 'open') {
    return { changes: [], result: null }
  }
  const { card, name } = waiting
  const finished = finish(attempt, { card, name, payment: waitingPayment }, context)
  return { changes: [...endWait(waiting), ...finished.changes], result: null }
}

function decide(attempt: Attempt, submission: Submission, context: RuleContext): Decision<Submitted> {
  const { card, issuer, name } = submission
  if (issuer.kind === 'alternate') return alternated(attempt, submission, context)
  if (issuer.kind === 'approve') return finish(attempt, { card, name, payment: null }, context)
  const begun = beginCharge(attempt, card, context)
  const payment = begun?.after ?? null
  const opening: Change[] = begun === null ? [] : [begun]
  if (issuer.kind === 'decline')
    return after(opening, declined(attempt, { payment, failure: cardFailure(issuer) }, context))
  if (issuer.kind === 'slow') return after(opening, awaitIssuer({ attempt, submission, payment }, context))
  return after(opening, challenged({ attempt, submission, payment }, context))
}

function alternated(attempt: Attempt, submission: Submission, context: RuleContext): Decision<Submitted> {
  const { alternations, session } = attempt
  const counted = countUp(alternations, alternatingCounter(session.customer))
  const issuer = alternate(alternations?.value ?? 0)
  return after([counted], decide(attempt, { ...submission, issuer }, context))
}

interface Asked {
  readonly attempt: Attempt
  readonly submission: Submission
  readonly payment: Payment | null
}

function awaitIssuer({ attempt, submission, payment }: Asked, context: RuleContext): Decision<Submitted> {
  const { session } = attempt
  const { card, name } = submission
  const wait = awaitBuyer({ id: session.id, payment: payment?.id ?? null, card, name })
  // The issuer's slowness is real: it can be watched on the wall's clock only.
  const at = context.wallNow + SLOW_SECONDS
  const timer = setTimer({ id: session.id, what: 'issuer_answers', at, test_clock: null })
  return { changes: [wait, timer], result: { kind: 'processing', session } }
}

function challenged(asked: Asked, context: RuleContext): Decision<Submitted> {
  const { attempt, submission, payment } = asked
  const { card, name } = submission
  const target = payment?.id ?? attempt.session.id
  const wait = awaitBuyer({ id: attempt.session.id, payment: payment?.id ?? null, card, name })
  return {
    changes: payment === null ? [wait] : [challengePayment(payment, context), wait],
    result: { kind: 'authenticate', target },
  }
}

function declined(
  attempt: Attempt,
  { payment, failure }: { readonly payment: Payment | null; readonly failure: Failure },
  context: RuleContext,
): Decision<Submitted> {
  if (payment === null) return declinedWithoutTrace(attempt, declineRefusal(failure, null), context)
  const failed = failPayment(payment, failure, context)
  return { changes: [failed], refusal: declineRefusal(failure, failed.after) }
}

function declinedWithoutTrace(
  { session, traceless }: Attempt,
  refusal: DomainError,
  context: RuleContext,
): Decision<Submitted> {
  return { changes: [noteDecline(traceless, session.id, context)], refusal }
}

interface Paid {
  readonly card: CardDetails | null
  readonly name: string | null
  /** An attempt begun earlier that the issuer now approves. */
  readonly payment: Payment | null
}

function finish(attempt: Attempt, paid: Paid, context: RuleContext): Decision<Submitted> {
  const { session, invoiceCounter } = attempt
  if (session.object === 'payment_session') return finishPaymentSession(attempt, session, { paid, context })
  const { card, name, payment } = paid
  const customer = requireCustomer(attempt.customer, session.customer)
  const done = completeCheckout({ session, customer, invoiceCounter, card, name, waiting: payment }, context)
  return { changes: done.changes, result: { kind: 'done', session: done.result } }
}

function finishPaymentSession(
  attempt: Attempt,
  session: PaymentSession,
  { paid, context }: { readonly paid: Paid; readonly context: RuleContext },
): Decision<Submitted> {
  const begun = paid.payment === null && paid.card !== null ? beginCharge(attempt, paid.card, context) : null
  const payment = paid.payment ?? begun?.after
  if (!payment) throw new Error('a payment session completes by a payment only')
  const succeeded = succeedPayment(payment, {}, context)
  const completed = completePaymentSession(session, succeeded.after, context)
  return {
    changes: [...(begun === null ? [] : [begun]), succeeded, completed],
    result: { kind: 'done', session: completed.after },
  }
}

/** The charge an attempt begins, or null when nothing is due today: payments are always above zero. */
function beginCharge({ session }: Attempt, card: CardDetails, context: RuleContext) {
  const isCheckout = session.object === 'checkout_session'
  if (isSaving(session, context.now)) return null
  return beginPayment(
    {
      id: context.newId('py_'),
      amount: isCheckout ? session.amount_total : session.amount,
      currency: session.currency,
      customer: session.customer,
      payment_method: null,
      invoice: null,
      checkout_session: isCheckout ? session.id : null,
      payment_session: isCheckout ? null : session.id,
      off_session: false,
      test_clock: session.test_clock,
      card,
    },
    context,
  )
}
