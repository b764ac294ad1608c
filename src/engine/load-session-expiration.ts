import type { HostedSession } from '../domain/completion/hosted-session.ts'
import type { Change, RuleContext } from '../domain/core/changes.ts'
import { removeAuthentication } from '../domain/payments/authentications.ts'
import { isPaymentProcessing } from '../domain/payments/payment-processing.ts'
import { removeEnteredPromotionCode } from '../domain/sessions/promotion-codes.ts'
import { expireSession } from '../domain/sessions/sessions.ts'
import type { StoreReader } from '../store/port/store.ts'
import { findEnteredPromotionCode } from './entered-promotion-code.ts'
import { loadPendingAuthentication } from './pending-authentication.ts'

/**
 * Loads a function that returns the changes of expiring a session; null while a payment of the session is processing.
 */
export async function findSessionExpirer(
  reader: StoreReader,
  session: HostedSession,
): Promise<((context: RuleContext) => readonly Change[]) | null> {
  const { payment, authentication } = await loadPendingAuthentication(reader, session.id)
  if (isPaymentProcessing(payment)) return null
  const enteredCode = await findEnteredPromotionCode(reader, session)
  const cause = { reason: 'time', payment } as const
  return (context) => [
    ...expireSession(session, cause, context),
    ...removeAuthentication(authentication),
    ...removeEnteredPromotionCode(enteredCode),
  ]
}
