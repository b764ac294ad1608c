import { createDraft, finalize } from '../billing/billing-cycle.ts'
import { BillingUnitOfWork } from '../billing/billing-unit-of-work.ts'
import {
  createOverdueTimer,
  markFreeInvoicePaid,
  markInvoicePaid,
  markInvoiceSent,
} from '../billing/invoice-transitions.ts'
import { type Invoice, subscriptionLines } from '../billing/invoices.ts'
import { createSubscription, type Subscription } from '../billing/subscriptions.ts'
import { scheduleTrialNotice } from '../billing/trials.ts'
import { type Change, findLastChanged, type RuleContext } from '../core/changes.ts'
import type { Counter } from '../core/counters.ts'
import { balanceOf } from '../payments/credit-balance.ts'
import type { Customer } from '../payments/customers.ts'
import { attachCard, type CardDetails } from '../payments/payment-methods.ts'
import { cancelPayment, type Payment, succeedPayment } from '../payments/payments.ts'
import type { CheckoutSession } from '../sessions/checkout-sessions.ts'
import { getAmountDueToday, hasFutureStart } from '../sessions/checkout-start.ts'
import { completeSession } from '../sessions/sessions.ts'
import { createSessionPayment } from './session-payments.ts'

export interface CompleteCheckoutOptions {
  readonly session: CheckoutSession
  readonly customer: Customer
  readonly invoiceCounter: Counter | null
  /** Null when the invoice is sent instead of charged. */
  readonly card: CardDetails | null
  readonly name: string | null
  /** The payment that was created for 3-D Secure or a slow issuer, before the approval; null when there is none. */
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
  const { session, customer, card, name } = options
  const ids = reserveIds(options, context)
  const subscription = createSubscription(
    session,
    { id: ids.subscription, default_payment_method: ids.payment_method, latest_invoice: ids.invoice },
    context,
  )
  const created = { ...ids, payment_status: paymentStatus(options, context) }
  const completed = completeSession(session, created, context)
  const attached =
    card && ids.payment_method
      ? attachCard({ id: ids.payment_method, customer, card, name }, context).changes
      : []
  const current = { ...options, customer: findLastChanged<Customer>(attached, 'customer') ?? customer }
  return {
    changes: [
      ...attached,
      subscription,
      ...billFirstPeriod(current, subscription.after, ids, context),
      ...scheduleTrialNotice(subscription.after, context),
      completed,
    ],
    result: completed.after,
  }
}

/** Returns the amount of the first invoice that must be paid, in minor units. */
function getAmountDue({ session, customer }: CompleteCheckoutOptions, { now }: RuleContext): number {
  return getAmountDueToday(session, balanceOf(customer, session.currency), now)
}

/** Returns whether the authenticated payment is for the amount due, which changes with the customer's balance. */
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
  return options.card === null ? 'unpaid' : 'paid'
}

function billFirstPeriod(
  options: CompleteCheckoutOptions,
  subscription: Subscription,
  ids: ReservedIds,
  context: RuleContext,
): Change[] {
  if (ids.invoice === null) return []
  const { customer, invoiceCounter } = options
  const none = { card: null, invoices: [], pendingItems: [], alternatingCharges: null }
  const billing = new BillingUnitOfWork({ ...none, subscription, customer, invoiceCounter }, context)
  const draft = createDraft(billing, {
    id: ids.invoice,
    billing_reason: 'subscription_create',
    auto_advance: true,
    lines: subscriptionLines(subscription, context),
  })
  const invoice = finalize(billing, draft)
  return [...billing.changes, ...collectFirstInvoice(options, invoice, ids, context)]
}

function collectFirstInvoice(
  options: CompleteCheckoutOptions,
  invoice: Invoice,
  ids: ReservedIds,
  context: RuleContext,
): Change[] {
  if (invoice.amount_due === 0) {
    return [...cancelInexactPayment(options, context), markFreeInvoicePaid(invoice, context)]
  }
  if (options.card === null) return [markInvoiceSent(invoice), ...createOverdueTimer(invoice)]
  const { payment, changes } = createFirstPayment(options, invoice, ids, context)
  const links = ids.payment_method === null ? {} : { payment_method: ids.payment_method }
  const succeeded = succeedPayment(payment, { invoice: invoice.id, ...links }, context)
  return [
    ...changes,
    succeeded,
    markInvoicePaid(invoice, { isAutomatic: true, payment: payment.id }, context),
  ]
}

// The cardholder has just authenticated, so the new payment of the changed amount needs no authentication.
function cancelInexactPayment(options: CompleteCheckoutOptions, context: RuleContext): Change[] {
  const { authenticatedPayment } = options
  if (authenticatedPayment === null || isPaymentExact(options, context)) return []
  return [cancelPayment(authenticatedPayment, 'amount_changed', context)]
}

function createFirstPayment(
  options: CompleteCheckoutOptions,
  invoice: Invoice,
  ids: ReservedIds,
  context: RuleContext,
): { readonly payment: Payment; readonly changes: Change[] } {
  const { session, card, authenticatedPayment } = options
  if (authenticatedPayment !== null && authenticatedPayment.id === ids.payment)
    return { payment: authenticatedPayment, changes: [] }
  if (card === null || ids.payment === null) throw new Error('a charge needs a card and an id')
  const { payment: id, payment_method } = ids
  const links = { id, amount: invoice.amount_due, payment_method, invoice: invoice.id }
  const created = createSessionPayment(session, card, context, links)
  return { payment: created.after, changes: [...cancelInexactPayment(options, context), created] }
}
