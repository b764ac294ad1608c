import type { AnySession } from '../../domain/completion/any-session.ts'
import { findAnySession } from '../../engine/find-session.ts'
import type { TransactionReader } from './form-submission.ts'

/** Returns the session with an id, or the session that created a payment or the subscription of an invoice; null if there is none. */
export async function findOriginSession(reader: TransactionReader, id: string): Promise<AnySession | null> {
  const payment = await reader.get('payments', id)
  const session = payment?.payment_session ?? payment?.checkout_session
  if (session) return findAnySession(reader, session)
  const invoice = await reader.get('invoices', payment?.invoice ?? id)
  if (invoice === null) return findAnySession(reader, id)
  const subscription = await reader.get('subscriptions', invoice.subscription ?? '')
  return subscription && reader.get('checkout_sessions', subscription.checkout_session)
}
