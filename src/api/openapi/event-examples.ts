import { beginSubscription, endPeriod } from '../../domain/billing.ts'
import { type BillingAccount, BillingUnitOfWork } from '../../domain/billing-unit-of-work.ts'
import { detachByHand } from '../../domain/card-detachment.ts'
import type { Change, RuleContext, Stored } from '../../domain/changes.ts'
import { collect, endSubscription, UNTRIED } from '../../domain/charge-invoice.ts'
import { createCheckoutSession, expireCheckoutSession } from '../../domain/checkout-sessions.ts'
import type { Counter } from '../../domain/counters.ts'
import { deleteCustomer } from '../../domain/customer-deletion.ts'
import { type Customer, createCustomer, customerUpdated, updateCustomer } from '../../domain/customers.ts'
import type { EventType } from '../../domain/event-types.ts'
import {
  markInvoiceUncollectible,
  overdueInvoice,
  payOutOfBand,
  sendInvoice,
  stopCollection,
  voidInvoice,
} from '../../domain/invoice-collection.ts'
import type { Invoice } from '../../domain/invoices.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import { createPaymentSession, expirePaymentSession } from '../../domain/payment-sessions.ts'
import { cancelPayment, type Payment } from '../../domain/payments.ts'
import { createRefund, failRefund, succeedRefund } from '../../domain/refunds.ts'
import {
  leaveUnpaid,
  recoverSubscription,
  type Subscription,
  updateSubscription,
} from '../../domain/subscriptions.ts'
import { findCardByAlias } from '../../domain/test-cards.ts'
import {
  beginAdvance,
  beginDeletion,
  createTestClock,
  deleteClock,
  endAdvance,
  failClock,
} from '../../domain/test-clocks.ts'
import {
  EXAMPLE_CHECKOUT,
  EXAMPLE_CLOCK,
  EXAMPLE_CUSTOMER,
  EXAMPLE_NOW,
  EXAMPLE_PAYMENT,
  EXAMPLE_REFUND,
} from '../operations/example-requests.ts'
import { EXAMPLE_WORLD, exampleEvent, sellSubscription, tryToPay } from './example-world.ts'

const DAY = 86_400
const WORLD = EXAMPLE_WORLD
const BY_TIME = { reason: 'time', payment: null } as const

/** Changes, and the context in which they were made. */
interface Story {
  readonly changes: readonly Change[]
  readonly context: RuleContext
}

/** An event of each type, as an endpoint might be sent it; made by the rules themselves, so none can be out of date. */
export function exampleEvents(): ReadonlyMap<EventType, object> {
  const customer = createCustomer(EXAMPLE_CUSTOMER, WORLD)
  const sold = sellSubscription(customer.after).changes
  const stories = [
    now([customer, ...sold]),
    ...endingsOf(customer.after, sold),
    ...sessionsOf(customer.after),
    ...paymentsOf(customer.after),
    ...renewalsOf(customer.after, sold),
    now(clockChanges()),
  ]
  const events = new Map<EventType, object>()
  for (const { changes, context } of stories) {
    for (const change of changes) {
      if (change.event !== null && !events.has(change.event))
        events.set(change.event, exampleEvent(change, context))
    }
  }
  return events
}

function now(changes: readonly Change[]): Story {
  return { changes, context: WORLD }
}

function later(days: number): RuleContext {
  const moment = EXAMPLE_NOW + days * DAY
  return { ...WORLD, now: moment, wallNow: moment }
}

function lastOf<T extends Stored>(changes: readonly Change[], object: T['object']): T {
  const found = changes.findLast(({ after }) => after?.object === object)?.after
  if (!found) throw new Error(`there is no ${object} in the example`)
  return found as T
}

function endingsOf(customer: Customer, sold: readonly Change[]): Story[] {
  const method = lastOf<PaymentMethod>(sold, 'payment_method')
  const changed = updateCustomer(customer, { phone: '+44 20 7946 0000' })
  const nothing = { sessions: [], subscriptions: [], invoices: [], paymentMethods: [] }
  return [
    now(customerUpdated(customer, changed)),
    now(detachByHand({ method, customer, subscriptions: [], asked: [] }, WORLD).changes),
    now(deleteCustomer(customer, nothing, WORLD).changes),
  ]
}

function sessionsOf(customer: Customer): Story[] {
  const checkout = createCheckoutSession(EXAMPLE_CHECKOUT, customer, WORLD)
  const payment = createPaymentSession(EXAMPLE_PAYMENT, customer, WORLD)
  const tomorrow = later(1)
  return [
    now([checkout, payment]),
    { changes: expireCheckoutSession(checkout.after, BY_TIME, tomorrow), context: tomorrow },
    { changes: expirePaymentSession(payment.after, BY_TIME, tomorrow), context: tomorrow },
  ]
}

