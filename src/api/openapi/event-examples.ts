import { renewOrCancelAtPeriodEnd, startPendingSubscription } from '../../domain/billing/billing-cycle.ts'
import { type BillingRecords, BillingUnitOfWork } from '../../domain/billing/billing-unit-of-work.ts'
import { detachPaymentMethod } from '../../domain/billing/card-detachment.ts'
import {
  chargeInvoice,
  EMPTY_COLLECTION_HISTORY,
  endSubscription,
} from '../../domain/billing/charge-invoice.ts'
import {
  createOneOffItem,
  deleteInvoiceItem,
  markInvoiceItemBilled,
} from '../../domain/billing/invoice-items.ts'
import {
  createInvoiceOverdueEvent,
  createInvoiceSentEvent,
  markInvoicePaidOutOfBand,
  markInvoiceUncollectible,
  markInvoiceVoid,
  stopCollection,
} from '../../domain/billing/invoice-transitions.ts'
import type { Invoice } from '../../domain/billing/invoices.ts'
import { setSubscriptionFields } from '../../domain/billing/subscription-updates.ts'
import { markUnpaid, recoverSubscription, type Subscription } from '../../domain/billing/subscriptions.ts'
import { createDueTrialNotice, endDueTrial, resumePausedSubscription } from '../../domain/billing/trials.ts'
import { findCardByAlias } from '../../domain/cards/test-cards.ts'
import { deleteCustomer } from '../../domain/completion/customer-deletion.ts'
import { type Change, type RuleContext, toDeletion } from '../../domain/core/changes.ts'
import type { Counter } from '../../domain/core/counters.ts'
import type { EventType } from '../../domain/core/event-types.ts'
import type { Event } from '../../domain/events/events.ts'
import { type Customer, createCustomer } from '../../domain/payments/customers.ts'
import type { PaymentMethod } from '../../domain/payments/payment-methods.ts'
import { createCoupon } from '../../domain/sessions/coupons.ts'
import { redeemCoupon } from '../../domain/sessions/discounts.ts'
import { createPromotionCode } from '../../domain/sessions/promotion-codes.ts'
import { expireSession } from '../../domain/sessions/sessions.ts'
import {
  beginAdvance,
  beginClockDeletion,
  createTestClock,
  endAdvance,
  simulateClockFailure,
} from '../../domain/time/test-clocks.ts'
import { coupons } from '../operations/coupons.ts'
import { customers } from '../operations/customers.ts'
import { EXAMPLE_IDS, EXAMPLE_NOW } from '../operations/example-requests.ts'
import { invoiceItems } from '../operations/invoice-items.ts'
import { promotionCodes } from '../operations/promotion-codes.ts'
import { testClocks } from '../operations/test-clocks.ts'
import {
  type AddEvents,
  completeExampleCardSession,
  completeExampleCheckout,
  createContextAfter,
  createExampleCheckoutSession,
  createExampleEvent,
  createExamplePaymentSession,
  EXAMPLE_CONTEXT,
  expireExamplePortalSession,
  getExampleParams,
  getLastState,
  SECONDS_PER_DAY,
} from './example-context.ts'
import { addPaymentEvents } from './payment-event-examples.ts'

const BY_TIME = { reason: 'time', payment: null } as const

/** Returns an event of each type. The domain rules create the events, so the examples are never out of date. */
export function createEventExamples(): ReadonlyMap<EventType, Event> {
  const events = new Map<EventType, Event>()
  const add: AddEvents = (changes, context = EXAMPLE_CONTEXT) => {
    for (const change of changes) {
      if (change.event !== null && !events.has(change.event))
        events.set(change.event, createExampleEvent(change, context))
    }
  }
  const customer = createCustomer(getExampleParams(customers.create), EXAMPLE_CONTEXT)
  const purchase = completeExampleCheckout(customer.after)
  add([customer, ...purchase])
  addCustomerEvents(add, customer.after, purchase)
  addSessionEvents(add, customer.after)
  addPaymentEvents(add, customer.after)
  addRenewalEvents(add, customer.after, purchase)
  addInvoiceItemEvents(add, getLastState<Subscription>(purchase, 'subscription'))
  add(couponChanges())
  add(clockChanges())
  return events
}

/** Returns the example of an event type. */
export function getEventExample(
  type: EventType,
  events: ReadonlyMap<EventType, Event> = createEventExamples(),
): Event {
  const event = events.get(type)
  if (event === undefined) throw new Error(`there is no example of ${type}`)
  return event
}

function addCustomerEvents(add: AddEvents, customer: Customer, purchase: readonly Change[]): void {
  const method = getLastState<PaymentMethod>(purchase, 'payment_method')
  const noRelatedObjects = {
    sessions: [],
    subscriptions: [],
    pendingItems: [],
    invoices: [],
    paymentMethods: [],
    payments: [],
  }
  const attached = { method, customer, subscriptions: [], pendingPayments: [] }
  add(detachPaymentMethod(attached, EXAMPLE_CONTEXT).changes)
  add(deleteCustomer(customer, noRelatedObjects, EXAMPLE_CONTEXT).changes)
}

function addSessionEvents(add: AddEvents, customer: Customer): void {
  const checkout = createExampleCheckoutSession(customer)
  const payment = createExamplePaymentSession(customer)
  const tomorrow = createContextAfter(1)
  add([checkout, payment])
  add(expireSession(checkout.after, BY_TIME, tomorrow), tomorrow)
  add(expireSession(payment.after, BY_TIME, tomorrow), tomorrow)
  const { created, completed } = completeExampleCardSession(customer)
  add([created, ...completed])
  add(expireSession(created.after, BY_TIME, tomorrow), tomorrow)
  add(expireExamplePortalSession(customer))
}

