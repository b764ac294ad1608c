import { type Change, type Mutation, mutation, type RuleContext } from './changes.ts'
import type { Invoice } from './invoices.ts'
import { setTimer } from './timers.ts'

/** Why an attempt to collect an invoice failed, as the invoice keeps it. */
export interface CollectionError {
  readonly code: string
  readonly decline_code: string | null
  readonly message: string
}

/** One attempt to collect: automatic ones always count, one by hand only when it is the first. */
export interface CollectionAttempt {
  readonly isAutomatic: boolean
  /** Null when no card could be charged at all. */
  readonly payment: string | null
}

/** Tells that an invoice was sent to be paid; changes nothing. */
export function sendInvoice(invoice: Invoice): Mutation<Invoice> {
  return mutation('invoice.sent', invoice, invoice)
}

/** The timer that tells of a sent invoice when its due date passes. */
export function whenDue({ id, due_date, test_clock }: Invoice): Change[] {
  return due_date === null ? [] : [setTimer({ id, what: 'invoice_overdue', at: due_date, test_clock })]
}

/** Tells that the due date of a sent invoice has passed; changes nothing. */
export function overdueInvoice(invoice: Invoice): Mutation<Invoice> {
  return mutation('invoice.overdue', invoice, invoice)
}

/** Settles an invoice that owes nothing. */
export function settleFreeInvoice(invoice: Invoice, context: RuleContext): Mutation<Invoice> {
  return mutation('invoice.paid', invoice, settled(invoice, context))
}

/** Settles an invoice in full by a succeeded payment. */
export function payInvoice(
  invoice: Invoice,
  attempt: CollectionAttempt,
  context: RuleContext,
): Mutation<Invoice> {
  return mutation('invoice.paid', invoice, {
    ...settled(invoice, context),
    ...counted(invoice, attempt),
    last_payment_error: null,
  })
}

/** Settles an invoice that was paid elsewhere, by no payment of this service. */
export function payOutOfBand(invoice: Invoice, context: RuleContext): Mutation<Invoice> {
  return mutation('invoice.paid', invoice, { ...settled(invoice, context), paid_out_of_band: true })
}

function settled(invoice: Invoice, context: RuleContext): Invoice {
  return {
    ...invoice,
    status: 'paid',
    amount_paid: invoice.total,
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

/** An attempt failed; `next` is when the next automatic one is due (Unix seconds), null for none. */
export function failInvoicePayment(
  invoice: Invoice,
  failed: CollectionAttempt & { readonly error: CollectionError; readonly next: number | null },
): Mutation<Invoice> {
  const { code, decline_code, message } = failed.error
  const needsBuyer = code === 'authentication_required'
  return mutation(needsBuyer ? 'invoice.payment_action_required' : 'invoice.payment_failed', invoice, {
    ...invoice,
    ...counted(invoice, failed),
    next_payment_attempt: failed.next,
    last_payment_error: { code, decline_code, message },
  })
}

/** An automatic attempt was due, but the card cannot work again: only the counter runs on. */
export function skipInvoicePayment(invoice: Invoice, next: number | null): Mutation<Invoice> {
  return mutation('invoice.updated', invoice, {
    ...invoice,
    attempt_count: invoice.attempt_count + 1,
    next_payment_attempt: next,
  })
}

/** Takes an invoice back: nothing is owed on it any more. */
export function voidInvoice(invoice: Invoice, context: RuleContext): Mutation<Invoice> {
  const after: Invoice = { ...uncollected(invoice), status: 'void', voided_at: context.now }
  return mutation('invoice.voided', invoice, after)
}

/** Writes an open invoice off: it is no longer collected, but may still be paid. */
export function markInvoiceUncollectible(invoice: Invoice, context: RuleContext): Mutation<Invoice> {
  return mutation('invoice.marked_uncollectible', invoice, {
    ...uncollected(invoice),
    status: 'uncollectible',
    marked_uncollectible_at: context.now,
  })
}

/** Collection of an invoice ends because its subscription did; nothing when it had already ended. */
export function stopCollection(invoice: Invoice): Mutation<Invoice>[] {
  const isLive = invoice.status === 'open' || invoice.status === 'draft'
  if (!isLive || !invoice.auto_advance) return []
  return [mutation('invoice.updated', invoice, uncollected(invoice))]
}

function uncollected(invoice: Invoice): Invoice {
  return { ...invoice, auto_advance: false, next_payment_attempt: null }
}

/** Whether an open invoice keeps its subscription from being in order: a failed charge, or a due date that passed. */
export function isInArrears(invoice: Invoice, now: number): boolean {
  if (invoice.status !== 'open') return false
  if (invoice.collection_method === 'charge_automatically') return invoice.attempted
  return invoice.due_date !== null && invoice.due_date <= now
}
