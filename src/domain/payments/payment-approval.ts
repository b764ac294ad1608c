import { type ObjectUpdate, type RuleContext, toUpdate } from '../core/changes.ts'
import { type Payment, type PaymentReferences, succeedPayment, withIssuerApproval } from './payments.ts'

/** The time limit for the capture of a reserved amount, in seconds. */
const CAPTURE_SECONDS = 7 * 86_400

/** Marks a payment that the issuer approved as succeeded, or as reserved with `capture_method: manual`. */
export function approvePayment(
  payment: Payment,
  links: PaymentReferences,
  context: RuleContext,
): ObjectUpdate<Payment> {
  if (payment.capture_method === 'automatic') return succeedPayment(payment, links, context)
  return toUpdate('payment.authorized', payment, {
    ...withIssuerApproval(payment, links),
    status: 'requires_capture',
    amount_capturable: payment.amount,
    capture_before: context.now + CAPTURE_SECONDS,
  })
}

/** Marks a payment as succeeded after its reserved amount, or a part of it in minor units, is captured. */
export function markPaymentCaptured(
  payment: Payment,
  amount: number,
  context: RuleContext,
): ObjectUpdate<Payment> {
  return toUpdate('payment.succeeded', payment, {
    ...payment,
    status: 'succeeded',
    amount_capturable: 0,
    amount_captured: amount,
    succeeded_at: context.now,
  })
}
