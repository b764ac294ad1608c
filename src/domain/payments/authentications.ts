import { type Change, toCreation, toRemoval } from '../core/changes.ts'
import type { CardDetails } from './payment-methods.ts'
import type { Payment } from './payments.ts'

/**
 * Internal record: a pending 3-D Secure authentication, at most one per session, invoice or API payment. Stores the
 * card details, so that the cardholder enters the number only once. `payment` is null when the card is only saved.
 */
export interface Authentication {
  readonly id: string
  readonly object: 'authentication'
  readonly payment: string | null
  readonly card: CardDetails
  readonly name: string | null
  /** Whether the card that pays an invoice is saved when the payment succeeds. Absent means false. */
  readonly keep?: boolean
  /** The offer that the customer accepted on the page of the session; absent when the API submitted the card. */
  readonly offer?: string
}

/** Creates the pending authentication of a session, invoice or API payment, with the same id. */
export function createAuthentication(authentication: Omit<Authentication, 'object'>): Change<Authentication> {
  return toCreation<Authentication>(null, { ...authentication, object: 'authentication' })
}

/** Removes a pending authentication, if any. */
export function removeAuthentication(authentication: Authentication | null): Change[] {
  return authentication === null ? [] : [toRemoval(authentication)]
}

/**
 * Returns the id of the pending authentication of a payment: the id of its session or invoice, or otherwise of the
 * payment.
 */
export function getAuthenticationId({ checkout_session, payment_session, invoice, id }: Payment): string {
  return checkout_session ?? payment_session ?? invoice ?? id
}
