import { isDeletedCustomer } from '../../domain/payments/customers.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import { clockTimesOf, type Invariant } from './snapshot.ts'

const DAY = 86_400

/** P45: the origin of a payment is the object it belongs to; only an API payment of a saved card belongs to no object. */
export const paymentsHaveAnOrigin: Invariant = function* ({ records }) {
  for (const payment of records.payments) {
    const { id, origin, payment_method } = payment
    const expected = expectedOrigin(payment)
    if (origin !== expected) yield `${id}: its origin is ${origin}, not ${expected}`
    if (origin === 'api' && payment_method === null) yield `${id}: an API payment without a saved card`
    if (origin === 'api' && payment.status === 'processing') yield `${id}: an API payment that is processing`
  }
}

function expectedOrigin({ checkout_session, payment_session, invoice }: Payment): string {
  if (checkout_session !== null) return 'checkout_session'
  if (payment_session !== null) return 'payment_session'
  return invoice === null ? 'api' : 'invoice'
}

/** P46: an API payment is canceled exactly one day after its creation if the cardholder has not authenticated by then. */
export const abandonedPaymentsAreCanceled: Invariant = function* (snapshot) {
  const timeOf = clockTimesOf(snapshot)
  const deleted = new Set(snapshot.records.customers.filter(isDeletedCustomer).map(({ id }) => id))
  for (const payment of snapshot.records.payments.filter(({ origin }) => origin === 'api')) {
    const { id, status, created, customer, canceled_at, canceled_reason, test_clock } = payment
    const deadline = created + DAY
    const ended = [payment.succeeded_at, payment.failed_at, canceled_at].find((time) => time !== null) ?? 0
    const isAbandoned = canceled_reason === 'abandoned'
    if (isAbandoned ? canceled_at !== deadline : ended >= deadline)
      yield `${id}: ${status} at ${ended}, but its authentication ended at ${deadline}`
    if (status !== 'requires_action') continue
    if ((timeOf(test_clock) ?? 0) >= deadline) yield `${id}: still waits after ${deadline}`
    if (deleted.has(customer)) yield `${id}: waits, but its customer is deleted`
  }
}
