import { SLOW_CARD_SECONDS } from '../cards/test-cards.ts'
import { DomainError } from '../core/domain-error.ts'
import type { Payment } from './payments.ts'

/** Returns whether a payment is waiting for the issuer's decision, or for the outcome of a debit. */
export function isPaymentProcessing(payment: Payment | null): payment is Payment {
  return payment?.status === 'processing'
}

/** Throws `payment_processing` while a payment is processing. `action` is e.g. "expire payment_session 'py_sess_1'". */
export function requireNotProcessing(payment: Payment | null, action: string): void {
  if (!isPaymentProcessing(payment)) return
  throw new DomainError(
    'payment_processing',
    `Cannot ${action}: payment '${payment.id}' is still processing. Wait for its result, then try again.`,
    payment.payment_method_details.card === null ? {} : { retryAfterSeconds: SLOW_CARD_SECONDS },
  )
}
