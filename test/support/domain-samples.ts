import type { Attempt, EnteredCard } from '../../src/domain/card-submission.ts'
import type { Change, Decision, RuleContext } from '../../src/domain/changes.ts'
import {
  type CheckoutSession,
  type CheckoutSessionFields,
  createCheckoutSession,
} from '../../src/domain/checkout-sessions.ts'
import { type Customer, createCustomer } from '../../src/domain/customers.ts'
import type { CardDetails } from '../../src/domain/payment-methods.ts'
import { createPaymentSession, type PaymentSession } from '../../src/domain/payment-sessions.ts'
import { beginPayment, type Payment } from '../../src/domain/payments.ts'

/** What is kept of a Visa test card. */
export const VISA: CardDetails = {
  brand: 'visa',
  last4: '4242',
  exp_month: 12,
  exp_year: 2031,
  funding: 'credit',
  country: 'US',
  fingerprint: '0123456789abcdef',
  test_behavior: 'always_succeeds',
}

/** A card as it is typed. */
export function entered(number: string, more: Partial<EnteredCard> = {}): EnteredCard {
  return { number, exp_month: '12', exp_year: '2031', cvc: /^3[47]/.test(number) ? '7391' : '739', ...more }
}

/** A new customer. */
export function aCustomer(context: RuleContext): Customer {
  return createCustomer({ email: 'ada@example.com', name: 'Ada' }, context).after
}

/** An open session for 1000.00 EUR and tax of 20 % a month. */
export function aCheckout(
  context: RuleContext,
  terms: Partial<CheckoutSessionFields['subscription_data']> = {},
  fields: Partial<CheckoutSessionFields> = {},
): CheckoutSession {
  const items = [{ description: 'Rent', price_data: { amount: 100_000, tax_percent: 20 } }]
  const subscription_data = { interval: 'month', items, ...terms } as const
  const customer = aCustomer(context)
  const all = { currency: 'eur', customer: customer.id, subscription_data, ...fields }
  return createCheckoutSession(all, customer, context).after
}

/** An open session for 10.00 EUR. */
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

/** A payment that the issuer has not answered yet. */
export function aPayment(context: RuleContext, more: Partial<Payment> = {}): Payment {
  const begun = beginPayment(
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

/** A session that nobody has tried to complete yet. */
export function anAttempt(
  context: RuleContext,
  session: Attempt['session'],
  more: Partial<Attempt> = {},
): Attempt {
  const customer = { ...aCustomer(context), id: session.customer }
  return {
    session,
    customer,
    waiting: null,
    waitingPayment: null,
    invoiceCounter: null,
    alternations: null,
    recentFailures: [],
    traceless: null,
    ...more,
  }
}

/** The events that changes will be told by; private ones as `-`. */
export function told(changes: readonly Change[]): string[] {
  return changes.map(({ event }) => event ?? '-')
}

/** What a decision comes to: its result, or the code of its refusal. */
export function cameTo<R>(decision: Decision<R>): R | string {
  return 'refusal' in decision ? decision.refusal.code : decision.result
}
