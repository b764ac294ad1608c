import type { Decision } from './changes.ts'
import { type Customer, customerUpdated, type DeletedCustomer, isDeleted } from './customers.ts'
import { detachCard, type PaymentMethod } from './payment-methods.ts'
import { Refusal } from './refusal.ts'
import { type Subscription, setDefaultCard } from './subscriptions.ts'

/** A saved card with those who may be charged with it. */
export interface Attached {
  readonly method: PaymentMethod
  readonly customer: Customer | DeletedCustomer | null
  /** The customer's live subscriptions. */
  readonly subscriptions: readonly Subscription[]
}

/** Takes a card away from its customer, who and whose subscriptions then have it as default no more. */
export function detachByHand({ method, customer, subscriptions }: Attached): Decision<PaymentMethod> {
  if (method.customer === null) {
    throw new Refusal(
      'payment_method_unexpected_state',
      `Payment method '${method.id}' is detached already and belongs to nobody.`,
    )
  }
  const detached = detachCard(method)
  const isDefault = customer !== null && !isDeleted(customer) && customer.default_payment_method === method.id
  return {
    changes: [
      detached,
      ...(isDefault ? customerUpdated(customer, { ...customer, default_payment_method: null }) : []),
      ...subscriptions
        .filter(({ default_payment_method }) => default_payment_method === method.id)
        .map((subscription) => setDefaultCard(subscription, null)),
    ],
    result: detached.after,
  }
}
