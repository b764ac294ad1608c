import type { Invoice } from '../../domain/invoices.ts'
import type { AnySession } from '../view/links.ts'
import { returnTarget } from '../view/return-url.ts'
import type { View } from '../view/view.ts'
import type { Reader } from './submission.ts'

/** Who asks the buyer of a session, to be said on its page: the host of its `return_url`, unless the head names a business. */
export function askerOf(session: AnySession, { business }: View): string | null {
  return business === null ? (returnTarget(session)?.host ?? null) : null
}

/** Who asks the buyer of an invoice: whoever asked in the session that its subscription came from. */
export async function askerOfInvoice(
  reader: Reader,
  { subscription: id }: Invoice,
  view: View,
): Promise<string | null> {
  if (view.business !== null || id === null) return null
  const subscription = await reader.get('subscriptions', id)
  const session = subscription && (await reader.get('checkout_sessions', subscription.checkout_session))
  return session && askerOf(session, view)
}
