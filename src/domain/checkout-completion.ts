import type { Change, RuleContext } from './changes.ts'
import { type CheckoutSession, completeCheckoutSession } from './checkout-sessions.ts'
import { hasFutureStart, isFreeToday } from './checkout-start.ts'
import type { Counter } from './counters.ts'
import type { Customer } from './customers.ts'
import {
  createOverdueTimer,
  markFreeInvoicePaid,
  markInvoicePaid,
  markInvoiceSent,
} from './invoice-transitions.ts'
import { draftInvoice, type Invoice, markInvoiceFinalized, takeInvoiceNumber } from './invoices.ts'
import { attachCard, type CardDetails } from './payment-methods.ts'
import { createPayment, type Payment, succeedPayment } from './payments.ts'
import { createSubscription, type Subscription } from './subscriptions.ts'
import { announceTrialEnd } from './trials.ts'

export interface CompleteCheckoutOptions {
  readonly session: CheckoutSession
  readonly customer: Customer
  readonly invoiceCounter: Counter | null
  /** Null when the invoice is sent instead of charged. */
  readonly card: CardDetails | null
  readonly name: string | null
  /** The payment that was authenticated with 3-D Secure, or null when none was created yet. */
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
  const completed = completeCheckoutSession(
    session,
    { ...ids, payment_status: paymentStatus(options, context) },
    context,
  )
  return {
    changes: [
      ...(card && ids.payment_method
        ? attachCard({ id: ids.payment_method, customer, card, name }, context).changes
        : []),
      subscription,
      ...billFirstPeriod(options, subscription.after, ids, context),
      ...announceTrialEnd(subscription.after, context),
      completed,
    ],
    result: completed.after,
  }
}

function reserveIds(
  { session, card, authenticatedPayment }: CompleteCheckoutOptions,
  context: RuleContext,
): ReservedIds {
  const isCharged = card !== null && !isFreeToday(session, context.now)
  return {
    payment_method: card === null ? null : context.newId('pm_'),
    subscription: context.newId('sub_'),
    invoice: hasFutureStart(session, context.now) ? null : context.newId('in_'),
    payment: isCharged ? (authenticatedPayment?.id ?? context.newId('py_')) : null,
  }
}

function paymentStatus(
  { session, card }: CompleteCheckoutOptions,
  context: RuleContext,
): CheckoutSession['payment_status'] {
  if (isFreeToday(session, context.now)) return 'no_payment_required'
  return card === null ? 'unpaid' : 'paid'
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
  const finalized = markInvoiceFinalized(
    draft.after,
    { number, daysUntilDue, email: customer.email },
    context,
  )
  return [draft, counter, finalized, ...collectFirstInvoice(options, finalized.after, ids, context)]
}

function collectFirstInvoice(
  options: CompleteCheckoutOptions,
  invoice: Invoice,
  ids: ReservedIds,
  context: RuleContext,
): Change[] {
  if (invoice.total === 0) return [markFreeInvoicePaid(invoice, context)]
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

function createFirstPayment(
  { session, card, authenticatedPayment }: CompleteCheckoutOptions,
  invoice: Invoice,
  ids: ReservedIds,
  context: RuleContext,
): { readonly payment: Payment; readonly changes: Change[] } {
  if (authenticatedPayment !== null) return { payment: authenticatedPayment, changes: [] }
  if (card === null || ids.payment === null) throw new Error('a charge needs a card and an id')
  const created = createPayment(
    {
      id: ids.payment,
      amount: invoice.total,
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
  return { payment: created.after, changes: [created] }
}
