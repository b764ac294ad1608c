import { isDeleted } from '../../domain/core/changes.ts'
import { getAuthenticationId } from '../../domain/payments/authentications.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { PORTAL_LIFETIME_SECONDS } from '../../domain/sessions/portal-sessions.ts'
import { findApprovalTime, isDebitPayment } from './payments.ts'
import {
  createClockTimeLookup,
  groupEventsByObject,
  type Invariant,
  isEventHistoryTruncated,
  listSnapshotSessions,
  type Snapshot,
} from './snapshot.ts'

const LATER_EVENTS = ['updated', 'payment_succeeded', 'payment_failed'].map(
  (verb) => `payment_session.${verb}`,
)
const CLOSING_VERBS = { open: [], complete: ['completed'], expired: ['expired'] } as const

/**
 * P11: a session leaves the status `open` at most once, and permanently. Only a later capture or the outcome of a debit
 * follows.
 */
export const sessionsCloseOnce: Invariant = function* (snapshot) {
  if (isEventHistoryTruncated(snapshot)) return
  const history = groupEventsByObject(snapshot)
  for (const { id, object, status } of listSnapshotSessions(snapshot)) {
    const types = (history.get(id) ?? []).slice(1).map(({ type }) => type)
    const expected = CLOSING_VERBS[status].map((verb) => `${object}.${verb}`)
    const closing = LATER_EVENTS.includes(types.at(-1) ?? '') ? types.slice(0, -1) : types
    if (closing.join() !== expected.join()) yield `${id}: ${status} after ${types.join(', ') || 'no events'}`
  }
}

/**
 * P12: a session completes before `expires_at`, or later by a payment that was created before `expires_at`. A session
 * that expires by time expires exactly at `expires_at`, which for a portal session is an hour after its creation.
 */
export const sessionsCloseByExpiry: Invariant = function* (snapshot) {
  const timeOf = createClockTimeLookup(snapshot)
  const { payments } = snapshot.records
  const paymentsOf = Map.groupBy(payments, getAuthenticationId)
  const processing = new Set(
    payments.filter(({ status }) => status === 'processing').map(getAuthenticationId),
  )
  for (const session of listSnapshotSessions(snapshot)) {
    const { id, status, expires_at, expired_at, expiration_reason } = session
    const completed_at = 'completed_at' in session ? session.completed_at : null
    if ((status === 'complete') !== (completed_at !== null))
      yield `${id}: ${status}, completed ${completed_at}`
    if ((status === 'expired') !== (expired_at !== null)) yield `${id}: ${status}, expired ${expired_at}`
    if ((expired_at === null) !== (expiration_reason === null))
      yield `${id}: ${status} with expiration_reason ${expiration_reason}`
    const isPaidInTime = (paymentsOf.get(id) ?? []).some(
      (payment) => payment.created < expires_at && decidedAt(payment) === completed_at,
    )
    if (completed_at !== null && completed_at >= expires_at && !isPaidInTime)
      yield `${id}: completed at ${completed_at}, after it expired`
    if (expiration_reason === 'time' && expired_at !== expires_at)
      yield `${id}: expired at ${expired_at}, not ${expires_at}`
    if (session.object === 'portal_session' && expires_at !== session.created + PORTAL_LIFETIME_SECONDS)
      yield `${id}: created at ${session.created}, expires at ${expires_at}`
    const now = timeOf(session.test_clock)
    const isLate = status === 'open' && now !== null && expires_at <= now
    if (isLate && !processing.has(id)) yield `${id}: still open after ${expires_at}`
  }
}

// A payment whose amount is no longer due is canceled when the issuer approves it.
function decidedAt(payment: Payment): number | null {
  return payment.canceled_reason === 'amount_changed' ? payment.canceled_at : findApprovalTime(payment)
}

/**
 * P13: a payment session is complete exactly when it has one approved payment or debit of its amount, with its saved
 * card or account. The session is paid exactly when that payment succeeded. A card session is complete exactly when it
 * has a card of its own.
 */
