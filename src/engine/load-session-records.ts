import type { CheckoutSession } from '../domain/checkout-sessions.ts'
import { alternatingCounterId, INVOICE_COUNTER_ID } from '../domain/counters.ts'
import { MAX_DECLINES_PER_HOUR } from '../domain/decline-limit.ts'
import type { PaymentSession } from '../domain/payment-sessions.ts'
import type { SessionRecords } from '../domain/session-submission.ts'
import type { StoreReader } from '../store/port/store.ts'
import { loadPendingAuthentication } from './pending-authentication.ts'

/** Loads the records that the domain rules need to complete a session. */
export async function loadSessionRecords(
  reader: StoreReader,
  session: CheckoutSession | PaymentSession,
): Promise<SessionRecords> {
  const { authentication, payment } = await loadPendingAuthentication(reader, session.id)
  const failures = await reader.list('payments', {
    where: { [session.object]: session.id, status: 'failed' },
    limit: MAX_DECLINES_PER_HOUR,
  })
  return {
    session,
    customer: await reader.get('customers', session.customer),
    authentication,
    pendingPayment: payment,
    invoiceCounter: await reader.get('counters', INVOICE_COUNTER_ID),
    alternatingCharges: await reader.get('counters', alternatingCounterId(session.customer)),
    recentFailures: failures.data,
    declineLog: await reader.get('traceless_declines', session.id),
  }
}
