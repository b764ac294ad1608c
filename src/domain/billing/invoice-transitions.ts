import { type Change, type ObjectUpdate, type RuleContext, toUpdate } from '../core/changes.ts'
import { createTimerChange } from '../time/timers.ts'
import type { Invoice } from './invoices.ts'

/**
 * One attempt to collect an invoice. Automatic attempts always count; a manual attempt counts only if it is the first.
 */
export interface CollectionAttempt {
  readonly isAutomatic: boolean
  /** The id of the payment; null when there was no card to charge. */
  readonly payment: string | null
}

/** Returns the `invoice.sent` event of an invoice without changing the invoice. */
export function createInvoiceSentEvent(invoice: Invoice): ObjectUpdate<Invoice> {
  return toUpdate('invoice.sent', invoice, invoice)
}

/** Creates the timer for the due date of a sent invoice. */
export function createOverdueTimer({ id, due_date, test_clock }: Invoice): Change[] {
  return due_date === null
    ? []
    : [createTimerChange({ id, what: 'invoice_overdue', at: due_date, test_clock })]
}

/** Returns the `invoice.overdue` event of an invoice without changing the invoice. */
export function createInvoiceOverdueEvent(invoice: Invoice): ObjectUpdate<Invoice> {
  return toUpdate('invoice.overdue', invoice, invoice)
}

/** Marks an invoice with no amount due as paid: its total is not positive, or credit covers it. */
export function markFreeInvoicePaid(invoice: Invoice, context: RuleContext): ObjectUpdate<Invoice> {
  return toUpdate('invoice.paid', invoice, settled(invoice, context))
}

/** Marks an invoice as paid in full by a succeeded payment. */
export function markInvoicePaid(
  invoice: Invoice,
  attempt: CollectionAttempt,
  context: RuleContext,
): ObjectUpdate<Invoice> {
  return toUpdate('invoice.paid', invoice, {
    ...settled(invoice, context),
    ...counted(invoice, attempt),
    last_payment_error: null,
  })
}

/** Marks an invoice as paid outside of paycli. */
export function markInvoicePaidOutOfBand(invoice: Invoice, context: RuleContext): ObjectUpdate<Invoice> {
  return toUpdate('invoice.paid', invoice, { ...settled(invoice, context), paid_out_of_band: true })
}

function settled(invoice: Invoice, context: RuleContext): Invoice {
  return {
    ...invoice,
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    auto_advance: false,
    paid_at: context.now,
  }
}

function counted(invoice: Invoice, { isAutomatic, payment }: CollectionAttempt) {
  const isCounted = isAutomatic || invoice.attempt_count === 0
  return {
    attempted: true,
    attempt_count: invoice.attempt_count + (isCounted ? 1 : 0),
    latest_payment: payment ?? invoice.latest_payment,
  }
}

/**
 * Records a failed attempt to collect an invoice. `next` is the time of the next automatic attempt in Unix seconds, or
 * null.
 */
export function markInvoicePaymentFailed(
  invoice: Invoice,
  failed: CollectionAttempt & {
    readonly error: NonNullable<Invoice['last_payment_error']>
    readonly next: number | null
  },
): ObjectUpdate<Invoice> {
  const { code, decline_code, message } = failed.error
  const requiresAction = code === 'authentication_required'
  return toUpdate(requiresAction ? 'invoice.payment_action_required' : 'invoice.payment_failed', invoice, {
    ...invoice,
    ...counted(invoice, failed),
    next_payment_attempt: failed.next,
    last_payment_error: { code, decline_code, message },
  })
}

/** Counts an attempt whose debit has no outcome. Before the outcome, the invoice has no error and no other attempt. */
export function markInvoiceDebitPending(invoice: Invoice, attempt: CollectionAttempt): ObjectUpdate<Invoice> {
  const waiting = { next_payment_attempt: null, last_payment_error: null }
  const after = { ...invoice, ...counted(invoice, attempt), ...waiting }
  return toUpdate('invoice.updated', invoice, after)
}

/** Counts a due automatic attempt that is skipped, because the card cannot succeed. */
export function markInvoicePaymentSkipped(invoice: Invoice, next: number | null): ObjectUpdate<Invoice> {
  return toUpdate('invoice.updated', invoice, {
    ...invoice,
    attempt_count: invoice.attempt_count + 1,
    next_payment_attempt: next,
  })
}

/** Voids an invoice, whose amount is then no longer owed. */
export function markInvoiceVoid(invoice: Invoice, context: RuleContext): ObjectUpdate<Invoice> {
  const after: Invoice = { ...uncollected(invoice), status: 'void', voided_at: context.now }
  return toUpdate('invoice.voided', invoice, after)
}

/** Marks an open invoice as uncollectible, which ends its automatic collection; the invoice can still be paid. */
export function markInvoiceUncollectible(invoice: Invoice, context: RuleContext): ObjectUpdate<Invoice> {
  return toUpdate('invoice.marked_uncollectible', invoice, {
    ...uncollected(invoice),
    status: 'uncollectible',
    marked_uncollectible_at: context.now,
  })
}

/**
 * Stops the collection of an invoice whose subscription is canceled; returns an empty list if there is no collection.
 */
export function stopCollection(invoice: Invoice): ObjectUpdate<Invoice>[] {
  const isUnpaid = invoice.status === 'open' || invoice.status === 'draft'
  if (!isUnpaid || !invoice.auto_advance) return []
  return [toUpdate('invoice.updated', invoice, uncollected(invoice))]
}

function uncollected(invoice: Invoice): Invoice {
  return { ...invoice, auto_advance: false, next_payment_attempt: null }
}

/**
 * Returns whether an open invoice makes its subscription past due: the last charge failed or the due date has passed. A
 * debit without an outcome has not failed.
 */
export function isInvoicePastDue(invoice: Invoice, now: number): boolean {
  if (invoice.status !== 'open') return false
  if (invoice.collection_method === 'charge_automatically') return invoice.last_payment_error !== null
  return invoice.due_date !== null && invoice.due_date <= now
}
