import type { Change, ObjectUpdate, RuleContext } from '../core/changes.ts'
import { INVOICE_COUNTER_ID, incrementCounter } from '../core/counters.ts'
import { createBalanceChange, getCreditBalance } from '../payments/credit-balance.ts'
import { type BillingRecords, BillingUnitOfWork } from './billing-unit-of-work.ts'
import {
  type CollectionHistory,
  chargeInvoice,
  EMPTY_COLLECTION_HISTORY,
  endSubscription,
  isRetryBlocked,
  skipRetry,
} from './charge-invoice.ts'
import { markOnceDiscountUsed } from './invoice-discounts.ts'
import { markInvoiceItemBilled } from './invoice-items.ts'
import {
  createInvoiceOverdueEvent,
  createInvoiceSentEvent,
  createOverdueTimer,
  markFreeInvoicePaid,
  markInvoiceUncollectible,
  markInvoiceVoid,
} from './invoice-transitions.ts'
import {
  createDraftInvoice,
  createInvoiceItemLine,
  createSubscriptionLines,
  type Invoice,
  markInvoiceFinalized,
} from './invoices.ts'
import { markPastDue, renewSubscription, type Subscription, startSubscription } from './subscriptions.ts'

/** An invoice with its billing account and its earlier collection attempts. */
export interface InvoiceActionRecords {
  readonly account: BillingRecords
  readonly invoice: Invoice
  readonly history: CollectionHistory
}

/**
 * Starts a pending subscription at its start date and bills the first period. A subscription with
 * `cancel_at_period_end` ends instead.
 */
export function startPendingSubscription(account: BillingRecords, context: RuleContext): Change[] {
  const billing = new BillingUnitOfWork(account, context)
  const { subscription } = account
  if (subscription.cancel_at_period_end) endSubscriptionAsPlanned(billing)
  else
    beginAndBillPeriod(billing, 'subscription_create', (id) => startSubscription(subscription, id, context))
  return billing.changes
}

/** Ends a billing period: cancels the subscription if requested, otherwise starts and bills the next period. */
export function renewOrCancelAtPeriodEnd(account: BillingRecords, context: RuleContext): Change[] {
  const billing = new BillingUnitOfWork(account, context)
  const { subscription } = account
  if (subscription.cancel_at_period_end) endSubscriptionAsPlanned(billing)
  else beginAndBillPeriod(billing, 'subscription_cycle', (id) => renewSubscription(subscription, id))
  return billing.changes
}

/** Adds the change that begins a period, bills the period, and returns the id of its invoice. */
export function beginAndBillPeriod(
  billing: BillingUnitOfWork,
  billing_reason: Invoice['billing_reason'],
  begin: (invoice: string) => ObjectUpdate<Subscription>,
): string {
  const invoice = billing.context.newId('in_')
  const begun = begin(invoice)
  const { pendingItems } = billing
  const after = markOnceDiscountUsed(begun.after, { invoice, pendingItems, isPeriodBilled: true })
  billing.add({ ...begun, after })
  billPeriod(billing, invoice, billing_reason)
  return invoice
}

/**
 * Ends a subscription with `cancel_at_period_end` at its planned time. A last invoice bills any pending invoice items.
 * This invoice is not collected if the subscription is unpaid or its collection is paused.
 */
export function endSubscriptionAsPlanned(billing: BillingUnitOfWork): void {
  const invoice = billing.pendingItems.length > 0 ? billPendingItems(billing) : undefined
  endSubscription(billing, 'requested', invoice)
}

function billPendingItems(billing: BillingUnitOfWork): string {
  const { subscription } = billing
  const draft = createFinalInvoiceDraft(billing, 'subscription_cancel')
  if (subscription.pause_collection !== null) handlePausedInvoice(billing, draft)
  else if (subscription.status !== 'unpaid') finalizeAndChargeOnce(billing, draft)
  return draft.id
}

/** Creates a subscription's last invoice as a draft that bills the pending invoice items. */
export function createFinalInvoiceDraft(
  billing: BillingUnitOfWork,
  billing_reason: Invoice['billing_reason'],
): Invoice {
  return createDraftWithPendingItems(billing, {
    id: billing.context.newId('in_'),
    billing_reason,
    auto_advance: false,
    lines: [],
  })
}

/** Finalizes a draft and charges it without retries, because the subscription ends even if the charge fails. */
export function finalizeAndChargeOnce(billing: BillingUnitOfWork, draft: Invoice): void {
  finalizeAndCollect(billing, draft)
  const invoice = billing.invoices.find(({ id }) => id === draft.id)
  if (invoice?.status !== 'open' || invoice.collection_method !== 'charge_automatically') return
  const attempt = { history: EMPTY_COLLECTION_HISTORY, isAutomatic: false, isOffSession: true }
  chargeInvoice(billing, { invoice, card: billing.account.card, ...attempt })
}

