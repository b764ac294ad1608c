import {
  type Creation,
  type Deletion,
  type ObjectUpdate,
  type RuleContext,
  toCreation,
  toDeletion,
  toUpdate,
} from '../core/changes.ts'
import { DomainError } from '../core/domain-error.ts'
import { createMetadata } from '../core/metadata.ts'
import { calculateLineTotals, MAX_AMOUNT, MAX_PAYMENT_AMOUNT, multiplyAmount } from '../core/money.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import { itemTypeParam, quantityParam } from '../sessions/billing-terms.ts'
import { toTaxableLine } from '../sessions/item-amounts.ts'
import { requireLiveSubscription, type Subscription } from './subscriptions.ts'

/** The schema of an invoice item. */
export const invoiceItemSchema = s.resourceObject(
  'invoice_item',
  'A one-off fee or credit, or a proration. The next invoice of the subscription bills the item.',
  {
    customer: s.id('The customer who owes the amount.'),
    subscription: s.id('The subscription whose next invoice bills the item.'),
    subscription_item: s.nullable(s.id('The prorated item; null for a one-off fee or credit.')),
    invoice: s.nullable(s.id('The invoice that bills the item; null while the item is pending.')),
    currency: s.currencyCode('The currency of the subscription.'),
    description: s.nullable(s.text('The description that the customer sees; null if not given.')),
    type: s.text('Your own label of the item.'),
    quantity: s.integer(0, 'The number of units.'),
    unit_amount: s.signedAmount(
      'The price of one unit without tax; negative for a credit, and 0 for the reversal of a credit.',
    ),
    amount: s.signedAmount('The price without tax; negative for a credit.'),
    tax_percent: s.percent('The tax added to the price, in percent.'),
    tax_amount: s.signedAmount('The tax, rounded half up.'),
    total: s.signedAmount('The price with tax.'),
    period: s.object(
      {
        start: s.timestamp('Time at which the period starts.'),
        end: s.timestamp('Time at which the period ends.'),
      },
      'The billed period; for a one-off fee or credit, the time of its creation.',
    ),
    proration: s.boolean('Whether a change prorated a part of a period.'),
    ...s.metadataAndClockProperties,
  },
)

export type InvoiceItem = s.ValueOf<typeof invoiceItemSchema>

/** The schema of a deleted invoice item, which can be retrieved by id but is not listed. */
export const deletedInvoiceItemSchema = s.deletedObject(
  'invoice_item',
  'A deleted invoice item, which can be retrieved but is not listed.',
)

export type DeletedInvoiceItem = s.ValueOf<typeof deletedInvoiceItemSchema>

/** The parameters of a new invoice item. */
export const invoiceItemParams = p.shape(
  {
    subscription: p.id('Subscription whose next invoice bills the item.'),
    description: p.text(500, 'Description that the customer sees.'),
    unit_amount: p.integer(
      {
        min: -MAX_AMOUNT,
        max: MAX_AMOUNT,
        errorCodes: { minimum: 'amount_too_large', maximum: 'amount_too_large' },
      },
      'Price of one unit in minor units: 1250 with eur is 12.50 EUR. A negative price is a credit.',
    ),
  },
  {
    quantity: quantityParam,
    type: itemTypeParam,
    tax_percent: p.taxPercent(
      'Tax rate in percent, added to the price: 0 to 100 with at most four decimals (default: 0).',
    ),
    metadata: p.metadata(),
  },
)

export type InvoiceItemParams = Omit<s.ValueOf<typeof invoiceItemParams>, 'subscription'>

/** The fields of a new invoice item that its subscription does not determine. */
export type InvoiceItemTerms = Pick<
  InvoiceItem,
  | 'subscription_item'
  | 'description'
  | 'type'
  | 'quantity'
  | 'unit_amount'
  | 'amount'
  | 'tax_percent'
  | 'period'
> &
  Partial<Pick<InvoiceItem, 'proration' | 'metadata'>>

