import { getCaptureDecision } from '../cards/test-cards.ts'
import type { Decision, RuleContext } from '../core/changes.ts'
import { formatAmount } from '../core/currencies.ts'
import { DomainError, requireStatus } from '../core/domain-error.ts'
import { createDeclineError, toPaymentFailure } from '../payments/card-authorization.ts'
import { markPaymentCaptured } from '../payments/payment-approval.ts'
import type { Payment } from '../payments/payments.ts'
import { markSessionPaid, type PaymentSession } from '../sessions/payment-sessions.ts'

/** A payment with its payment session; null for an API payment. */
export interface PaymentWithSession {
  readonly payment: Payment
  readonly session: PaymentSession | null
}

/**
 * Collects a reserved amount, or a part of it in minor units, and releases the remaining amount. A decline by the
 * issuer changes nothing, so the payment can be captured again.
 */
export function capturePayment(
  { payment, session }: PaymentWithSession,
  { amount = payment.amount_capturable }: { readonly amount?: number },
  context: RuleContext,
): Decision<Payment> {
  requireStatus(payment, ['requires_capture'], 'capture')
  requireCapturable(payment, amount)
  const { card } = payment.payment_method_details
  const issuer = card && getCaptureDecision(card)
  if (issuer?.kind === 'decline')
    return { changes: [], error: createDeclineError(toPaymentFailure(issuer), payment) }
  const captured = markPaymentCaptured(payment, amount, context)
  const paid = session === null ? [] : [markSessionPaid(session)]
  return { changes: [captured, ...paid], result: captured.after }
}

function requireCapturable({ id, amount_capturable: reserved, currency }: Payment, amount: number): void {
  if (amount <= reserved) return
  throw new DomainError(
    'amount_too_large',
    `Capture of ${formatAmount(amount, currency)} exceeds the reserved ${formatAmount(reserved, currency)} of payment '${id}'. Use at most ${reserved}, in minor units.`,
    { param: 'amount', skipMasking: true },
  )
}
