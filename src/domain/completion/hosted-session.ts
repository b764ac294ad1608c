import type { Change, RuleContext } from '../core/changes.ts'
import { type Authentication, removeAuthentication } from '../payments/authentications.ts'
import type { Payment } from '../payments/payments.ts'
import type { CheckoutSession } from '../sessions/checkout-sessions.ts'
import type { PaymentSession } from '../sessions/payment-sessions.ts'
import type { PortalSession } from '../sessions/portal-sessions.ts'
import { type EnteredPromotionCode, removeEnteredPromotionCode } from '../sessions/promotion-codes.ts'
import { type ExpirationReason, expireSession } from '../sessions/sessions.ts'
import type { CardSession } from './card-sessions.ts'

/** A session that the customer completes. */
export type CompletableSession = CheckoutSession | PaymentSession | CardSession

/** A session of any kind, including portal sessions, which the customer cannot complete. */
export type HostedSession = CompletableSession | PortalSession

/** A pending 3-D Secure authentication and its payment; both null if no authentication is pending. */
export interface PendingPaymentRecords {
  readonly authentication: Authentication | null
  readonly payment: Payment | null
}

/** A session with the records that end with it. */
export interface SessionWithDependents<S extends HostedSession = HostedSession>
  extends PendingPaymentRecords {
  readonly session: S
  /** The record of the promotion code that the customer entered; null if no code was entered. */
  readonly enteredCode: EnteredPromotionCode | null
}

/** Expires an open session like `expireSession`, and removes its authentication and its entered code. */
export function expireSessionWithDependents(
  { session, payment, authentication, enteredCode }: SessionWithDependents,
  reason: ExpirationReason,
  context: RuleContext,
): Change[] {
  return [
    ...expireSession(session, { reason, payment }, context),
    ...removeAuthentication(authentication),
    ...removeEnteredPromotionCode(enteredCode),
  ]
}
