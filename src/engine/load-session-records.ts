import type { CompletableSession } from '../domain/completion/hosted-session.ts'
import type { SessionCompletionRecords } from '../domain/completion/session-submission.ts'
import { getAlternatingCounterId, INVOICE_COUNTER_ID } from '../domain/core/counters.ts'
import { MAX_DECLINES_PER_HOUR } from '../domain/payments/decline-limit.ts'
import type { Payment } from '../domain/payments/payments.ts'
import type { StoreReader } from '../store/port/store.ts'
import { loadCardUpdateRecords } from './load-card-update.ts'
import { loadSessionRedemption } from './load-redemption.ts'
import { loadPendingAuthentication } from './pending-authentication.ts'

/** Loads the records that the domain rules need to complete a session. */
export async function loadSessionRecords(
  reader: StoreReader,
  session: CompletableSession,
): Promise<SessionCompletionRecords> {
  const { authentication, payment } = await loadPendingAuthentication(reader, session.id)
  return {
    session,
    customer: await reader.get('customers', session.customer),
    authentication,
    pendingPayment: payment,
    invoiceCounter: await reader.get('counters', INVOICE_COUNTER_ID),
    alternatingCharges: await reader.get('counters', getAlternatingCounterId(session.customer)),
    recentFailures: await loadRecentFailures(reader, session),
    declineLog: await reader.get('traceless_declines', session.id),
    cardUpdate: session.object === 'card_session' ? await loadCardUpdateRecords(reader, session) : null,
    ...(await loadSessionRedemption(reader, session)),
  }
}

async function loadRecentFailures(
  reader: StoreReader,
  { object, id }: CompletableSession,
): Promise<readonly Payment[]> {
  // A card session has no payments of its own, because its payments belong to invoices.
  if (object === 'card_session') return []
  const where = { [object]: id, status: 'failed' }
  return (await reader.list('payments', { where, limit: MAX_DECLINES_PER_HOUR })).data
}
