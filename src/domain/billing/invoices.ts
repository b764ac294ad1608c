import { type Creation, type ObjectUpdate, type RuleContext, toCreation, toUpdate } from '../core/changes.ts'
import { pickFields } from '../core/json-object.ts'
import { calculateLineTotals, groupTaxesByRate, sumLineTotals } from '../core/money.ts'
import * as s from '../core/schema.ts'
import { calculateBalanceFields } from '../payments/credit-balance.ts'
import type { Customer } from '../payments/customers.ts'
import { collectionMethodSchema } from '../sessions/billing-terms.ts'
import { discountField } from '../sessions/discounts.ts'
import { toTaxableLine } from '../sessions/item-amounts.ts'
import { applyDiscountToLines, listBilledItems } from './invoice-discounts.ts'
import type { InvoiceItem } from './invoice-items.ts'
import type { Subscription } from './subscriptions.ts'

/** The schema of a line of an invoice. */
export const invoiceLineSchema = s.object(
  {
    id: s.id('The id of the line.'),
    description: s.nullable(s.text('The description that the customer sees; null if not given.')),
    type: s.text('Your own label of the item.'),
    quantity: s.integer(0, 'The number of units.'),
    unit_amount: s.signedAmount('The price of one unit per billing period without tax.'),
    amount: s.signedAmount('The price without discount and tax; negative for a credit.'),
    discount_amount: s.signedAmount("The line's share of the discount; 0 for a proration."),
    tax_percent: s.percent('The tax added to the discounted price, in percent.'),
    tax_amount: s.signedAmount('The tax of the line, rounded half up.'),
    total: s.signedAmount('The price with discount and tax.'),
    period: s.object(
      {
        start: s.timestamp('Time at which the period starts.'),
        end: s.timestamp('Time at which the next period starts.'),
      },
      'The period that the line bills.',
    ),
    proration: s.boolean('Whether a change prorated a part of a period.'),
    subscription_item: s.nullable(s.id('The item of the subscription; null for a one-off fee or credit.')),
    invoice_item: s.nullable(s.id('The billed invoice item; null for an item of the subscription.')),
  },
  'A line for one subscription item in one period, or for one invoice item.',
)

const taxRate = s.object(
  {
    tax_percent: s.percent('The tax rate, in percent.'),
    taxable_amount: s.signedAmount('The amount that is taxed at this rate, after the discount.'),
    amount: s.signedAmount('The tax at this rate.'),
  },
  'The tax of all lines with the same tax rate.',
)

const lastError = s.object(
  {
    code: s.text('The error code.'),
    decline_code: s.nullable(s.text('The decline reason of the issuer; null if not given.')),
    message: s.text('The message of the error.'),
  },
  'The error of the last failed charge; null if no charge failed.',
)

/** The schema of an invoice. */
export const invoiceSchema = s.resourceObject(
  'invoice',
  'The amount a customer owes for one billing period of a subscription.',
  {
    status: s.enumOf(
      ['draft', 'open', 'paid', 'void', 'uncollectible'],
      'Draft until it is finalized; open while an amount is due; then paid, void, or marked uncollectible.',
    ),
    number: s.nullable(
      s.text('The invoice number, such as INV-000001; null for a draft. Numbers have no gaps.'),
    ),
    customer: s.id('The customer who owes the amount.'),
    subscription: s.nullable(s.id('The billed subscription; null if the invoice bills no subscription.')),
    customer_email: s.text('The email address of the customer when the invoice was finalized.'),
    billing_reason: s.enumOf(
      ['subscription_create', 'subscription_cycle', 'subscription_update', 'subscription_cancel'],
      'The reason for the invoice: the first period or trial, a later period, a change of the subscription, or pending invoice items at the end of the subscription.',
    ),
    collection_method: collectionMethodSchema,
    currency: s.currencyCode('The currency of all amounts.'),
    description: s.text('The description of the subscription.'),
    lines: s.arrayOf(
      invoiceLineSchema,
      'One line for each invoice item, then one for each item of the subscription.',
    ),
    subtotal: s.signedAmount(
      'The sum of the lines without discount and tax; negative if the credits are larger.',
    ),
    discount: discountField,
    discount_amount: s.amount('The sum of the discounts of the lines.'),
    tax: s.signedAmount('The sum of the taxes.'),
    total: s.signedAmount('The subtotal with discount and tax.'),
    taxes: s.arrayOf(taxRate, 'The tax by rate.'),
    starting_balance: s.nullable(
      s.signedAmount(
        "The customer's balance when the invoice was finalized, negative for a credit; null for a draft.",
      ),
    ),
    ending_balance: s.nullable(
      s.signedAmount("The customer's balance after the invoice was finalized; null for a draft."),
    ),
    balance_applied: s.signedAmount(
      'The change of the balance: positive for used credit, negative for created credit.',
    ),
    amount_due: s.amount('The amount to pay: the total less the used credit, and at least 0.'),
    amount_paid: s.amount('The amount paid so far.'),
    amount_remaining: s.amount('The amount still to pay.'),
    period_start: s.timestamp('Time at which the billed period starts.'),
    period_end: s.timestamp('Time at which the next period starts.'),
    due_date: s.nullable(s.timestamp('Time at which a sent invoice is due; null if the card is charged.')),
    auto_advance: s.boolean('Whether the invoice is collected automatically.'),
    attempted: s.boolean('Whether a charge was ever attempted.'),
    attempt_count: s.integer(0, 'The number of charges that count towards the retries.'),
    next_payment_attempt: s.nullable(
      s.timestamp('Time at which the next charge is due; null if no charge is scheduled.'),
    ),
    latest_payment: s.nullable(s.id('The newest payment; null before the first payment.')),
    last_payment_error: s.nullable(lastError),
    paid_out_of_band: s.boolean('Whether the invoice was marked as paid without a payment.'),
    finalized_at: s.nullable(s.timestamp('Time at which the invoice was finalized; null for a draft.')),
    paid_at: s.nullable(s.timestamp('Time at which the invoice was paid; null if it was not paid.')),
    voided_at: s.nullable(s.timestamp('Time at which the invoice was voided; null if it was not voided.')),
    marked_uncollectible_at: s.nullable(
      s.timestamp('Time at which the invoice became uncollectible; null if it did not.'),
    ),
    hosted_invoice_url: s.nullable(s.url('The page on which the customer pays; null before finalization.')),
    ...s.metadataAndClockProperties,
  },
)

