import { type Authentication, endWait } from './authentications.ts'
import { cardFailure } from './card-reading.ts'
import type { Change, RuleContext } from './changes.ts'
import { type CheckoutSession, expireCheckoutSession } from './checkout-sessions.ts'
import { type Customer, customerDeleted, type DeletedCustomer } from './customers.ts'
import { stopCollection } from './invoice-collection.ts'
import type { Invoice } from './invoices.ts'
import { detachCard, type PaymentMethod } from './payment-methods.ts'
import { expirePaymentSession, type PaymentSession } from './payment-sessions.ts'
import { cancelWaiting, failPayment, type Payment } from './payments.ts'
import { isProcessing, refuseWhileProcessing } from './processing.ts'
import { cancelSubscription, type Subscription } from './subscriptions.ts'

/** A buyer in 3-D Secure, with the payment begun for it; both null when nobody is waited for. */
interface Waiting {
  readonly authentication: Authentication | null
  readonly payment: Payment | null
}

interface OpenSession extends Waiting {
  readonly session: CheckoutSession | PaymentSession
}

interface OpenInvoice extends Waiting {
  readonly invoice: Invoice
}

/** What ends with a customer, oldest first. */
export interface Belongings {
  readonly sessions: readonly OpenSession[]
  readonly subscriptions: readonly Subscription[]
  /** Drafts and open ones, and written-off ones that wait for their buyer. */
  readonly invoices: readonly OpenInvoice[]
  readonly paymentMethods: readonly PaymentMethod[]
}

const REASON = 'customer_deleted'

const UNHEARD = cardFailure({ kind: 'decline', code: 'processing_error', decline_code: null })

/** Deletes a customer as `endCustomer`; refuses while an issuer still decides on a payment of theirs. */
export function deleteCustomer(
  customer: Customer,
  belongings: Belongings,
  context: RuleContext,
): { readonly changes: Change[]; readonly result: DeletedCustomer } {
  for (const { payment } of belongings.sessions)
    refuseWhileProcessing(payment, `delete customer '${customer.id}'`)
  return endCustomer(customer, belongings, context)
}

/**
 * Ends all that lives of a customer, then the customer; what is history stays readable. A payment whose issuer still
 * decides fails: on a deleted clock nobody hears the outcome.
 */
export function endCustomer(
  customer: Customer,
  belongings: Belongings,
  context: RuleContext,
): { readonly changes: Change[]; readonly result: DeletedCustomer } {
  const { sessions, subscriptions, invoices, paymentMethods } = belongings
  const deleted = customerDeleted(customer)
  return {
    changes: [
      ...[...sessions, ...invoices].flatMap(({ payment }) => endAttempt(payment, context)),
      ...sessions.flatMap((open) => expireOpen(open, context)),
      ...subscriptions.map((subscription) => cancelSubscription(subscription, REASON, context)),
      ...invoices.flatMap(({ invoice, authentication }) => [
        ...stopCollection(invoice),
        ...endWait(authentication),
      ]),
      ...paymentMethods.map(detachCard),
      deleted,
    ],
    result: deleted.after,
  }
}

function endAttempt(payment: Payment | null, context: RuleContext): Change[] {
  return isProcessing(payment)
    ? [failPayment(payment, UNHEARD, context)]
    : cancelWaiting(payment, REASON, context)
}

function expireOpen({ session, authentication }: OpenSession, context: RuleContext): Change[] {
  const cause = { reason: REASON, payment: null } as const
  const expired =
    session.object === 'checkout_session'
      ? expireCheckoutSession(session, cause, context)
      : expirePaymentSession(session, cause, context)
  return [...expired, ...endWait(authentication)]
}
