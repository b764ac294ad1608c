import type { AnySession } from '../../domain/any-session.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { PageView } from '../view/page-view.ts'
import { getReturnTarget } from '../view/return-url.ts'
import type { TransactionReader } from './submission.ts'

/** Returns the host of a session's `return_url`; null when it has none or the page header names the business. */
export function getMerchantName(session: AnySession, { brand }: PageView): string | null {
  return brand.name === null ? (getReturnTarget(session)?.host ?? null) : null
}

/** Returns the merchant name of the session that created the invoice's subscription, or null. */
export async function loadInvoiceMerchantName(
  reader: TransactionReader,
  { subscription: id }: Invoice,
  view: PageView,
): Promise<string | null> {
  if (view.brand.name !== null || id === null) return null
  const subscription = await reader.get('subscriptions', id)
  const session = subscription && (await reader.get('checkout_sessions', subscription.checkout_session))
  return session && getMerchantName(session, view)
}