/** Creates the invoice of a period, and collects it unless the subscription is unpaid or its collection is paused. */
export function billPeriod(
  billing: BillingUnitOfWork,
  id: string,
  billing_reason: Invoice['billing_reason'],
  lines = createSubscriptionLines(billing.subscription, billing.context),
): void {
  // Invoices of unpaid subscriptions stay drafts until they are finalized manually.
  const { subscription } = billing
  const auto_advance = subscription.status !== 'unpaid' && subscription.pause_collection === null
  const draft = createDraftWithPendingItems(billing, { id, billing_reason, auto_advance, lines })
  if (auto_advance) finalizeAndCollect(billing, draft)
  else if (subscription.pause_collection !== null) handlePausedInvoice(billing, draft)
}

/**
 * Creates a draft. Its first lines are the pending invoice items of the subscription, oldest first. The given lines
 * follow.
 */
export function createDraftWithPendingItems(
  billing: BillingUnitOfWork,
  draft: Pick<Invoice, 'id' | 'billing_reason' | 'auto_advance' | 'lines'>,
): Invoice {
  const { subscription, customer, context, pendingItems } = billing
  const lines = [...pendingItems.map((item) => createInvoiceItemLine(item, context)), ...draft.lines]
  const created = createDraftInvoice({ ...draft, subscription, customer, lines }, context)
  billing.add(created, ...pendingItems.map((item) => markInvoiceItemBilled(item, draft.id)))
  return created.after
}

function handlePausedInvoice(billing: BillingUnitOfWork, draft: Invoice): void {
  const { subscription, context } = billing
  const behavior = subscription.pause_collection?.behavior
  if (behavior === 'void') billing.add(markInvoiceVoid(draft, context))
  if (behavior !== 'mark_uncollectible') return
  const invoice = finalizeDraft(billing, draft)
  // A free invoice needs no charge.
  if (invoice.amount_due === 0) billing.add(markFreeInvoicePaid(invoice, context))
  else billing.add(markInvoiceUncollectible(invoice, context))
}

/**
 * Finalizes a draft, then marks the invoice as paid if no amount is due, or sends or charges the invoice. Without
 * `autoAdvance`, no card is charged.
 */
export function finalizeAndCollect(
  billing: BillingUnitOfWork,
  draft: Invoice,
  autoAdvance = draft.auto_advance,
): void {
  const { context } = billing
  const invoice = finalizeDraft(billing, draft, autoAdvance)
  if (invoice.amount_due === 0) billing.add(markFreeInvoicePaid(invoice, context))
  else if (invoice.collection_method === 'send_invoice')
    billing.add(createInvoiceSentEvent(invoice), ...createOverdueTimer(invoice))
  else if (invoice.auto_advance) chargeAutomatically(billing, invoice, EMPTY_COLLECTION_HISTORY)
}

/** Finalizes a draft with the next number of the gapless series, `INV-000001` onwards, and applies the credit. */
export function finalizeDraft(
  billing: BillingUnitOfWork,
  draft: Invoice,
  autoAdvance = draft.auto_advance,
): Invoice {
  const counter = incrementCounter(billing.account.invoiceCounter, INVOICE_COUNTER_ID)
  const number = `INV-${String(counter.after.value).padStart(6, '0')}`
  const { customer } = billing
  const daysUntilDue = billing.subscription.days_until_due
  const balance = getCreditBalance(customer, draft.currency)
  const terms = { number, daysUntilDue, email: customer.email, autoAdvance, balance }
  const finalized = markInvoiceFinalized(draft, terms, billing.context)
  const { balance_applied } = finalized.after
  billing.add(counter, ...createBalanceChange(customer, draft.currency, balance_applied), finalized)
  return finalized.after
}

function chargeAutomatically(billing: BillingUnitOfWork, invoice: Invoice, history: CollectionHistory): void {
  const { card } = billing.account
  chargeInvoice(billing, { invoice, history, card, isAutomatic: true, isOffSession: true })
}

/** Makes the next automatic attempt to collect an open invoice; skips the attempt after a hard decline. */
export function retryInvoicePayment(
  { account, invoice, history }: InvoiceActionRecords,
  context: RuleContext,
): Change[] {
  const billing = new BillingUnitOfWork(account, context)
  if (isRetryBlocked(account.card, history)) skipRetry(billing, invoice)
  else chargeAutomatically(billing, invoice, history)
  return billing.changes
}

/** Marks an open sent invoice as overdue and its subscription as past due; changes nothing for other invoices. */
export function markOpenInvoiceOverdue(
  account: BillingRecords,
  invoice: Invoice,
  context: RuleContext,
): Change[] {
  const billing = new BillingUnitOfWork(account, context)
  if (invoice.status === 'open')
    billing.add(createInvoiceOverdueEvent(invoice), ...markPastDue(billing.subscription))
  return billing.changes
}
