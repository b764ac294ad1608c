import type { Change, RuleContext } from './changes.ts'
import {
  type CheckoutSession,
  completeCheckoutSession,
  isFreeToday,
  startsLater,
} from './checkout-sessions.ts'
import type { Counter } from './counters.ts'
import type { Customer } from './customers.ts'
import { payInvoice, sendInvoice, settleFreeInvoice, whenDue } from './invoice-collection.ts'
import { draftInvoice, finalizeInvoice, type Invoice, takeInvoiceNumber } from './invoices.ts'
import { attachCard, type CardDetails } from './payment-methods.ts'
import { beginPayment, type Payment, succeedPayment } from './payments.ts'
import { createSubscription, type Subscription } from './subscriptions.ts'

/** A checkout session whose buyer has done all that was asked. */
export interface ReadyCheckout {
  readonly session: CheckoutSession
  readonly customer: Customer
  readonly invoiceCounter: Counter | null
  /** Null when the invoice is sent instead of charged. */
  readonly card: CardDetails | null
  readonly name: string | null
  /** The attempt that 3-D Secure approved, or null when none was begun. */
  readonly waiting: Payment | null
}

interface Ids {
  readonly subscription: string
  readonly invoice: string | null
  readonly payment: string | null
  readonly payment_method: string | null
}

/**
 * Everything that completing a checkout session makes, in the order its events are told: the saved card, the
 * subscription, its first invoice and payment, and last `checkout_session.completed`. Ids are given out beforehand, so
 * that each object is told once and already names the others.
 */
export function completeCheckout(
  ready: ReadyCheckout,
  context: RuleContext,
): { readonly changes: Change[]; readonly result: CheckoutSession } {
  const { session, customer, card, name } = ready
  const ids = reserveIds(ready, context)
  const subscription = createSubscription(
    { id: ids.subscription, session, payment_method: ids.payment_method, latest_invoice: ids.invoice },
    context,
  )
  const completed = completeCheckoutSession(
    session,
    { ...ids, payment_status: paymentStatus(ready, context) },
    context,
  )
  return {
    changes: [
      ...(card && ids.payment_method
        ? [attachCard({ id: ids.payment_method, customer, card, name }, context)]
        : []),
      subscription,
      ...billFirstPeriod(ready, subscription.after, { ids, context }),
      completed,
    ],
    result: completed.after,
  }
}

function reserveIds({ session, card, waiting }: ReadyCheckout, context: RuleContext): Ids {
  const isCharged = card !== null && !isFreeToday(session, context.now)
  return {
    payment_method: card === null ? null : context.newId('pm_'),
    subscription: context.newId('sub_'),
    invoice: startsLater(session, context.now) ? null : context.newId('in_'),
    payment: isCharged ? (waiting?.id ?? context.newId('py_')) : null,
  }
}

function paymentStatus(
  { session, card }: ReadyCheckout,
  context: RuleContext,
): CheckoutSession['payment_status'] {
  if (isFreeToday(session, context.now)) return 'no_payment_required'
  return card === null ? 'unpaid' : 'paid'
}

function billFirstPeriod(
  ready: ReadyCheckout,
  subscription: Subscription,
  { ids, context }: { readonly ids: Ids; readonly context: RuleContext },
): Change[] {
  if (ids.invoice === null) return []
  const { customer } = ready
  const draft = draftInvoice(
    { id: ids.invoice, subscription, customer, billing_reason: 'subscription_create', auto_advance: true },
    context,
  )
  const { number, counter } = takeInvoiceNumber(ready.invoiceCounter)
  const daysUntilDue = subscription.days_until_due
  const open = finalizeInvoice(draft.after, { number, daysUntilDue, email: customer.email }, context)
  return [draft, counter, open, ...collectFirst(ready, open.after, { ids, context })]
}

function collectFirst(
  ready: ReadyCheckout,
  invoice: Invoice,
  { ids, context }: { readonly ids: Ids; readonly context: RuleContext },
): Change[] {
  if (invoice.total === 0) return [settleFreeInvoice(invoice, context)]
  if (ready.card === null) return [sendInvoice(invoice), ...whenDue(invoice)]
  const begun = beginFirst(ready, invoice, { ids, context })
  const links = ids.payment_method === null ? {} : { payment_method: ids.payment_method }
  const paid = succeedPayment(begun.payment, { invoice: invoice.id, ...links }, context)
  return [
    ...begun.changes,
    paid,
    payInvoice(invoice, { isAutomatic: true, payment: begun.payment.id }, context),
  ]
}

function beginFirst(
  { session, card, waiting }: ReadyCheckout,
  invoice: Invoice,
  { ids, context }: { readonly ids: Ids; readonly context: RuleContext },
): { readonly payment: Payment; readonly changes: Change[] } {
  if (waiting !== null) return { payment: waiting, changes: [] }
  if (card === null || ids.payment === null) throw new Error('a charge needs a card and an id')
  const begun = beginPayment(
    {
      id: ids.payment,
      amount: invoice.total,
      currency: invoice.currency,
      customer: session.customer,
      payment_method: ids.payment_method,
      invoice: invoice.id,
      checkout_session: session.id,
      payment_session: null,
      off_session: false,
      test_clock: session.test_clock,
      card,
    },
    context,
  )
  return { payment: begun.after, changes: [begun] }
}