function paymentsOf(customer: Customer): Story[] {
  const asked = tryToPay(customer, 'sca_always').changes
  const { refund, changes } = refunded(customer, 'refund_async')
  const failing = refunded(customer, 'refund_fails')
  return [
    now(tryToPay(customer, 'visa').changes),
    now(tryToPay(customer, 'insufficient_funds').changes),
    now(asked),
    now([cancelPayment(lastOf<Payment>(asked, 'payment'), 'superseded', WORLD)]),
    now([...changes, succeedRefund(refund)]),
    now(failRefund(failing.refund, failing.payment)),
  ]
}

function refunded(customer: Customer, card: string) {
  const payment = lastOf<Payment>(tryToPay(customer, card).changes, 'payment')
  const { changes, result: refund } = createRefund(payment, EXAMPLE_REFUND, WORLD)
  return { refund, changes, payment: lastOf<Payment>(changes, 'payment') }
}

// What becomes of the subscription a month later, on its several ways.
function renewalsOf(customer: Customer, sold: readonly Change[]): Story[] {
  const subscription = lastOf<Subscription>(sold, 'subscription')
  const at = later(31)
  const paid = renewed(customer, 'visa', at)
  const unpaid = renewed(customer, 'renewal_no_funds', at)
  const owed = lastOf<Invoice>(unpaid.changes, 'invoice')
  const behind = { ...unpaid.account, subscription: lastOf<Subscription>(unpaid.changes, 'subscription') }
  const pending = { ...paid.account, subscription: startingAt(subscription, at.now) }
  const writtenOff = [voidInvoice(owed, at), markInvoiceUncollectible(owed, at), ...stopCollection(owed)]
  return [
    { changes: paid.changes, context: at },
    { changes: unpaid.changes, context: at },
    { changes: beginSubscription(pending, at).changes, context: at },
    now(updateSubscription(subscription, { cancel_at_period_end: true }, WORLD)),
    { changes: askedOnSession(behind, owed, at), context: at },
    { changes: [payOutOfBand(owed, at), ...recoverSubscription(behind.subscription)], context: at },
    { changes: leaveUnpaid(behind.subscription), context: at },
    { changes: ended(behind, at), context: at },
    { changes: writtenOff, context: at },
    { changes: sentAndLate(owed), context: later(61) },
  ]
}

function renewed(customer: Customer, card: string, context: RuleContext) {
  const sold = sellSubscription(customer, card).changes
  const account: BillingAccount = {
    subscription: lastOf<Subscription>(sold, 'subscription'),
    customer,
    invoices: [],
    card: lastOf<PaymentMethod>(sold, 'payment_method'),
    invoiceCounter: lastOf<Counter>(sold, 'counter'),
    alternations: null,
  }
  return { account, changes: endPeriod(account, context).changes }
}

function startingAt(subscription: Subscription, moment: number): Subscription {
  return {
    ...subscription,
    status: 'pending',
    start_date: moment,
    billing_cycle_anchor: moment,
    current_period_start: null,
    current_period_end: null,
    period_index: -1,
    latest_invoice: null,
  }
}

// The card is one that the buyer is asked for each time.
function askedOnSession(account: BillingAccount, invoice: Invoice, context: RuleContext): Change[] {
  const billing = new BillingUnitOfWork(account, context)
  const { card: saved } = account
  const test_behavior = findCardByAlias('sca_always')?.test_behavior
  if (saved === null || test_behavior === undefined) throw new Error('the example has no such card')
  const card = { ...saved, card: { ...saved.card, test_behavior } }
  collect(billing, { invoice, tried: UNTRIED, card, isAutomatic: false, isOffSession: false })
  return billing.changes
}

function ended(account: BillingAccount, context: RuleContext): Change[] {
  const billing = new BillingUnitOfWork(account, context)
  endSubscription(billing, 'payment_failed')
  return billing.changes
}

function sentAndLate(invoice: Invoice): Change[] {
  const sent = sendInvoice({ ...invoice, collection_method: 'send_invoice' })
  return [sent, overdueInvoice(sent.after)]
}

function clockChanges(): Change[] {
  const created = createTestClock(EXAMPLE_CLOCK, WORLD)
  const begun = beginAdvance(created.after, EXAMPLE_NOW + 31 * DAY)
  const ready = endAdvance(begun.after, EXAMPLE_NOW + 31 * DAY)
  const deleting = beginDeletion(ready.after)
  return [created, begun, ready, ...failClock(ready.after).changes, deleting, deleteClock(deleting.after)]
}
