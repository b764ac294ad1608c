import type { AnySession } from '../../domain/any-session.ts'
import { findAnySession } from '../../engine/find-session.ts'
import type { PageView } from '../view/page-view.ts'
import { sessionView } from '../view/session-view.ts'
import type { TransactionReader } from './submission.ts'

/** Returns the view of a page about an invoice, a payment or a session: with the brand of the session it comes from. */
export async function loadOriginView(
  reader: TransactionReader,
  id: string,
  view: PageView,
): Promise<PageView> {
  const session = await findOrigin(reader, id)
  return session === null ? view : sessionView(view, session)
}

/** Returns the session that created a payment, or the subscription of an invoice, or null. */
async function findOrigin(reader: TransactionReader, id: string): Promise<AnySession | null> {
  const payment = await reader.get('payments', id)
  const session = await findAnySession(reader, payment?.payment_session ?? payment?.checkout_session ?? id)
  if (session !== null) return session
  const invoice = await reader.get('invoices', payment?.invoice ?? id)
  const subscription = await reader.get('subscriptions', invoice?.subscription ?? '')
  return subscription && reader.get('checkout_sessions', subscription.checkout_session)
}
