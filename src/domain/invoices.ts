import type { CollectionMethod, SubscriptionItem } from './billing-terms.ts'
import { type Creation, creation, type Mutation, mutation, type RuleContext } from './changes.ts'
import { type Counter, INVOICE_COUNTER_ID, incrementCounter } from './counters.ts'
import type { Customer } from './customers.ts'
import type { Metadata } from './metadata.ts'
import { calculateLineTotals, groupTaxesByRate, sumTotals } from './money.ts'

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'

export interface InvoiceLine {
  readonly id: string
  readonly description: string | null
  readonly type: string
  readonly amount: number
  readonly tax_percent: number
  readonly tax_amount: number
  readonly total: number
  readonly period: { readonly start: number; readonly end: number }
  readonly subscription_item: string
}

export interface Invoice {
  readonly id: string
  readonly object: 'invoice'
  readonly created: number
  readonly livemode: false
  readonly status: InvoiceStatus
  readonly number: string | null
  readonly customer: string
  readonly subscription: string | null
  readonly customer_email: string
  readonly billing_reason: 'subscription_create' | 'subscription_cycle'
  readonly collection_method: CollectionMethod
  readonly currency: string
  readonly description: string
  readonly lines: readonly InvoiceLine[]
  readonly subtotal: number
  readonly tax: number
  readonly total: number
  readonly taxes: readonly {
    readonly tax_percent: number
    readonly taxable_amount: number
    readonly amount: number
  }[]
  readonly amount_due: number
  readonly amount_paid: number
  readonly amount_remaining: number
  readonly period_start: number
  readonly period_end: number
  readonly due_date: number | null
  readonly auto_advance: boolean
  readonly attempted: boolean
  readonly attempt_count: number
  readonly next_payment_attempt: number | null
  readonly latest_payment: string | null
  readonly last_payment_error: {
    readonly code: string
    readonly decline_code: string | null
    readonly message: string
  } | null
  readonly paid_out_of_band: boolean
  readonly finalized_at: number | null
  readonly paid_at: number | null
  readonly voided_at: number | null
  readonly marked_uncollectible_at: number | null
  readonly hosted_invoice_url: string | null
  readonly metadata: Metadata
  readonly test_clock: string | null
}

/** The fields of a subscription that its invoices need. */
export interface BilledSubscription {
  readonly id: string
  readonly currency: string
  readonly description: string
  readonly collection_method: CollectionMethod
  readonly items: readonly SubscriptionItem[]
  readonly current_period_start: number | null
  readonly current_period_end: number | null
  readonly test_clock: string | null
}

const SECONDS_PER_DAY = 86_400

/** Creates the draft for the subscription's current period with one line per item; amounts in minor units. */
export function draftInvoice(
  draft: {
    readonly id: string
    readonly subscription: BilledSubscription
    readonly customer: Customer
    readonly billing_reason: Invoice['billing_reason']
    /** False when the draft must be finalized and collected manually. */
    readonly auto_advance: boolean
  },
  context: RuleContext,
): Creation<Invoice> {
  const { subscription, customer } = draft
  const start = subscription.current_period_start ?? context.now
  const end = subscription.current_period_end ?? context.now
  const lines = invoiceLines(subscription, { start, end }, context)
  const sums = sumTotals(subscription.items.map((item) => item.price_data))
  return creation('invoice.created', {
    id: draft.id,
    object: 'invoice',
    created: context.now,
    livemode: false,
    status: 'draft',
    number: null,
    customer: customer.id,
    subscription: subscription.id,
    customer_email: customer.email,
    billing_reason: draft.billing_reason,
    collection_method: subscription.collection_method,
    currency: subscription.currency,
    description: subscription.description,
    lines,
    subtotal: sums.amount_subtotal,
    tax: sums.amount_tax,
    total: sums.amount_total,
    taxes: groupTaxesByRate(subscription.items.map((item) => item.price_data)),
    amount_due: sums.amount_total,
    amount_paid: 0,
    amount_remaining: sums.amount_total,
    period_start: start,
    period_end: end,
    due_date: null,
    auto_advance: draft.auto_advance,
    attempted: false,
    attempt_count: 0,
    next_payment_attempt: null,
    latest_payment: null,
    last_payment_error: null,
    paid_out_of_band: false,
    finalized_at: null,
    paid_at: null,
    voided_at: null,
    marked_uncollectible_at: null,
    hosted_invoice_url: null,
    metadata: {},
    test_clock: subscription.test_clock,
  })
}

function invoiceLines(
  subscription: BilledSubscription,
  period: { readonly start: number; readonly end: number },
  context: RuleContext,
): InvoiceLine[] {
  return subscription.items.map((item) => {
    const totals = calculateLineTotals(item.price_data)
    return {
      id: context.newId('il_'),
      description: item.description,
      type: item.type,
      amount: totals.amount_subtotal,
      tax_percent: item.price_data.tax_percent,
      tax_amount: totals.amount_tax,
      total: totals.amount_total,
      period,
      subscription_item: item.id,
    }
  })
}

/** Returns the next number of the gapless series, `INV-000001` onwards, and the counter's change. */
export function takeInvoiceNumber(counter: Counter | null): {
  readonly number: string
  readonly counter: Mutation<Counter> | Creation<Counter>
} {
  const next = incrementCounter(counter, INVOICE_COUNTER_ID)
  return { number: `INV-${String(next.after.value).padStart(6, '0')}`, counter: next }
}

/**
 * Returns the due date of an invoice finalized at `now`, both in Unix seconds. With 0 days it is the last second of the
 * day (UTC). It is always later than `now`, so a new invoice is never overdue.
 */
function dueDate(now: number, days: number): number {
  if (days > 0) return now + days * SECONDS_PER_DAY
  return (Math.floor((now + 1) / SECONDS_PER_DAY) + 1) * SECONDS_PER_DAY - 1
}

/** Finalizes a draft: it gets its number and becomes open. `daysUntilDue` is null for invoices that are charged. */
export function markInvoiceFinalized(
  invoice: Invoice,
  terms: { readonly number: string; readonly daysUntilDue: number | null; readonly email: string },
  context: RuleContext,
): Mutation<Invoice> {
  return mutation('invoice.finalized', invoice, {
    ...invoice,
    status: 'open',
    number: terms.number,
    // The customer's email may have changed since the draft was created.
    customer_email: terms.email,
    finalized_at: context.now,
    due_date: terms.daysUntilDue === null ? null : dueDate(context.now, terms.daysUntilDue),
    hosted_invoice_url: `${context.checkoutUrl}/invoices/${invoice.id}`,
  })
}
