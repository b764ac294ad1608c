import { type Change, creation, type Mutation, mutation, type RuleContext } from './changes.ts'
import { type Customer, replaceCustomer } from './customers.ts'
import type { Metadata } from './metadata.ts'

/** The stored data of a card, without its number and security code. */
export interface CardDetails {
  readonly brand: string
  readonly last4: string
  readonly exp_month: number
  readonly exp_year: number
  readonly funding: string
  readonly country: string
  readonly fingerprint: string
  readonly test_behavior: string
}

export interface PaymentMethod {
  readonly id: string
  readonly object: 'payment_method'
  readonly created: number
  readonly livemode: false
  readonly type: 'card'
  readonly customer: string | null
  readonly card: CardDetails
  readonly billing_details: { readonly name: string | null; readonly email: string | null }
  readonly metadata: Metadata
  readonly test_clock: string | null
}

/** Saves a card to a customer under a reserved id. The first card of a customer becomes the default. */
export function attachCard(
  attachment: {
    readonly id: string
    readonly customer: Customer
    readonly card: CardDetails
    readonly name: string | null
  },
  context: RuleContext,
): { readonly changes: Change[]; readonly result: PaymentMethod } {
  const { id, customer, card, name } = attachment
  const attached = creation<PaymentMethod>('payment_method.attached', {
    id,
    object: 'payment_method',
    created: context.now,
    livemode: false,
    type: 'card',
    customer: customer.id,
    card,
    billing_details: { name, email: customer.email },
    metadata: {},
    test_clock: customer.test_clock,
  })
  const withDefault = { ...customer, default_payment_method: customer.default_payment_method ?? id }
  return { changes: [attached, ...replaceCustomer(customer, withDefault)], result: attached.after }
}

/** Detaches a card from its customer. It stays readable, but cannot be charged. */
export function detachCard(method: PaymentMethod): Mutation<PaymentMethod> {
  return mutation('payment_method.detached', method, { ...method, customer: null })
}
