import { type DisputeBehavior, findDisputeBehavior } from '../cards/test-cards.ts'
import { findTestIbanByAccount } from '../cards/test-ibans.ts'
import type { Payment } from './payments.ts'
import { getRefundableAmount } from './refundable-amount.ts'

/** The time limit for 3-D Secure authentication of an API payment, which has no session that expires, in seconds. */
const AUTHENTICATION_SECONDS = 86_400

/**
 * Returns the deadline, in Unix seconds, for authenticating an API payment or capturing a reserved amount; null for
 * other payments.
 */
export function findPaymentExpiry({ origin, status, created, capture_before }: Payment): number | null {
  if (status === 'requires_capture') return capture_before
  return origin === 'api' && status === 'requires_action' ? created + AUTHENTICATION_SECONDS : null
}

/** Returns the dispute that the test card or IBAN of a payment causes at the time of the payment, or null. */
export function findTestCardDispute(payment: Payment): DisputeBehavior | null {
  if (payment.status !== 'succeeded' || payment.disputed || getRefundableAmount(payment) === 0) return null
  const { card, sepa_debit } = payment.payment_method_details
  if (card !== null) return findDisputeBehavior(card)
  return (sepa_debit && findTestIbanByAccount(sepa_debit)?.disputes) ?? null
}
