import { api } from '../../src/api/api.ts'
import type { ParamsOf } from '../../src/api/core/operation.ts'
import type { CardSession } from '../../src/domain/completion/card-sessions.ts'
import { isDeleted } from '../../src/domain/core/changes.ts'
import type { Customer } from '../../src/domain/payments/customers.ts'
import type { CheckoutSession } from '../../src/domain/sessions/checkout-sessions.ts'
import type { PaymentSession } from '../../src/domain/sessions/payment-sessions.ts'
import type { Sandbox } from './sandbox.ts'

type CheckoutParams = ParamsOf<typeof api.checkoutSessions.create>
type PaymentParams = ParamsOf<typeof api.paymentSessions.create>
type Terms = CheckoutParams['subscription_data']

/** Test cards by their names in lifecycle tables. */
export const CARDS = {
  visa: '4242424242424242',
  amex: '378282246310005',
  declined: '4000000000000002',
  broke: '4000000000009995',
  after_attach: '4000000000000341',
  sca: '4000002500003155',
  sca_broke: '4000008260003178',
  slow: '4000009000000060',
  stranger: '4539148803436467',
  typo: '4242424242424241',
} as const

/** The item of the example checkout session: monthly rent. */
export const RENT = {
  description: 'Monthly rent',
  type: 'rent',
  price_data: { amount: 100_000, tax_percent: 20 },
}

/** Creates a customer. */
export function newCustomer(sandbox: Pick<Sandbox, 'call'>, email = 'ada@example.com'): Promise<Customer> {
  return sandbox.call(api.customers.create, { email })
}

/** Retrieves a customer that was not deleted. */
export async function liveCustomer(sandbox: Sandbox, id: string): Promise<Customer> {
  const customer = await sandbox.call(api.customers.retrieve, { id })
  if (isDeleted(customer)) throw new Error(`${id} was deleted`)
  return customer
}

/** Creates a checkout session (default: 1000.00 EUR rent a month plus 20 % tax). */
export async function newCheckout(
  sandbox: Sandbox,
  terms: Partial<Terms> = {},
  fields: Partial<CheckoutParams> = {},
): Promise<CheckoutSession> {
  const customer = fields.customer ?? (await newCustomer(sandbox)).id
  return sandbox.call(api.checkoutSessions.create, {
    currency: 'eur',
    customer,
    subscription_data: { interval: 'month', items: [RENT], ...terms },
    ...fields,
  })
}

/** Creates a payment session for 10.00 EUR. */
export async function newPaymentSession(
  sandbox: Pick<Sandbox, 'call'>,
  fields: Partial<PaymentParams> = {},
): Promise<PaymentSession> {
  return sandbox.call(api.paymentSessions.create, {
    amount: 1000,
    currency: 'eur',
    customer: fields.customer ?? (await newCustomer(sandbox)).id,
    payment_method_types: ['card'],
    return_url: 'https://example.com/return',
    ...fields,
  })
}

/** Creates a card session for all subscriptions of a customer. */
export async function newCardSession(
  sandbox: Sandbox,
  fields: Partial<ParamsOf<typeof api.cardSessions.create>> = {},
): Promise<CardSession> {
  const customer = fields.customer ?? (await newCustomer(sandbox)).id
  return sandbox.call(api.cardSessions.create, {
    return_url: 'https://example.com/account',
    ...fields,
    customer,
  })
}
