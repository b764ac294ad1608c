import type { HostedSession } from '../domain/completion/hosted-session.ts'
import type { EnteredPromotionCode } from '../domain/sessions/promotion-codes.ts'
import type { StoreReader } from '../store/port/store.ts'

/**
 * Loads the code that the customer of a session entered; null if there is no code or the session does not accept codes.
 */
export async function findEnteredPromotionCode(
  reader: StoreReader,
  session: HostedSession,
): Promise<EnteredPromotionCode | null> {
  const isAllowed = session.object === 'checkout_session' && session.allow_promotion_codes
  return isAllowed ? reader.get('entered_codes', session.id) : null
}