/** Creates a pending item of a subscription; computes the tax from the amount and the tax rate. */
export function createInvoiceItem(
  subscription: Pick<Subscription, 'id' | 'customer' | 'currency' | 'test_clock'>,
  terms: InvoiceItemTerms,
  context: RuleContext,
): Creation<InvoiceItem> {
  const { amount, tax_percent } = terms
  const totals = calculateLineTotals({ amount, tax_percent })
  return toCreation('invoice_item.created', {
    id: context.newId('ii_'),
    object: 'invoice_item',
    created: context.now,
    livemode: false,
    customer: subscription.customer,
    subscription: subscription.id,
    subscription_item: terms.subscription_item,
    invoice: null,
    currency: subscription.currency,
    description: terms.description,
    type: terms.type,
    quantity: terms.quantity,
    unit_amount: terms.unit_amount,
    amount,
    tax_percent,
    tax_amount: totals.amount_tax,
    total: totals.amount_total,
    period: terms.period,
    proration: terms.proration ?? false,
    metadata: createMetadata(terms.metadata),
    test_clock: subscription.test_clock,
  })
}

/** A subscription with the records that limit its invoice items. */
export interface SubscriptionWithCustomerPendingItems {
  readonly subscription: Subscription
  /** The customer's pending invoice items, for all subscriptions. */
  readonly pendingItems: readonly InvoiceItem[]
}

const MAX_PENDING_ITEMS = 250

/** Creates a one-off fee or credit; throws when the subscription is canceled or the amounts are too large. */
export function createOneOffItem(
  account: SubscriptionWithCustomerPendingItems,
  fields: InvoiceItemParams,
  context: RuleContext,
): Creation<InvoiceItem> {
  const { subscription } = account
  requireLiveSubscription(subscription, 'add an invoice item to')
  const { quantity = 1 } = fields
  // The parameters limit the price to 12 digits and the quantity to 6, so only their product may be too large.
  if (Math.abs(quantity * fields.unit_amount) > MAX_AMOUNT)
    throw itemTooLargeError(quantity, fields.unit_amount)
  const created = createInvoiceItem(
    subscription,
    {
      ...fields,
      subscription_item: null,
      type: fields.type ?? 'other',
      quantity,
      amount: multiplyAmount(quantity, fields.unit_amount),
      tax_percent: fields.tax_percent ?? 0,
      period: { start: context.now, end: context.now },
    },
    context,
  )
  requireItemCapacity(account, [created.after])
  return created
}

function itemTooLargeError(quantity: number, unitAmount: number): DomainError {
  return new DomainError(
    'amount_too_large',
    `Invalid quantity ${quantity}: at ${unitAmount} per unit the item is larger than ${MAX_AMOUNT} minor units, which is the limit. Use a smaller quantity or price.`,
    { param: 'quantity' },
  )
}

/**
 * Throws if a customer has too many pending and new items for one invoice, or if these items and the items of the
 * subscription exceed the maximum amount. This check ensures that the next invoice can be created.
 */
export function requireItemCapacity(
  { subscription, pendingItems }: SubscriptionWithCustomerPendingItems,
  added: readonly InvoiceItem[],
): void {
  const items = [...pendingItems, ...added]
  if (items.length > MAX_PENDING_ITEMS) {
    throw new DomainError(
      'invoice_item_limit',
      `Customer '${subscription.customer}' has ${pendingItems.length} pending invoice items, and the limit is ${MAX_PENDING_ITEMS}. Delete pending items, or wait for the next invoice.`,
    )
  }
  const recurring = subscription.items.map((item) => calculateLineTotals(toTaxableLine(item)).amount_total)
  const totals = [...recurring, ...items.map(({ total }) => total)]
  const sum = totals.reduce((size, total) => size + Math.abs(total), 0)
  if (sum <= MAX_PAYMENT_AMOUNT) return
  throw new DomainError(
    'amount_too_large',
    `Cannot bill more to customer '${subscription.customer}': the pending invoice items and subscription '${subscription.id}' are larger than ${MAX_PAYMENT_AMOUNT} minor units together, which is the limit. Use smaller amounts.`,
  )
}

/** Marks a pending item as billed by an invoice. */
export function markInvoiceItemBilled(item: InvoiceItem, invoice: string): ObjectUpdate<InvoiceItem> {
  return toUpdate('invoice_item.updated', item, { ...item, invoice })
}

/** Replaces a pending item with its deleted object; throws if an invoice bills the item. */
export function deleteInvoiceItem(item: InvoiceItem): Deletion<InvoiceItem> {
  if (item.invoice !== null) {
    throw new DomainError(
      'invoice_item_unexpected_state',
      `Cannot delete invoice item '${item.id}': invoice '${item.invoice}' bills it. Void the invoice, or add an item with the opposite amount.`,
    )
  }
  return toDeletion(item)
}