export const paymentSessionMatchesPayment: Invariant = function* ({ records }) {
  const approved = Map.groupBy(records.payments.filter(isAccepted), (one) => one.payment_session)
  for (const session of records.payment_sessions) {
    const { id, status, payment_status, payment, amount, capture_method } = session
    const paid = approved.get(id) ?? []
    const isComplete = status === 'complete'
    if (paid.length !== (isComplete ? 1 : 0)) yield `${id}: ${status} with ${paid.length} approved payments`
    if (paid.some((one) => one.id !== payment || one.amount !== amount))
      yield `${id}: its payment is not ${payment} or has a different amount`
    if (paid.some((one) => one.capture_method !== capture_method))
      yield `${id}: its payment is not ${capture_method}`
    if (isComplete !== (payment !== null)) yield `${id}: ${status} with payment ${payment}`
    if (paid.some(isSucceeded) !== (payment_status === 'paid')) yield `${id}: ${status} and ${payment_status}`
    const card = session.payment_method
    if ((card !== null) !== (isComplete && session.save_payment_method))
      yield `${id}: ${status} with card ${card}`
    if (isComplete && (paid[0]?.payment_method ?? null) !== card) yield `${id}: its payment has another card`
  }
  const cards = new Map(records.payment_methods.map((method) => [method.id, method]))
  for (const { id, status, payment_method, completed_at } of records.card_sessions) {
    if ((status === 'complete') !== (payment_method !== null))
      yield `${id}: ${status} with card ${payment_method}`
    if (payment_method === null) continue
    if (cards.get(payment_method)?.created !== completed_at)
      yield `${id}: its card ${payment_method} was not saved when it was completed`
  }
}

/** P14: a checkout session has one subscription if it is complete, and no subscription otherwise. */
export const completeCheckoutHasOneSubscription: Invariant = function* ({ records }) {
  const subscribed = Map.groupBy(records.subscriptions, (one) => one.checkout_session)
  const accepted = Map.groupBy(records.payments.filter(isAccepted), (one) => one.checkout_session)
  for (const session of records.checkout_sessions) {
    const { id, status } = session
    const made = subscribed.get(id) ?? []
    const paid = accepted.get(id) ?? []
    const wanted = status === 'complete' ? 1 : 0
    if (made.length !== wanted) yield `${id}: ${status} with ${made.length} subscriptions`
    if ((made[0]?.id ?? null) !== session.subscription)
      yield `${id}: its subscription is not ${session.subscription}`
    if ((paid[0]?.id ?? null) !== session.payment)
      yield `${id}: ${status}, paid by ${paid[0]?.id ?? 'no payment'}`
    // The payment status of a session ignores debits, because the invoice of a debit shows whether the debit succeeded.
    const immediate = paid.filter((one) => !isDebitPayment(one)).length
    if (paid.length > 1 || immediate !== (session.payment_status === 'paid' ? 1 : 0))
      yield `${id}: ${session.payment_status} with ${paid.length} succeeded payments`
  }
  const subscriptions = new Set(records.subscriptions.map(({ id }) => id))
  for (const { id, subscription } of records.invoices) {
    if (subscription === null || !subscriptions.has(subscription))
      yield `${id}: its subscription does not exist`
  }
}

/**
 * P15: a session or invoice has at most one approved payment, and at most one pending payment while it is open. Each
 * pending payment has an authentication. The authentication of an API payment has the id of the payment.
 */
export const chargesDoNotOverlap: Invariant = function* (snapshot) {
  const { payments } = snapshot.records
  const paymentsOf = Map.groupBy(payments, getAuthenticationId)
  for (const { id, isOpen, status } of chargeable(snapshot)) {
    const charged = paymentsOf.get(id) ?? []
    const approved = charged.filter(isApproved).length
    const waiting = charged.filter(isWaiting).length
    if (approved > 1) yield `${id}: ${approved} approved payments`
    if (waiting > (isOpen ? 1 : 0)) yield `${id}: ${status} with ${waiting} pending payments`
  }
  yield* orphanedAuthentications(snapshot)
}

// A debit waits for the decision of its bank after its session is complete.
function isWaiting(payment: Payment): boolean {
  const isPending = payment.status === 'processing' || payment.status === 'requires_action'
  return isPending && !isDebitPayment(payment)
}

