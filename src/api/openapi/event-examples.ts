import { endPeriod, startPendingSubscription } from '../../domain/billing-cycle.ts'
import { type BillingAccount, BillingUnitOfWork } from '../../domain/billing-unit-of-work.ts'
import { detachPaymentMethod } from '../../domain/card-detachment.ts'
import type { Change, RuleContext, StoredObject } from '../../domain/changes.ts'
import { chargeInvoice, EMPTY_COLLECTION_HISTORY, endSubscription } from '../../domain/charge-invoice.ts'
import { createCheckoutSession } from '../../domain/checkout-sessions.ts'
import type { Counter } from '../../domain/counters.ts'
import { deleteCustomer } from '../../domain/customer-deletion.ts'
import { type Customer, createCustomer } from '../../domain/customers.ts'
import type { EventType } from '../../domain/event-types.ts'
import type { Event } from '../../domain/events.ts'
import {
  markInvoiceOverdue,
  markInvoicePaidOutOfBand,
  markInvoiceSent,
  markInvoiceUncollectible,
  markInvoiceVoid,
  stopCollection,
} from '../../domain/invoice-transitions.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import { createPaymentSession } from '../../domain/payment-sessions.ts'
import { cancelPayment, type Payment } from '../../domain/payments.ts'
import { createRefund, failRefund, succeedRefund } from '../../domain/refunds.ts'
import { expireSession } from '../../domain/sessions.ts'
import {
  markUnpaid,
  recoverSubscription,
  type Subscription,
  updateSubscription,
} from '../../domain/subscriptions.ts'
import { findCardByAlias } from '../../domain/test-cards.ts'
import {
  beginAdvance,
  beginClockDeletion,
  createTestClock,
  deleteClock,
  endAdvance,
  simulateClockFailure,
} from '../../domain/test-clocks.ts'
import {
  EXAMPLE_CHECKOUT,
  EXAMPLE_CLOCK,
  EXAMPLE_CUSTOMER,
  EXAMPLE_NOW,
  EXAMPLE_PAYMENT,
  EXAMPLE_REFUND,
} from '../operations/example-requests.ts'
import {
  completeExampleCheckout,
  createExampleEvent,
  EXAMPLE_CONTEXT,
  payExampleSession,
} from './example-context.ts'

const DAY = 86_400
const BY_TIME = { reason: 'time', payment: null } as const

/** Changes and the context in which they were made. */
interface ExampleChanges {
  readonly changes: readonly Change[]
  readonly context: RuleContext
}

/** Returns one event of each type; the domain rules create them, so that they are never out of date. */
export function exampleEvents(): ReadonlyMap<EventType, Event> {
  const customer = createCustomer(EXAMPLE_CUSTOMER, EXAMPLE_CONTEXT)
  const purchase = completeExampleCheckout(customer.after)
  const examples = [
    withExampleContext([customer, ...purchase]),
    ...customerChanges(customer.after, purchase),
    ...sessionChanges(customer.after),
    ...paymentChanges(customer.after),
    ...renewalChanges(customer.after, purchase),
    withExampleContext(clockChanges()),
  ]
  const events = new Map<EventType, Event>()
  for (const { changes, context } of examples) {
    for (const change of changes) {
      if (change.event !== null && !events.has(change.event))
        events.set(change.event, createExampleEvent(change, context))
    }
  }
  return events
}

/** Returns the example of an event type. */
export function exampleEvent(
  type: EventType,
  events: ReadonlyMap<EventType, Event> = exampleEvents(),
): Event {
  const event = events.get(type)
  if (event === undefined) throw new Error(`there is no example of ${type}`)
  return event
}

function withExampleContext(changes: readonly Change[]): ExampleChanges {
  return { changes, context: EXAMPLE_CONTEXT }
}

function createContextAfter(days: number): RuleContext {
  const now = EXAMPLE_NOW + days * DAY
  return { ...EXAMPLE_CONTEXT, now, wallNow: now }
}

function lastOf<T extends StoredObject>(changes: readonly Change[], object: T['object']): T {
  const found = changes.findLast(({ after }) => after?.object === object)?.after
  if (!found) throw new Error(`the example has no ${object}`)
  return found as T
}

function customerChanges(customer: Customer, purchase: readonly Change[]): ExampleChanges[] {
  const method = lastOf<PaymentMethod>(purchase, 'payment_method')
  const noRelatedObjects = { sessions: [], subscriptions: [], invoices: [], paymentMethods: [] }
  return [
    withExampleContext(
      detachPaymentMethod({ method, customer, subscriptions: [], pendingPayments: [] }, EXAMPLE_CONTEXT)
        .changes,
    ),
    withExampleContext(deleteCustomer(customer, noRelatedObjects, EXAMPLE_CONTEXT).changes),
  ]
}

function sessionChanges(customer: Customer): ExampleChanges[] {
  const checkout = createCheckoutSession(EXAMPLE_CHECKOUT, customer, EXAMPLE_CONTEXT)
  const payment = createPaymentSession(EXAMPLE_PAYMENT, customer, EXAMPLE_CONTEXT)
  const tomorrow = createContextAfter(1)
  return [
    withExampleContext([checkout, payment]),
    { changes: expireSession(checkout.after, BY_TIME, tomorrow), context: tomorrow },
    { changes: expireSession(payment.after, BY_TIME, tomorrow), context: tomorrow },
  ]
}

