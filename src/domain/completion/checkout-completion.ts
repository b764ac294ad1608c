import { createDraftWithPendingItems, finalizeDraft } from '../billing/billing-cycle.ts'
import { BillingUnitOfWork } from '../billing/billing-unit-of-work.ts'
import { markOnceDiscountUsed } from '../billing/invoice-discounts.ts'
import {
  createInvoiceSentEvent,
  createOverdueTimer,
  markFreeInvoicePaid,
  markInvoiceDebitPending,
  markInvoicePaid,
} from '../billing/invoice-transitions.ts'
import { createSubscriptionLines, type Invoice } from '../billing/invoices.ts'
import { createSubscription, type Subscription } from '../billing/subscriptions.ts'
import { scheduleTrialNotice } from '../billing/trials.ts'
import type { Change, Creation, RuleContext } from '../core/changes.ts'
import type { Counter } from '../core/counters.ts'
import { getCreditBalance } from '../payments/credit-balance.ts'
import type { Customer } from '../payments/customers.ts'
import { attachPaymentMethod, type Instrument, isBankAccount } from '../payments/payment-methods.ts'
import { cancelPayment, type Payment, succeedPayment } from '../payments/payments.ts'
import type { CheckoutSession } from '../sessions/checkout-sessions.ts'
import { getAmountDueToday, hasFutureStart } from '../sessions/checkout-start.ts'
import { type Redemption, redeemCoupon } from '../sessions/discounts.ts'
import { completeSession } from '../sessions/sessions.ts'
import { createSessionPayment } from './session-payments.ts'

export interface CompleteCheckoutOptions {
  /** The stored session, without the discount of an entered code. */
  readonly openSession: CheckoutSession
  /** The session with the discount of a code that the customer entered. */
  readonly session: CheckoutSession
  readonly customer: Customer
  readonly invoiceCounter: Counter | null
  /** The entered card; null when the invoice is sent instead of charged. */
  readonly card: Instrument | null
  readonly name: string | null
  /** The redeemed coupon, whose discount is included in the amounts of the session; null if no coupon is redeemed. */
  readonly redemption: Redemption | null
  /** The payment that was created for 3-D Secure or a slow issuer, before the approval, or null. */
  readonly authenticatedPayment: Payment | null
}

type ReservedIds = ReturnType<typeof reserveIds>

/**
 * Completes a checkout session. The changes are in event order: saved card, subscription, first invoice and payment,
 * and last `checkout_session.completed`. Ids are reserved first, so that objects refer to each other from their
 * creation.
 */
export function completeCheckout(
  options: CompleteCheckoutOptions,
  context: RuleContext,
): { readonly changes: Change[]; readonly result: CheckoutSession } {
  const { session, customer, invoiceCounter, card, name, redemption } = options
  const ids = reserveIds(options, context)
  const subscription = createDiscountedSubscription(options, ids, context)
  const { subscription_data, discounts, amount_discount, amount_tax, amount_total } = session
  const priced = { subscription_data, discounts, amount_discount, amount_tax, amount_total }
  const created = { ...priced, ...ids, payment_status: paymentStatus(options, context) }
  const completed = completeSession(options.openSession, created, context)
  const none = { card: null, invoices: [], pendingItems: [], alternatingCharges: null }
  const account = { ...none, subscription: subscription.after, customer, invoiceCounter }
  const billing = new BillingUnitOfWork(account, context)
  if (card && ids.payment_method)
    billing.add(...attachPaymentMethod({ id: ids.payment_method, customer, card, name }, context).changes)
  billing.add(...(redemption === null ? [] : redeemCoupon(redemption, session, context)), subscription)
  billFirstPeriod(billing, options, ids)
  billing.add(...scheduleTrialNotice(subscription.after, context), completed)
  return { changes: billing.changes, result: completed.after }
}

