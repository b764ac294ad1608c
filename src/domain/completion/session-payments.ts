import type { Change, Creation, RuleContext } from '../core/changes.ts'
import type { Customer } from '../payments/customers.ts'
import { attachPaymentMethod, type Instrument } from '../payments/payment-methods.ts'
import { createPayment, type Payment } from '../payments/payments.ts'
import type { CheckoutSession } from '../sessions/checkout-sessions.ts'
import type { PaymentSession } from '../sessions/payment-sessions.ts'

type CreateSessionPaymentOptions = Pick<Payment, 'amount'> &
  Partial<Pick<Payment, 'id' | 'payment_method' | 'invoice'>>

/**
 * Creates the payment of a session; the amount is in minor units. The card and the invoice are created with the
 * payment. Without an `id`, the payment gets a new id.
 */
export function createSessionPayment(
  session: CheckoutSession | PaymentSession,
  card: Instrument,
  context: RuleContext,
  { id = context.newId('py_'), ...links }: CreateSessionPaymentOptions,
): Creation<Payment> {
  const { id: sessionId } = session
  const owner =
    session.object === 'checkout_session'
      ? { checkout_session: sessionId }
      : { payment_session: sessionId, capture_method: session.capture_method }
  return createPayment(
    {
      id,
      currency: session.currency,
      customer: session.customer,
      ...owner,
      ...links,
      off_session: false,
      test_clock: session.test_clock,
      card,
    },
    context,
  )
}

/** Saves the card of a payment session with `save_payment_method`; changes nothing for other sessions. */
export function saveSessionCard(
  { save_payment_method }: PaymentSession,
  entered: { readonly customer: Customer; readonly card: Instrument; readonly name: string | null },
  context: RuleContext,
): { readonly changes: readonly Change[]; readonly links: { readonly payment_method?: string } } {
  if (!save_payment_method) return { changes: [], links: {} }
  const { changes, result } = attachPaymentMethod({ id: context.newId('pm_'), ...entered }, context)
  return { changes, links: { payment_method: result.id } }
}
