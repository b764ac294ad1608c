import type { CardSession } from './card-sessions.ts'
import type { CheckoutSession } from './checkout-sessions.ts'
import type { PaymentSession } from './payment-sessions.ts'

/** A session of any kind. */
export type AnySession = CheckoutSession | PaymentSession | CardSession
