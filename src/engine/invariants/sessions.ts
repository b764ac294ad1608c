import { isDeleted } from '../../domain/customers.ts'
import { isPendingPayment, type Payment } from '../../domain/payments.ts'
import { isDeletedClock } from '../../domain/test-clocks.ts'
import {
  grouped,
  historyOf,
  type Invariant,
  isTruncated,
  type Snapshot,
  sessionsOf,
  timesOf,
} from './snapshot.ts'

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

/** P12: a session completes before it expires, or with a payment begun before; it expires by time at exactly its time. */
export const closedInTime: Invariant = function* (snapshot) {
  const timeOf = timesOf(snapshot)
  const { payments } = snapshot.records
  const paymentOf = new Map(payments.map((payment) => [payment.id, payment]))
  const processing = new Set(payments.filter(({ status }) => status === 'processing').map(ownerOf))
  for (const session of sessionsOf(snapshot)) {
    const { id, status, expires_at, completed_at, expired_at, expiration_reason } = session
    if ((status === 'complete') !== (completed_at !== null))
      yield `${id}: ${status}, completed ${completed_at}`
    if ((status === 'expired') !== (expired_at !== null)) yield `${id}: ${status}, expired ${expired_at}`
    if ((expired_at === null) !== (expiration_reason === null)) yield `${id}: reason ${expiration_reason}`
    const payment = paymentOf.get(session.payment ?? '')
    const isAwaited = payment?.succeeded_at === completed_at && (payment?.created ?? expires_at) < expires_at
    if (completed_at !== null && completed_at >= expires_at && !isAwaited)
      yield `${id}: completed at ${completed_at}`
    if (expiration_reason === 'time' && expired_at !== expires_at) yield `${id}: expired at ${expired_at}`
    const now = timeOf(session.test_clock)
    const isLate = status === 'open' && now !== null && expires_at <= now
    if (isLate && !processing.has(id)) yield `${id}: still open`
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

/** P15: who owes pays at most once, and is charged by at most one attempt at a time, only while something is owed. */
export const chargedOnce: Invariant = function* (snapshot) {
  const { payments } = snapshot.records
  const paymentsOf = grouped(payments, ownerOf)
  for (const { id, isOpen, status } of chargeable(snapshot)) {
    const charged = paymentsOf.get(id) ?? []
    const succeeded = charged.filter(isSucceeded).length
    const waiting = charged.filter(isPendingPayment).length
    if (succeeded > 1) yield `${id}: ${succeeded} succeeded payments`
    if (waiting > (isOpen ? 1 : 0)) yield `${id}: ${status} with ${waiting} waiting`
  }
  yield* strayWaits(snapshot)
}

function* strayWaits(snapshot: Snapshot): Generator<string> {
  const { payments, authentications } = snapshot.records
  const open = new Set([...chargeable(snapshot)].filter(({ isOpen }) => isOpen).map(({ id }) => id))
  const waiting = new Map(payments.filter(isPendingPayment).map((payment) => [payment.id, ownerOf(payment)]))
  for (const { id, payment } of authentications) {
    if (!open.has(id)) yield `${id}: closed, but somebody is waited for`
    if (payment !== null && waiting.get(payment) !== id) yield `${id}: waits for ${payment}, which is over`
    if (payment !== null) waiting.delete(payment)
  }
  for (const payment of waiting.keys()) yield `${payment}: waits, but nobody can answer`
}

function ownerOf({ checkout_session, payment_session, invoice }: Payment): string | null {
  return checkout_session ?? payment_session ?? invoice
}

function* chargeable(
  snapshot: Snapshot,
): Generator<{ readonly id: string; readonly status: string; readonly isOpen: boolean }> {
  for (const { id, status } of sessionsOf(snapshot)) yield { id, status, isOpen: status === 'open' }
  for (const { id, status } of snapshot.records.invoices) {
    yield { id, status, isOpen: status === 'open' || status === 'uncollectible' }
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

/** P41: a deleted customer has no open session, no live subscription and no card; a deleted clock no customer. */
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
  const gone = new Set(records.test_clocks.filter(isDeletedClock).map(({ id }) => id))
  for (const customer of records.customers) {
    const isLeft = !isDeleted(customer) && customer.test_clock !== null && gone.has(customer.test_clock)
    if (isLeft) yield `${customer.id}: on a deleted clock`
  }
}
