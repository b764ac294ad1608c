import type { Attempt } from '../domain/card-submission.ts'
import type { CheckoutSession } from '../domain/checkout-sessions.ts'
import { alternatingCounter, INVOICE_COUNTER } from '../domain/counters.ts'
import { MAX_DECLINES_PER_HOUR } from '../domain/decline-limit.ts'
import type { PaymentSession } from '../domain/payment-sessions.ts'
import type { Reader } from '../store/port/store.ts'
import { loadWaiting } from './waiting.ts'

/** Loads all that trying to complete a session needs to know. */
export async function loadAttempt(
  reader: Reader,
  session: CheckoutSession | PaymentSession,
): Promise<Attempt> {
  const waiting = await loadWaiting(reader, session.id)
  const failures = await reader.list('payments', {
    where: { [session.object]: session.id, status: 'failed' },
    limit: MAX_DECLINES_PER_HOUR,
  })
  return {
    session,
    customer: await reader.get('customers', session.customer),
    waiting: waiting.authentication,
    waitingPayment: waiting.payment,
    invoiceCounter: await reader.get('counters', INVOICE_COUNTER),
    alternations: await reader.get('counters', alternatingCounter(session.customer)),
    recentFailures: failures.data,
    traceless: await reader.get('traceless_declines', session.id),
  }
}