function* orphanedAuthentications(snapshot: Snapshot): Generator<string> {
  const { payments, authentications } = snapshot.records
  const open = new Set([...chargeable(snapshot)].filter(({ isOpen }) => isOpen).map(({ id }) => id))
  const waiting = new Map(
    payments.filter(isWaiting).map((payment) => [payment.id, getAuthenticationId(payment)]),
  )
  for (const { id, payment } of authentications) {
    if (!open.has(id)) yield `${id}: closed, but has an authentication`
    if (payment !== null && waiting.get(payment) !== id)
      yield `${id}: its authentication is for ${payment}, which is not pending`
    if (payment !== null) waiting.delete(payment)
  }
  for (const payment of waiting.keys()) yield `${payment}: pending without an authentication`
}

function* chargeable(
  snapshot: Snapshot,
): Generator<{ readonly id: string; readonly status: string; readonly isOpen: boolean }> {
  for (const { id, status } of listSnapshotSessions(snapshot)) yield { id, status, isOpen: status === 'open' }
  for (const { id, status } of snapshot.records.invoices) {
    yield { id, status, isOpen: status === 'open' || status === 'uncollectible' }
  }
  for (const payment of snapshot.records.payments) {
    if (payment.origin === 'api')
      yield { id: payment.id, status: payment.status, isOpen: payment.status === 'requires_action' }
  }
}

// A debit completes its session before the outcome of the debit.
function isAccepted(payment: Payment): boolean {
  return isDebitPayment(payment) || isApproved(payment)
}

// Payments with a released amount also count as approved.
function isApproved(payment: Payment): boolean {
  return findApprovalTime(payment) !== null
}

function isSucceeded({ status }: Payment): boolean {
  return status === 'succeeded'
}

const URL_PATHS = {
  checkout_session: 'checkout',
  payment_session: 'sessions',
  card_session: 'cards',
  portal_session: 'portal',
} as const

/** P16: a session URL has the documented form and never changes. */
export const sessionUrlsAreStable: Invariant = function* (snapshot) {
  const history = groupEventsByObject(snapshot)
  for (const { id, object, url } of listSnapshotSessions(snapshot)) {
    const path = `/${URL_PATHS[object]}/${id}`
    const wanted =
      snapshot.checkoutUrl === null ? url.slice(0, -path.length) + path : snapshot.checkoutUrl + path
    if (url !== wanted) yield `${id}: its URL is ${url}`
    for (const { id: event, data } of history.get(id) ?? []) {
      if (!('url' in data.object) || data.object.url !== url) yield `${id}: its URL differs in ${event}`
    }
  }
}

/** P41: a deleted customer has no open session, live subscription or card, and a deleted clock has no customer. */
export const deletedObjectsHaveNoLiveDependents: Invariant = function* (snapshot) {
  const { records } = snapshot
  const deleted = new Set(records.customers.filter(isDeleted).map(({ id }) => id))
  for (const { id, customer, status } of listSnapshotSessions(snapshot)) {
    if (deleted.has(customer) && status === 'open') yield `${id}: open, but its customer is deleted`
  }
  for (const { id, customer, status } of records.subscriptions) {
    if (deleted.has(customer) && status !== 'canceled') yield `${id}: ${status}, but its customer is deleted`
  }
  for (const { id, customer } of records.payment_methods) {
    if (customer !== null && deleted.has(customer)) yield `${id}: attached to a deleted customer`
  }
  for (const { id, customer, auto_advance, next_payment_attempt } of records.invoices) {
    if (deleted.has(customer) && (auto_advance || next_payment_attempt !== null))
      yield `${id}: collected, but its customer is deleted`
  }
  const deletedClocks = new Set(records.test_clocks.filter(isDeleted).map(({ id }) => id))
  for (const customer of records.customers) {
    const isOnDeletedClock =
      !isDeleted(customer) && customer.test_clock !== null && deletedClocks.has(customer.test_clock)
    if (isOnDeletedClock) yield `${customer.id}: on a deleted clock`
  }
}
