import { type Decision, isDeleted, type RuleContext, toUpdate } from '../core/changes.ts'
import { DomainError } from '../core/domain-error.ts'
import { type Authentication, removeAuthentication } from '../payments/authentications.ts'
import type { Customer, DeletedCustomer } from '../payments/customers.ts'
import { markPaymentMethodDetached, type PaymentMethod } from '../payments/payment-methods.ts'
import { cancelUnauthenticatedPayment, type Payment } from '../payments/payments.ts'
import { type Subscription, setDefaultCard } from './subscriptions.ts'

/** A saved card with the records that refer to it. */
export interface PaymentMethodWithDependents {
  readonly method: PaymentMethod
  readonly customer: Customer | DeletedCustomer | null
  /** The customer's subscriptions that are not canceled. */
  readonly subscriptions: readonly Subscription[]
  /** Payments with the card that require 3-D Secure authentication. */
  readonly pendingPayments: readonly {
    readonly payment: Payment
    readonly authentication: Authentication | null
  }[]
}

/**
 * Detaches a card from its customer and cancels its payments that require authentication. Removes the card as default
 * of the customer and of the customer's subscriptions.
 */
export function detachPaymentMethod(
  attached: PaymentMethodWithDependents,
  context: RuleContext,
): Decision<PaymentMethod> {
  const { method, customer, subscriptions, pendingPayments } = attached
  if (method.customer === null) {
    throw new DomainError(
      'payment_method_unexpected_state',
      `Cannot detach payment method '${method.id}': it is already detached.`,
    )
  }
  const detached = markPaymentMethodDetached(method)
  const isDefault = customer !== null && !isDeleted(customer) && customer.default_payment_method === method.id
  return {
    changes: [
      ...pendingPayments.flatMap(({ payment, authentication }) => [
        ...cancelUnauthenticatedPayment(payment, 'payment_method_detached', context),
        ...removeAuthentication(authentication),
      ]),
      detached,
      ...(isDefault
        ? [toUpdate('customer.updated', customer, { ...customer, default_payment_method: null })]
        : []),
      ...subscriptions
        .filter(({ default_payment_method }) => default_payment_method === method.id)
        .map((subscription) => setDefaultCard(subscription, null)),
    ],
    result: detached.after,
  }
}