function addRenewalEvents(add: AddEvents, customer: Customer, purchase: readonly Change[]): void {
  const subscription = getLastState<Subscription>(purchase, 'subscription')
  const at = createContextAfter(31)
  const paid = renewExample(customer, 'visa', at)
  const unpaid = renewExample(customer, 'renewal_no_funds', at)
  const openInvoice = getLastState<Invoice>(unpaid.changes, 'invoice')
  const pastDue = {
    ...unpaid.account,
    subscription: getLastState<Subscription>(unpaid.changes, 'subscription'),
  }
  const pending = { ...paid.account, subscription: pendingUntil(subscription, at.now) }
  add(paid.changes, at)
  add(unpaid.changes, at)
  add(startPendingSubscription(pending, at), at)
  add(setSubscriptionFields(subscription, { cancel_at_period_end: true }, EXAMPLE_CONTEXT))
  addTrialEvents(add, { ...paid.account, subscription: trialUntil(subscription, at.now) }, at)
  add(collectWithAuthentication(pastDue, openInvoice, at), at)
  add([markInvoicePaidOutOfBand(openInvoice, at), ...recoverSubscription(pastDue.subscription)], at)
  add(markUnpaid(pastDue.subscription), at)
  add(cancelForNonPayment(pastDue, at), at)
  add([markInvoiceVoid(openInvoice, at), markInvoiceUncollectible(openInvoice, at)], at)
  add(stopCollection(openInvoice), at)
  add(sendAndMarkOverdue(openInvoice), createContextAfter(61))
}

function renewExample(customer: Customer, card: string, context: RuleContext) {
  const purchase = completeExampleCheckout(customer, card)
  const account: BillingRecords = {
    subscription: getLastState<Subscription>(purchase, 'subscription'),
    customer,
    invoices: [],
    card: getLastState<PaymentMethod>(purchase, 'payment_method'),
    invoiceCounter: getLastState<Counter>(purchase, 'counter'),
    pendingItems: [],
    alternatingCharges: null,
  }
  return { account, changes: renewOrCancelAtPeriodEnd(account, context) }
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

function trialUntil(subscription: Subscription, end: number): Subscription {
  return {
    ...subscription,
    status: 'trialing',
    billing_cycle_anchor: end,
    current_period_end: end,
    period_index: -1,
    trial_start: subscription.created,
    trial_end: end,
    trial_settings: { missing_payment_method: 'pause' },
  }
}

// Adds the events of a trial that ends without a card, and of the resumption with a card.
function addTrialEvents(add: AddEvents, account: BillingRecords, end: RuleContext): void {
  add(createDueTrialNotice(account.subscription), createContextAfter(28))
  const changes = endDueTrial({ ...account, card: null }, end)
  add(changes, end)
  const resumed = createContextAfter(33)
  const paused = { ...account, subscription: getLastState<Subscription>(changes, 'subscription') }
  add(resumePausedSubscription(paused, resumed).changes, resumed)
}

// Charges an invoice with the test card that requires authentication for each charge.
function collectWithAuthentication(
  account: BillingRecords,
  invoice: Invoice,
  context: RuleContext,
): Change[] {
  const billing = new BillingUnitOfWork(account, context)
  const { card: saved } = account
  const test_behavior = findCardByAlias('sca_always')?.test_behavior
  if (!saved?.card || test_behavior === undefined) throw new Error('there is no test card sca_always')
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

function cancelForNonPayment(account: BillingRecords, context: RuleContext): Change[] {
  const billing = new BillingUnitOfWork(account, context)
  endSubscription(billing, 'payment_failed')
  return billing.changes
}

function sendAndMarkOverdue(invoice: Invoice): Change[] {
  const sent = createInvoiceSentEvent({ ...invoice, collection_method: 'send_invoice' })
  return [sent, createInvoiceOverdueEvent(sent.after)]
}

function addInvoiceItemEvents(add: AddEvents, subscription: Subscription): void {
  const account = { subscription, pendingItems: [] }
  const item = createOneOffItem(account, getExampleParams(invoiceItems.create), EXAMPLE_CONTEXT)
  add([item, markInvoiceItemBilled(item.after, EXAMPLE_IDS.invoices), deleteInvoiceItem(item.after)])
}

// A coupon and a promotion code are created, redeemed and deleted.
function couponChanges(): Change[] {
  const coupon = createCoupon(getExampleParams(coupons.create), EXAMPLE_CONTEXT)
  const code = createPromotionCode(getExampleParams(promotionCodes.create), null, EXAMPLE_CONTEXT)
  const redemption = { coupon: coupon.after, promotionCode: code.after }
  const redeemed = redeemCoupon(redemption, { test_clock: null }, EXAMPLE_CONTEXT)
  return [coupon, code, ...redeemed, toDeletion(coupon.after)]
}

function clockChanges(): Change[] {
  const created = createTestClock(getExampleParams(testClocks.create), EXAMPLE_CONTEXT)
  const begun = beginAdvance(created.after, EXAMPLE_NOW + 31 * SECONDS_PER_DAY)
  const ready = endAdvance(begun.after, EXAMPLE_NOW + 31 * SECONDS_PER_DAY)
  const deleting = beginClockDeletion(ready.after)
  return [
    created,
    begun,
    ready,
    ...simulateClockFailure(ready.after).changes,
    deleting,
    toDeletion(deleting.after),
  ]
}
