import type { Change, RuleContext } from '../core/changes.ts'
import { removeAuthentication } from '../payments/authentications.ts'
import { isPaymentProcessing } from '../payments/payment-processing.ts'
import { cancelPayment } from '../payments/payments.ts'
import { removeEnteredPromotionCode } from '../sessions/promotion-codes.ts'
import { expireSession } from '../sessions/sessions.ts'
import { hasChangedOffer } from './session-offers.ts'
import { completeApprovedSession, type SessionCompletionRecords } from './session-submission.ts'

/**
 * Completes a session when the issuer approves its processing payment; changes nothing when the session is complete or
 * expired. When the terms have changed since the customer accepted them, the payment is canceled. The session then stays
 * open until its expiry, which the processing payment delayed.
 */
export function completeProcessingSession(
  records: SessionCompletionRecords,
  context: RuleContext,
): readonly Change[] {
  const { session, authentication, pendingPayment } = records
  if (authentication === null || !isPaymentProcessing(pendingPayment) || session.status !== 'open') return []
  const { card, name } = authentication
  if (hasChangedOffer(records, context.now)) {
    const canceled = cancelPayment(pendingPayment, 'amount_changed', context)
    const ended = [...removeAuthentication(authentication), canceled]
    if (context.now < session.expires_at) return ended
    const expired = expireSession(session, { reason: 'time', payment: null }, context)
    return [...ended, ...expired, ...removeEnteredPromotionCode(records.enteredCode)]
  }
  const finished = completeApprovedSession(records, { card, name, payment: pendingPayment }, context)
  return [...removeAuthentication(authentication), ...finished.changes]
}
