import type { CheckoutSession } from '../sessions/checkout-sessions.ts'
import type { PaymentSession } from '../sessions/payment-sessions.ts'
import type { PortalSession } from '../sessions/portal-sessions.ts'
import type { CardSession } from './card-sessions.ts'

/** A session that the customer completes. */
export type CompletableSession = CheckoutSession | PaymentSession | CardSession

/** A session of any kind, including portal sessions, which the customer cannot complete. */
export type HostedSession = CompletableSession | PortalSession
