import type { CheckoutSession } from '../sessions/checkout-sessions.ts'
import type { PaymentSession } from '../sessions/payment-sessions.ts'
import type { CardSession } from './card-sessions.ts'

/** A session of any kind. */
export type AnySession = CheckoutSession | PaymentSession | CardSession
