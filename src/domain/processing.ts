import { DomainError } from './domain-error.ts'
import type { Payment } from './payments.ts'
import { SLOW_SECONDS } from './test-cards.ts'

/** Whether an issuer still decides on a payment. */
export function isProcessing(payment: Payment | null): payment is Payment {
  return payment?.status === 'processing'
}

/** Refuses an action, such as "expire payment_session 'py_sess_1'", while an issuer still decides on a payment. */
export function refuseWhileProcessing(payment: Payment | null, action: string): void {
  if (!isProcessing(payment)) return
  throw new DomainError(
    'payment_processing',
    `Cannot ${action}: payment '${payment.id}' is still being processed. Wait for its outcome, then try again.`,
    { retryAfterSeconds: SLOW_SECONDS },
  )
}
