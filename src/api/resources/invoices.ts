import type { Invoice, InvoiceLine } from '../../domain/invoices.ts'
import { collectionMethod } from './billing-terms.ts'
import {
  amount,
  arrayOf,
  boolean,
  currencyCode,
  type Exactly,
  id,
  integer,
  metadataAndClock,
  nullable,
  object,
  oneOf,
  percent,
  text,
  timestamp,
  url,
} from './fields.ts'
import { defineResource } from './resource.ts'

const line: Exactly<InvoiceLine> = object(
  {
    id: id('The id of the line.'),
    description: nullable(text('The description that the customer sees; null if none was given.')),
    type: text('Your own label of the item.'),
    amount: amount('The price without tax.'),
    tax_percent: percent('The tax added to the price, in percent.'),
    tax_amount: amount('The tax of the line, rounded half up.'),
    total: amount('The price with tax.'),
    period: object(
      { start: timestamp('When the period starts.'), end: timestamp('When the next period starts.') },
      'The billing period of the line.',
    ),
    subscription_item: id('The item of the subscription.'),
  },
  'One item for one period.',
)

const taxRate: Exactly<Invoice['taxes'][number]> = object(
  {
    tax_percent: percent('The tax rate, in percent.'),
    taxable_amount: amount('The amount that is taxed at this rate.'),
    amount: amount('The tax on that amount.'),
  },
  'The tax of all lines with one rate.',
)

const lastError: Exactly<NonNullable<Invoice['last_payment_error']>> = object(
  {
    code: text('The error code.'),
    decline_code: nullable(text('The reason of the issuer for declining; null if it gave none.')),
    message: text('The error as a message.'),
  },
  'Why the last charge failed; null if none failed.',
)

/** The invoice resource. */
export const invoice = defineResource('invoices', {
  status: oneOf(
    ['draft', 'open', 'paid', 'void', 'uncollectible'],
    'Draft until it is finalized; open while an amount is due; then paid, void, or marked uncollectible.',
  ),
  number: nullable(text('The invoice number, such as INV-000001; null for a draft. Numbers have no gaps.')),
  customer: id('The customer who owes the amount.'),
  subscription: nullable(id('The subscription that it bills; null if it bills none.')),
  customer_email: text('The e-mail address of the customer when it was finalized.'),
  billing_reason: oneOf(
    ['subscription_create', 'subscription_cycle'],
    'Whether it bills the first period or a later one.',
  ),
  collection_method: collectionMethod,
  currency: currencyCode('The currency of all amounts.'),
  description: text('The description of the subscription.'),
  lines: arrayOf(line, 'One line for each item.'),
  subtotal: amount('The sum of the lines without tax.'),
  tax: amount('The sum of the taxes.'),
  total: amount('The subtotal with tax.'),
  taxes: arrayOf(taxRate, 'The tax by rate.'),
  amount_due: amount('The amount to pay in total.'),
  amount_paid: amount('The amount paid so far.'),
  amount_remaining: amount('The amount still to pay.'),
  period_start: timestamp('When the period that it bills starts.'),
  period_end: timestamp('When the next period starts.'),
  due_date: nullable(timestamp('When a sent invoice is due; null if the card is charged.')),
  auto_advance: boolean('Whether it is collected automatically.'),
  attempted: boolean('Whether a charge was ever attempted.'),
  attempt_count: integer(0, 'The number of charges that count towards the retries.'),
  next_payment_attempt: nullable(timestamp('When the next charge is due; null if none is scheduled.')),
  latest_payment: nullable(id('The newest payment; null before the first one.')),
  last_payment_error: nullable(lastError),
  paid_out_of_band: boolean('Whether it was marked paid without a payment.'),
  finalized_at: nullable(timestamp('When it was finalized; null for a draft.')),
  paid_at: nullable(timestamp('When it was paid; null if it was not.')),
  voided_at: nullable(timestamp('When it was voided; null if it was not.')),
  marked_uncollectible_at: nullable(timestamp('When it was marked uncollectible; null if it was not.')),
  hosted_invoice_url: nullable(url('The page on which the customer pays it; null if it has none.')),
  ...metadataAndClock,
})
