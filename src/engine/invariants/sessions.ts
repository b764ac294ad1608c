import { isDeleted } from '../../domain/customers.ts'
import type { Payment } from '../../domain/payments.ts'
import { grouped, historyOf, type Invariant, isTruncated, sessionsOf } from './snapshot.ts'

const WAY_OUT = { open: [], complete: ['completed'], expired: ['expired'] } as const

/** P11: a session leaves `open` at most once and for good. */
export const closedOnce: Invariant = function* (snapshot) {
  if (isTruncated(snapshot)) return
  const history = historyOf(snapshot)
  for (const { id, object, status } of sessionsOf(snapshot)) {
    const left = (history.get(id) ?? []).slice(1).map(({ type }) => type)
    const wanted = WAY_OUT[status].map((verb) => `${object}.${verb}`)
    if (left.join() !== wanted.join()) yield `${id}: ${status} after ${left.join(', ') || 'nothing'}`
  }
}

/** P12: a session completes before it expires, and expires by time at exactly its time. */
export const closedInTime: Invariant = function* (snapshot) {
  for (const { id, status, expires_at, completed_at, expired_at, expiration_reason } of sessionsOf(
    snapshot,
  )) {
    if ((status === 'complete') !== (completed_at !== null))
      yield `${id}: ${status}, completed ${completed_at}`
    if ((status === 'expired') !== (expired_at !== null)) yield `${id}: ${status}, expired ${expired_at}`
    if ((expired_at === null) !== (expiration_reason === null)) yield `${id}: reason ${expiration_reason}`
    if (completed_at !== null && completed_at >= expires_at) yield `${id}: completed at ${completed_at}`
    if (expiration_reason === 'time' && expired_at !== expires_at) yield `${id}: expired at ${expired_at}`
    if (status === 'open' && expires_at <= snapshot.now) yield `${id}: still open`
  }
}

/** P13: a payment session is complete exactly when one succeeded payment of its amount refers to it. */
export const paidSessionHasItsPayment: Invariant = function* ({ records }) {
  const succeeded = grouped(records.payments.filter(isSucceeded), (one) => one.payment_session)
  for (const { id, status, payment_status, payment, amount } of records.payment_sessions) {
    const paid = succeeded.get(id) ?? []
    const isComplete = status === 'complete'
    if (paid.length !== (isComplete ? 1 : 0)) yield `${id}: ${status} with ${paid.length} succeeded payments`
    if (paid.some((one) => one.id !== payment || one.amount !== amount)) yield `${id}: not by ${payment}`
    if (isComplete !== (payment !== null)) yield `${id}: ${status} with payment ${payment}`
    if (isComplete !== (payment_status === 'paid')) yield `${id}: ${status} and ${payment_status}`
  }
}

/** P14: a checkout session is complete exactly when one subscription refers to it; otherwise it made nothing. */
export const completeCheckoutHasItsSubscription: Invariant = function* ({ records }) {
  const subscribed = grouped(records.subscriptions, (one) => one.checkout_session)
  const succeeded = grouped(records.payments.filter(isSucceeded), (one) => one.checkout_session)
  for (const session of records.checkout_sessions) {
    const { id, status } = session
    const made = subscribed.get(id) ?? []
    const paid = succeeded.get(id) ?? []
    const wanted = status === 'complete' ? 1 : 0
    if (made.length !== wanted) yield `${id}: ${status} with ${made.length} subscriptions`
    if ((made[0]?.id ?? null) !== session.subscription) yield `${id}: names ${session.subscription}`
    if ((paid[0]?.id ?? null) !== session.payment)
      yield `${id}: ${status}, paid by ${paid[0]?.id ?? 'nothing'}`
    if (paid.length !== (session.payment_status === 'paid' ? 1 : 0)) yield `${id}: ${session.payment_status}`
  }
  const subscriptions = new Set(records.subscriptions.map(({ id }) => id))
  for (const { id, subscription } of records.invoices) {
    if (subscription === null || !subscriptions.has(subscription)) yield `${id}: an invoice of nothing`
  }
}

/** P15: a session has at most one succeeded payment, and at most one that waits, only while it is open. */
export const chargedOnce: Invariant = function* (snapshot) {
  const paymentsOf = grouped(
    snapshot.records.payments,
    ({ checkout_session, payment_session }) => checkout_session ?? payment_session,
  )
  for (const { id, status } of sessionsOf(snapshot)) {
    const payments = paymentsOf.get(id) ?? []
    const succeeded = payments.filter((payment) => payment.status === 'succeeded').length
    const waiting = payments.filter(({ status }) => status === 'processing' || status === 'requires_action')
    if (succeeded > 1) yield `${id}: ${succeeded} succeeded payments`
    if (waiting.length > (status === 'open' ? 1 : 0)) yield `${id}: ${status} with ${waiting.length} waiting`
  }
}

function isSucceeded({ status }: Payment): boolean {
  return status === 'succeeded'
}

const URL_PATHS = { checkout_session: 'checkout', payment_session: 'sessions' } as const

/** P16: a session's URL has the form of the specification and never changes. */
export const urlStays: Invariant = function* (snapshot) {
  const history = historyOf(snapshot)
  for (const { id, object, url } of sessionsOf(snapshot)) {
    const path = `/${URL_PATHS[object]}/${id}`
    const wanted =
      snapshot.checkoutUrl === null ? url.slice(0, -path.length) + path : snapshot.checkoutUrl + path
    if (url !== wanted) yield `${id}: ${url}`
    for (const { id: event, data } of history.get(id) ?? []) {
      if (!('url' in data.object) || data.object.url !== url) yield `${id}: another URL in ${event}`
    }
  }
}

/** P20, as far as time bills: a pending subscription has no invoice and no period. */
export const pendingOwesNothing: Invariant = function* ({ records }) {
  const billed = new Set(records.invoices.map(({ subscription }) => subscription))
  for (const { id, status, period_index, current_period_start } of records.subscriptions) {
    const isBilled = billed.has(id)
    if (status === 'pending' && isBilled) yield `${id}: pending with an invoice`
    if (status === 'pending' && (period_index !== -1 || current_period_start !== null))
      yield `${id}: a period`
  }
}

/** P41: a deleted customer has no open session, no live subscription and no card. */
export const nothingLivesOfTheDeleted: Invariant = function* (snapshot) {
  const { records } = snapshot
  const deleted = new Set(records.customers.filter(isDeleted).map(({ id }) => id))
  for (const { id, customer, status } of sessionsOf(snapshot)) {
    if (deleted.has(customer) && status === 'open') yield `${id}: open`
  }
  for (const { id, customer, status } of records.subscriptions) {
    if (deleted.has(customer) && status !== 'canceled') yield `${id}: ${status}`
  }
  for (const { id, customer } of records.payment_methods) {
    if (customer !== null && deleted.has(customer)) yield `${id}: attached`
  }
  for (const { id, customer, auto_advance, next_payment_attempt } of records.invoices) {
    if (deleted.has(customer) && (auto_advance || next_payment_attempt !== null)) yield `${id}: collected`
  }
}