export type Invoice = s.ValueOf<typeof invoiceSchema>
export type InvoiceLine = s.ValueOf<typeof invoiceLineSchema>

const SECONDS_PER_DAY = 86_400

/** Creates the draft for the subscription's current period; amounts in minor units. */
export function createDraftInvoice(
  draft: {
    readonly id: string
    readonly subscription: Subscription
    readonly customer: Customer
    readonly billing_reason: Invoice['billing_reason']
    /** False when the draft must be finalized and collected manually. */
    readonly auto_advance: boolean
    readonly lines: readonly InvoiceLine[]
  },
  context: RuleContext,
): Creation<Invoice> {
  const { subscription, customer } = draft
  const { start, end } = currentPeriodOf(subscription, context)
  const { discount, lines } = applyDiscountToLines(subscription, draft, start)
  const sums = sumLineTotals(lines)
  return toCreation('invoice.created', {
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
    discount,
    discount_amount: sums.amount_discount,
    tax: sums.amount_tax,
    total: sums.amount_total,
    taxes: groupTaxesByRate(lines),
    starting_balance: null,
    ending_balance: null,
    balance_applied: 0,
    amount_due: Math.max(0, sums.amount_total),
    amount_paid: 0,
    amount_remaining: Math.max(0, sums.amount_total),
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

function currentPeriodOf(subscription: Subscription, { now }: RuleContext): InvoiceLine['period'] {
  const { current_period_start, current_period_end } = subscription
  return { start: current_period_start ?? now, end: current_period_end ?? now }
}

/** Returns one line per item of a subscription, for its current period. */
export function createSubscriptionLines(subscription: Subscription, context: RuleContext): InvoiceLine[] {
  const period = currentPeriodOf(subscription, context)
  return listBilledItems(subscription).map((item) => {
    const totals = calculateLineTotals(toTaxableLine(item))
    return {
      id: context.newId('il_'),
      description: item.description,
      type: item.type,
      quantity: item.quantity,
      unit_amount: item.price_data.amount,
      amount: totals.amount_subtotal,
      discount_amount: 0,
      tax_percent: item.price_data.tax_percent,
      tax_amount: totals.amount_tax,
      total: totals.amount_total,
      period,
      proration: false,
      subscription_item: item.id,
      invoice_item: null,
    }
  })
}

const FIELDS_BEFORE_DISCOUNT = ['description', 'type', 'quantity', 'unit_amount', 'amount'] as const
const FIELDS_AFTER_DISCOUNT = [
  'tax_percent',
  'tax_amount',
  'total',
  'period',
  'proration',
  'subscription_item',
] as const

/** The fields of an invoice line in order, except its id and its invoice item. */
export const LINE_FIELDS = [...FIELDS_BEFORE_DISCOUNT, 'discount_amount', ...FIELDS_AFTER_DISCOUNT] as const

/** Returns the line of an invoice item. */
export function createInvoiceItemLine(item: InvoiceItem, context: RuleContext): InvoiceLine {
  return {
    id: context.newId('il_'),
    ...pickFields(item, FIELDS_BEFORE_DISCOUNT),
    discount_amount: 0,
    ...pickFields(item, FIELDS_AFTER_DISCOUNT),
    invoice_item: item.id,
  }
}

/**
 * Returns the due date of an invoice finalized at `now`, both in Unix seconds. With 0 days, the due date is the last
 * second of the day (UTC). The due date is always later than `now`, so a new invoice is never overdue.
 */
function dueDate(now: number, days: number): number {
  if (days > 0) return now + days * SECONDS_PER_DAY
  return (Math.floor((now + 1) / SECONDS_PER_DAY) + 1) * SECONDS_PER_DAY - 1
}

/**
 * Finalizes a draft: assigns the invoice number, uses or creates credit, and sets the status to open. `daysUntilDue` is
 * null for invoices that charge a card.
 */
export function markInvoiceFinalized(
  invoice: Invoice,
  terms: {
    readonly number: string
    readonly daysUntilDue: number | null
    readonly email: string
    /** The customer's balance in minor units. */
    readonly balance: number
    readonly autoAdvance: boolean
  },
  context: RuleContext,
): ObjectUpdate<Invoice> {
  return toUpdate('invoice.finalized', invoice, {
    ...invoice,
    status: 'open',
    number: terms.number,
    // The email of the customer may have changed since the draft was created.
    customer_email: terms.email,
    finalized_at: context.now,
    ...calculateBalanceFields(invoice.total, terms.balance),
    due_date: terms.daysUntilDue === null ? null : dueDate(context.now, terms.daysUntilDue),
    auto_advance: terms.autoAdvance,
    hosted_invoice_url: `${context.checkoutUrl}/invoices/${invoice.id}`,
  })
}
