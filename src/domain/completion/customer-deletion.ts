import { deleteInvoiceItem, type InvoiceItem } from '../billing/invoice-items.ts'
import { stopCollection } from '../billing/invoice-transitions.ts'
import type { Invoice } from '../billing/invoices.ts'
import { markSubscriptionCanceled, type Subscription } from '../billing/subscriptions.ts'
import { type Change, type RuleContext, toDeletion } from '../core/changes.ts'
import { removeAuthentication } from '../payments/authentications.ts'
import { toPaymentFailure } from '../payments/card-authorization.ts'
import type { Customer, DeletedCustomer } from '../payments/customers.ts'
import { markPaymentMethodDetached, type PaymentMethod } from '../payments/payment-methods.ts'
import { isPaymentProcessing, requireNotProcessing } from '../payments/payment-processing.ts'
import { cancelUnauthenticatedPayment, failPayment, type Payment } from '../payments/payments.ts'
import {
  expireSessionWithDependents,
  type PendingPaymentRecords,
  type SessionWithDependents,
} from './hosted-session.ts'

/** Objects that are closed or deleted with a customer, oldest first. */
export interface CustomerDependents {
  readonly sessions: readonly SessionWithDependents[]
  readonly subscriptions: readonly Subscription[]
  /** The pending invoice items of the subscriptions. */
  readonly pendingItems: readonly InvoiceItem[]
  /** Draft and open invoices, and uncollectible invoices with a pending authentication. */
  readonly invoices: readonly ({ readonly invoice: Invoice } & PendingPaymentRecords)[]
  readonly paymentMethods: readonly PaymentMethod[]
  /** API payments with a pending authentication. */
  readonly payments: readonly PendingPaymentRecords[]
}

const REASON = 'customer_deleted'

const PROCESSING_ERROR = toPaymentFailure({ kind: 'decline', code: 'processing_error', decline_code: null })

/** Deletes a customer like `forceDeleteCustomer`; throws `payment_processing` while a payment is processing. */
export function deleteCustomer(
  customer: Customer,
  dependents: CustomerDependents,
  context: RuleContext,
): { readonly changes: Change[]; readonly result: DeletedCustomer } {
  for (const { payment } of dependents.sessions)
    requireNotProcessing(payment, `delete customer '${customer.id}'`)
  return forceDeleteCustomer(customer, dependents, context)
}

/**
 * Expires the customer's sessions, cancels the subscriptions, stops the collection of invoices and detaches the cards,
 * then deletes the customer. These objects can still be retrieved. A processing payment fails, because a deleted test
 * clock would never complete it.
 */
export function forceDeleteCustomer(
  customer: Customer,
  dependents: CustomerDependents,
  context: RuleContext,
): { readonly changes: Change[]; readonly result: DeletedCustomer } {
  const { sessions, subscriptions, pendingItems, invoices, paymentMethods, payments } = dependents
  const deleted = toDeletion(customer)
  return {
    changes: [
      ...[...sessions, ...invoices, ...payments].flatMap(({ payment }) => endPayment(payment, context)),
      ...sessions.flatMap((one) => expireSessionWithDependents({ ...one, payment: null }, REASON, context)),
      ...subscriptions.map((subscription) => markSubscriptionCanceled(subscription, REASON, context)),
      ...pendingItems.map(deleteInvoiceItem),
      ...invoices.flatMap(({ invoice, authentication }) => [
        ...stopCollection(invoice),
        ...removeAuthentication(authentication),
      ]),
      ...payments.flatMap(({ authentication }) => removeAuthentication(authentication)),
      ...paymentMethods.map(markPaymentMethodDetached),
      deleted,
    ],
    result: deleted.after,
  }
}

function endPayment(payment: Payment | null, context: RuleContext): Change[] {
  return isPaymentProcessing(payment)
    ? [failPayment(payment, PROCESSING_ERROR, context)]
    : cancelUnauthenticatedPayment(payment, REASON, context)
}