function createDiscountedSubscription(
  { session, redemption }: CompleteCheckoutOptions,
  { subscription: id, payment_method: default_payment_method, invoice }: ReservedIds,
  context: RuleContext,
): Creation<Subscription> {
  const ids = { id, default_payment_method, latest_invoice: invoice }
  const created = createSubscription(session, ids, redemption, context)
  if (invoice === null) return created
  const after = markOnceDiscountUsed(created.after, { invoice, pendingItems: [], isPeriodBilled: true })
  return { ...created, after }
}

/** Returns the amount of the first invoice that must be paid, in minor units. */
function getAmountDue({ session, customer }: CompleteCheckoutOptions, { now }: RuleContext): number {
  return getAmountDueToday(session, getCreditBalance(customer, session.currency), now)
}

/** Returns whether the authenticated payment still has the amount due, which changes with the customer's balance. */
function isPaymentExact(options: CompleteCheckoutOptions, context: RuleContext): boolean {
  return options.authenticatedPayment?.amount === getAmountDue(options, context)
}

function reserveIds(options: CompleteCheckoutOptions, context: RuleContext) {
  const { session, card, authenticatedPayment } = options
  const isCharged = card !== null && getAmountDue(options, context) > 0
  const exact = isPaymentExact(options, context) ? authenticatedPayment : null
  return {
    payment_method: card === null ? null : context.newId('pm_'),
    subscription: context.newId('sub_'),
    invoice: hasFutureStart(session, context.now) ? null : context.newId('in_'),
    payment: isCharged ? (exact?.id ?? context.newId('py_')) : null,
  }
}

function paymentStatus(
  options: CompleteCheckoutOptions,
  context: RuleContext,
): CheckoutSession['payment_status'] {
  if (getAmountDue(options, context) === 0) return 'no_payment_required'
  return options.card === null || isBankAccount(options.card) ? 'unpaid' : 'paid'
}

function billFirstPeriod(
  billing: BillingUnitOfWork,
  options: CompleteCheckoutOptions,
  ids: ReservedIds,
): void {
  if (ids.invoice === null) return
  const { context, subscription } = billing
  const draft = createDraftWithPendingItems(billing, {
    id: ids.invoice,
    billing_reason: 'subscription_create',
    auto_advance: true,
    lines: createSubscriptionLines(subscription, context),
  })
  const invoice = finalizeDraft(billing, draft)
  const { card, authenticatedPayment } = options
  // The cardholder has just authenticated, so the new payment of the changed amount needs no authentication.
  if (authenticatedPayment !== null && !isPaymentExact(options, context))
    billing.add(cancelPayment(authenticatedPayment, 'amount_changed', context))
  if (invoice.amount_due === 0) billing.add(markFreeInvoicePaid(invoice, context))
  else if (card === null) billing.add(createInvoiceSentEvent(invoice), ...createOverdueTimer(invoice))
  else payFirstInvoice(billing, { ...options, card }, invoice, ids)
}

function payFirstInvoice(
  billing: BillingUnitOfWork,
  { session, card, authenticatedPayment }: CompleteCheckoutOptions & { readonly card: Instrument },
  invoice: Invoice,
  { payment: id, payment_method }: ReservedIds,
): void {
  const { context } = billing
  if (id === null) throw new Error('a charge needs an id')
  let payment = authenticatedPayment
  if (payment?.id !== id) {
    const charge = { id, amount: invoice.amount_due, payment_method, invoice: invoice.id }
    const created = createSessionPayment(session, card, context, charge)
    billing.add(created)
    payment = created.after
  }
  if (isBankAccount(card)) {
    billing.add(markInvoiceDebitPending(invoice, { isAutomatic: true, payment: id }))
    return
  }
  const links = payment_method === null ? {} : { payment_method }
  billing.add(
    succeedPayment(payment, { invoice: invoice.id, ...links }, context),
    markInvoicePaid(invoice, { isAutomatic: true, payment: id }, context),
  )
}
