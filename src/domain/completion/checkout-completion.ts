import {
  createOverdueTimer,
  markFreeInvoicePaid,
  markInvoicePaid,
  markInvoiceSent,
} from '../billing/invoice-transitions.ts'
import { draftInvoice, type Invoice, markInvoiceFinalized, takeInvoiceNumber } from '../billing/invoices.ts'
import { createSubscription, type Subscription } from '../billing/subscriptions.ts'
import { scheduleTrialNotice } from '../billing/trials.ts'
import type { Change, RuleContext } from '../core/changes.ts'
import type { Counter } from '../core/counters.ts'
import { balanceOf, changeBalance } from '../payments/credit-balance.ts'
import type { Customer } from '../payments/customers.ts'
import { attachCard, type CardDetails } from '../payments/payment-methods.ts'
import { cancelPayment, createPayment, type Payment, succeedPayment } from '../payments/payments.ts'
import type { CheckoutSession } from '../sessions/checkout-sessions.ts'
import { getAmountDueToday, hasFutureStart } from '../sessions/checkout-start.ts'
import { completeSession } from '../sessions/sessions.ts'

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

interface ReservedIds {
  readonly subscription: string
  readonly invoice: string | null
  readonly payment: string | null
  readonly payment_method: string | null
}

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
    { id: ids.subscription, session, payment_method: ids.payment_method, latest_invoice: ids.invoice },
    context,
  )
  const created = { ...ids, payment_status: paymentStatus(options, context) }
  const completed = completeSession(session, created, context)
  const attached =
    card && ids.payment_method
      ? attachCard({ id: ids.payment_method, customer, card, name }, context).changes
      : []
  const current = { ...options, customer: lastCustomer(attached) ?? customer }
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

function lastCustomer(changes: readonly Change[]): Customer | undefined {
  return changes.findLast(({ after }) => after?.object === 'customer')?.after as Customer | undefined
}

/** Returns the amount of the first invoice that must be paid, in minor units. */
function getAmountDue({ session, customer }: CompleteCheckoutOptions, { now }: RuleContext): number {
  return getAmountDueToday(session, balanceOf(customer, session.currency), now)
}

/** Returns whether the authenticated payment is for the amount due, which changes with the customer's balance. */
function isPaymentExact(options: CompleteCheckoutOptions, context: RuleContext): boolean {
  return options.authenticatedPayment?.amount === getAmountDue(options, context)
}

function reserveIds(options: CompleteCheckoutOptions, context: RuleContext): ReservedIds {
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
  const { customer } = options
  const draft = draftInvoice(
    { id: ids.invoice, subscription, customer, billing_reason: 'subscription_create', auto_advance: true },
    context,
  )
  const { number, counter } = takeInvoiceNumber(options.invoiceCounter)
  const daysUntilDue = subscription.days_until_due
  const balance = balanceOf(customer, subscription.currency)
  const finalized = markInvoiceFinalized(
    draft.after,
    { number, daysUntilDue, email: customer.email, balance },
    context,
  )
  return [
    draft,
    counter,
    ...changeBalance(customer, subscription.currency, finalized.after.balance_applied),
    finalized,
    ...collectFirstInvoice(options, finalized.after, ids, context),
  ]
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
  const created = createPayment(
    {
      id: ids.payment,
      amount: invoice.amount_due,
      currency: invoice.currency,
      customer: session.customer,
      payment_method: ids.payment_method,
      invoice: invoice.id,
      checkout_session: session.id,
      off_session: false,
      test_clock: session.test_clock,
      card,
    },
    context,
  )
  return { payment: created.after, changes: [...cancelInexactPayment(options, context), created] }
}
