import type { SessionCompletionRecords } from '../../src/domain/completion/session-submission.ts'
import type { Change, Decision, RuleContext } from '../../src/domain/core/changes.ts'
import { type Customer, createCustomer } from '../../src/domain/payments/customers.ts'
import type { CardDetails } from '../../src/domain/payments/payment-methods.ts'
import { createPayment, type Payment } from '../../src/domain/payments/payments.ts'
import {
  type CheckoutSession,
  type CheckoutSessionParams,
  createCheckoutSession,
} from '../../src/domain/sessions/checkout-sessions.ts'
import { createPaymentSession, type PaymentSession } from '../../src/domain/sessions/payment-sessions.ts'

/** The stored fields of a Visa test card. */
export const VISA: CardDetails = {
  brand: 'visa',
  last4: '4242',
  exp_month: 12,
  exp_year: 2031,
  funding: 'credit',
  country: 'US',
  fingerprint: '0123456789abcdef',
  test_behavior: 'always_succeeds',
  wallet: null,
}

export { typed as enteredCard } from './typed-card.ts'

/** Returns a new customer. */
export function aCustomer(context: RuleContext): Customer {
  return createCustomer({ email: 'ada@example.com', name: 'Ada' }, context).after
}

/** Returns an open checkout session for 1000.00 EUR a month plus 20 % tax. */
export function aCheckout(
  context: RuleContext,
  terms: Partial<CheckoutSessionParams['subscription_data']> = {},
  fields: Partial<CheckoutSessionParams> = {},
): CheckoutSession {
  const items = [{ description: 'Rent', price_data: { amount: 100_000, tax_percent: 20 } }]
  const subscription_data = { interval: 'month', items, ...terms } as const
  const customer = aCustomer(context)
  const all = { currency: 'eur', customer: customer.id, subscription_data, ...fields }
  return createCheckoutSession(all, customer, context).after
}

/** Returns an open payment session for 10.00 EUR. */
export function aPaymentSession(context: RuleContext): PaymentSession {
  const customer = aCustomer(context)
  return createPaymentSession(
    {
      amount: 1000,
      currency: 'eur',
      customer: customer.id,
      payment_method_types: ['card'],
      return_url: 'https://example.com/return',
    },
    customer,
    context,
  ).after
}

/** Returns a payment that waits for the issuer. */
export function aPayment(context: RuleContext, more: Partial<Payment> = {}): Payment {
  const begun = createPayment(
    {
      id: context.newId('py_'),
      amount: 1000,
      currency: 'eur',
      customer: 'cus_1',
      payment_method: null,
      invoice: null,
      checkout_session: null,
      payment_session: 'py_sess_1',
      off_session: false,
      test_clock: null,
      card: VISA,
    },
    context,
  )
  return { ...begun.after, ...more }
}

/** Returns the records of a session without a payment attempt. */
export function anAttempt(
  context: RuleContext,
  session: SessionCompletionRecords['session'],
  more: Partial<SessionCompletionRecords> = {},
): SessionCompletionRecords {
  const customer = { ...aCustomer(context), id: session.customer }
  return {
    session,
    customer,
    authentication: null,
    pendingPayment: null,
    invoiceCounter: null,
    alternatingCharges: null,
    recentFailures: [],
    declineLog: null,
    cardUpdate: null,
    redemption: null,
    enteredCode: null,
    ...more,
  }
}

/** Returns the event types of changes; `-` for changes without an event. */
export function eventTypesOf(changes: readonly Change[]): string[] {
  return changes.map(({ event }) => event ?? '-')
}

/** Returns the result of a decision, or the code of its error. */
export function resultOrErrorCode<R>(decision: Decision<R>): R | string {
  return 'error' in decision ? decision.error.code : decision.result
}
