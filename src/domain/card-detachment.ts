import { type Authentication, endWait } from './authentications.ts'
import type { Decision, RuleContext } from './changes.ts'
import { type Customer, customerUpdated, type DeletedCustomer, isDeleted } from './customers.ts'
import { DomainError } from './domain-error.ts'
import { detachCard, type PaymentMethod } from './payment-methods.ts'
import { cancelWaiting, type Payment } from './payments.ts'
import { type Subscription, setDefaultCard } from './subscriptions.ts'

/** A saved card with those who may be charged with it. */
export interface Attached {
  readonly method: PaymentMethod
  readonly customer: Customer | DeletedCustomer | null
  /** The customer's live subscriptions. */
  readonly subscriptions: readonly Subscription[]
  /** The charges of it for which a buyer is asked. */
  readonly asked: readonly { readonly payment: Payment; readonly authentication: Authentication | null }[]
}

/**
 * Takes a card away from its customer: whoever is asked to confirm a charge of it is not waited for any more, and the
 * customer and the customer's subscriptions have it as default no more.
 */
export function detachByHand(attached: Attached, context: RuleContext): Decision<PaymentMethod> {
  const { method, customer, subscriptions, asked } = attached
  if (method.customer === null) {
    throw new DomainError(
      'payment_method_unexpected_state',
      `Payment method '${method.id}' is detached already and belongs to nobody.`,
    )
  }
  const detached = detachCard(method)
  const isDefault = customer !== null && !isDeleted(customer) && customer.default_payment_method === method.id
  return {
    changes: [
      ...asked.flatMap(({ payment, authentication }) => [
        ...cancelWaiting(payment, 'payment_method_detached', context),
        ...endWait(authentication),
      ]),
      detached,
      ...(isDefault ? customerUpdated(customer, { ...customer, default_payment_method: null }) : []),
      ...subscriptions
        .filter(({ default_payment_method }) => default_payment_method === method.id)
        .map((subscription) => setDefaultCard(subscription, null)),
    ],
    result: detached.after,
  }
}
