import { isDeleted } from '../../domain/core/changes.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { createClockTimeLookup, type Invariant } from './snapshot.ts'

const DAY = 86_400
const HOLD = 7 * DAY

/** P45: the origin of a payment is its session or invoice; only an API payment of a saved card has neither. */
export const paymentsHaveAnOrigin: Invariant = function* ({ records }) {
  for (const payment of records.payments) {
    const { id, origin, payment_method } = payment
    const expected = expectedOrigin(payment)
    if (origin !== expected) yield `${id}: its origin is ${origin}, not ${expected}`
    if (origin === 'api' && payment_method === null) yield `${id}: an API payment without a saved card`
    if (origin === 'api' && payment.status === 'processing' && !isDebitPayment(payment))
      yield `${id}: an API payment that is processing`
  }
}

function expectedOrigin({ checkout_session, payment_session, invoice }: Payment): string {
  if (checkout_session !== null) return 'checkout_session'
  if (payment_session !== null) return 'payment_session'
  return invoice === null ? 'api' : 'invoice'
}

/** Returns whether a payment debits a bank account. */
export function isDebitPayment({ payment_method_details }: Payment): boolean {
  return payment_method_details.sepa_debit !== null
}

/** P46: an API payment is canceled exactly one day after its creation if the cardholder has not authenticated by then. */
export const abandonedPaymentsAreCanceled: Invariant = function* (snapshot) {
  const timeOf = createClockTimeLookup(snapshot)
  const deleted = new Set(snapshot.records.customers.filter(isDeleted).map(({ id }) => id))
  for (const payment of snapshot.records.payments) {
    if (payment.origin !== 'api' || isDebitPayment(payment)) continue
    const { id, status, created, customer, canceled_at, canceled_reason, test_clock } = payment
    const deadline = created + DAY
    const ended =
      [findApprovalTime(payment), payment.failed_at, canceled_at].find((time) => time !== null) ?? 0
    const isAbandoned = canceled_reason === 'abandoned'
    if (isAbandoned ? canceled_at !== deadline : ended >= deadline)
      yield `${id}: ${status} at ${ended}, but its authentication ended at ${deadline}`
    if (status !== 'requires_action') continue
    if ((timeOf(test_clock) ?? 0) >= deadline) yield `${id}: still waits after ${deadline}`
    if (deleted.has(customer)) yield `${id}: waits, but its customer is deleted`
  }
}

/** Returns the time at which the issuer approved a payment, in Unix seconds; null without an approval. */
export function findApprovalTime({ capture_before, succeeded_at }: Payment): number | null {
  return capture_before === null ? succeeded_at : capture_before - HOLD
}

/**
 * P53: a succeeded payment collected its full amount or, after a reservation, all or a part of it. A reserved amount is
 * captured or released before `capture_before`, and is released by the server exactly then.
 */
export const paymentsAreCapturedOrReleased: Invariant = function* (snapshot) {
  const timeOf = createClockTimeLookup(snapshot)
  for (const payment of snapshot.records.payments) {
    const { id, status, amount, amount_captured, amount_capturable, capture_method } = payment
    const { capture_before, canceled_reason, test_clock } = payment
    const isManual = capture_method === 'manual'
    const least = isManual ? 1 : amount
    const isExact =
      status === 'succeeded' ? amount_captured >= least && amount_captured <= amount : amount_captured === 0
    if (!isExact) yield `${id}: ${status}, captured ${amount_captured} of ${amount}`
    if (amount_capturable !== (status === 'requires_capture' ? amount : 0))
      yield `${id}: ${status}, and ${amount_capturable} of ${amount} can be captured`
    const isHeld = status === 'requires_capture' || (isManual && status === 'succeeded')
    const mayBeHeld = isManual && (isHeld || status === 'canceled')
    if (capture_before === null ? isHeld || canceled_reason === 'expired' : !mayBeHeld)
      yield `${id}: ${capture_method} and ${status}, captured before ${capture_before}`
    if (capture_before === null) continue
    const ended = payment.succeeded_at ?? payment.canceled_at ?? 0
    if (canceled_reason === 'expired' ? ended !== capture_before : ended >= capture_before)
      yield `${id}: ${status} at ${ended}, but its reservation ended at ${capture_before}`
    if (status === 'requires_capture' && (timeOf(test_clock) ?? 0) >= capture_before)
      yield `${id}: still reserved after ${capture_before}`
  }
}

/**
 * P56: a debit succeeds or fails exactly three or seven days after its creation, without any other state. An invoice has
 * at most one debit without an outcome, and no other attempt is planned until then.
 */
export const debitsEndInTime: Invariant = function* (snapshot) {
  const timeOf = createClockTimeLookup(snapshot)
  const waiting = new Set<string>()
  const invoices = new Map(snapshot.records.invoices.map((invoice) => [invoice.id, invoice]))
  for (const payment of snapshot.records.payments.filter(isDebitPayment)) {
    const { id, status, created, invoice, succeeded_at, failed_at, test_clock } = payment
    const ended = succeeded_at ?? failed_at
    const days = ended === null ? null : (ended - created) / DAY
    if (!['processing', 'succeeded', 'failed'].includes(status)) yield `${id}: a debit that is ${status}`
    if (payment.capture_method !== 'automatic') yield `${id}: a debit with capture_method manual`
    if (days !== null && days !== 3 && days !== 7) yield `${id}: ${status} after ${days} days`
    if (status !== 'processing') continue
    if ((timeOf(test_clock) ?? 0) >= created + 7 * DAY) yield `${id}: still processing after 7 days`
    if (invoice === null) continue
    const owed = invoices.get(invoice)
    const isPayable = owed?.status === 'open' || owed?.status === 'uncollectible'
    if (!isPayable || owed.latest_payment !== id || owed.next_payment_attempt !== null)
      yield `${id}: processing, but ${invoice} is ${owed?.status} with the payment ${owed?.latest_payment}`
    if (waiting.has(invoice)) yield `${invoice}: two debits without an outcome`
    waiting.add(invoice)
  }
}