function paymentChanges(customer: Customer): ExampleChanges[] {
  const authenticating = payExampleSession(customer, 'sca_always').changes
  const { refund, changes } = createExampleRefund(customer, 'refund_async')
  const failed = createExampleRefund(customer, 'refund_fails')
  return [
    withExampleContext(payExampleSession(customer, 'visa').changes),
    withExampleContext(payExampleSession(customer, 'insufficient_funds').changes),
    withExampleContext(authenticating),
    withExampleContext([
      cancelPayment(lastOf<Payment>(authenticating, 'payment'), 'superseded', EXAMPLE_CONTEXT),
    ]),
    withExampleContext(createExampleRefund(customer, 'visa').changes),
    withExampleContext([...changes, succeedRefund(refund)]),
    withExampleContext(failRefund(failed.refund, failed.payment)),
  ]
}

function createExampleRefund(customer: Customer, card: string) {
  const payment = lastOf<Payment>(payExampleSession(customer, card).changes, 'payment')
  const { changes, result: refund } = createRefund(payment, EXAMPLE_REFUND, EXAMPLE_CONTEXT)
  return { refund, changes, payment: lastOf<Payment>(changes, 'payment') }
}

// Changes to the subscription and its invoices after 31 days; the overdue invoice after 61 days.
function renewalChanges(customer: Customer, purchase: readonly Change[]): ExampleChanges[] {
  const subscription = lastOf<Subscription>(purchase, 'subscription')
  const at = createContextAfter(31)
  const paid = renewExample(customer, 'visa', at)
  const unpaid = renewExample(customer, 'renewal_no_funds', at)
  const openInvoice = lastOf<Invoice>(unpaid.changes, 'invoice')
  const pastDue = { ...unpaid.account, subscription: lastOf<Subscription>(unpaid.changes, 'subscription') }
  const pending = { ...paid.account, subscription: pendingUntil(subscription, at.now) }
  const closings = [
    markInvoiceVoid(openInvoice, at),
    markInvoiceUncollectible(openInvoice, at),
    ...stopCollection(openInvoice),
  ]
  const renewal = (changes: readonly Change[]) => ({ changes, context: at })
  return [
    renewal(paid.changes),
    renewal(unpaid.changes),
    renewal(startPendingSubscription(pending, at).changes),
    withExampleContext(updateSubscription(subscription, { cancel_at_period_end: true }, EXAMPLE_CONTEXT)),
    renewal(collectWithAuthentication(pastDue, openInvoice, at)),
    renewal([markInvoicePaidOutOfBand(openInvoice, at), ...recoverSubscription(pastDue.subscription)]),
    renewal(markUnpaid(pastDue.subscription)),
    renewal(cancelForNonPayment(pastDue, at)),
    renewal(closings),
    { changes: sendAndMarkOverdue(openInvoice), context: createContextAfter(61) },
  ]
}

function renewExample(customer: Customer, card: string, context: RuleContext) {
  const purchase = completeExampleCheckout(customer, card)
  const account: BillingAccount = {
    subscription: lastOf<Subscription>(purchase, 'subscription'),
    customer,
    invoices: [],
    card: lastOf<PaymentMethod>(purchase, 'payment_method'),
    invoiceCounter: lastOf<Counter>(purchase, 'counter'),
    alternatingCharges: null,
  }
  return { account, changes: endPeriod(account, context).changes }
}

function pendingUntil(subscription: Subscription, startDate: number): Subscription {
  return {
    ...subscription,
    status: 'pending',
    start_date: startDate,
    billing_cycle_anchor: startDate,
    current_period_start: null,
    current_period_end: null,
    period_index: -1,
    latest_invoice: null,
  }
}

// The test card requires authentication for each charge.
function collectWithAuthentication(
  account: BillingAccount,
  invoice: Invoice,
  context: RuleContext,
): Change[] {
  const billing = new BillingUnitOfWork(account, context)
  const { card: saved } = account
  const test_behavior = findCardByAlias('sca_always')?.test_behavior
  if (saved === null || test_behavior === undefined) throw new Error('there is no test card sca_always')
  const card = { ...saved, card: { ...saved.card, test_behavior } }
  chargeInvoice(billing, {
    invoice,
    history: EMPTY_COLLECTION_HISTORY,
    card,
    isAutomatic: false,
    isOffSession: false,
  })
  return billing.changes
}

function cancelForNonPayment(account: BillingAccount, context: RuleContext): Change[] {
  const billing = new BillingUnitOfWork(account, context)
  endSubscription(billing, 'payment_failed')
  return billing.changes
}

function sendAndMarkOverdue(invoice: Invoice): Change[] {
  const sent = markInvoiceSent({ ...invoice, collection_method: 'send_invoice' })
  return [sent, markInvoiceOverdue(sent.after)]
}

function clockChanges(): Change[] {
  const created = createTestClock(EXAMPLE_CLOCK, EXAMPLE_CONTEXT)
  const begun = beginAdvance(created.after, EXAMPLE_NOW + 31 * DAY)
  const ready = endAdvance(begun.after, EXAMPLE_NOW + 31 * DAY)
  const deleting = beginClockDeletion(ready.after)
  return [
    created,
    begun,
    ready,
    ...simulateClockFailure(ready.after).changes,
    deleting,
    deleteClock(deleting.after),
  ]
}
