import type { Invoice, InvoiceLine } from '../../domain/invoices.ts'
import { collectionMethod } from './billing-terms.ts'
import {
  address,
  count,
  currencyCode,
  type Exactly,
  group,
  head,
  many,
  moment,
  money,
  oneOf,
  orNull,
  percent,
  reference,
  resource,
  tail,
  words,
  yesNo,
} from './fields.ts'

const line: Exactly<InvoiceLine> = group(
  {
    id: reference('The id of the line.'),
    description: orNull(words('What the buyer gets.')),
    type: words('The label of the item.'),
    amount: money('Price without tax.'),
    tax_percent: percent('Tax added on top, in percent.'),
    tax_amount: money('Tax on the line, rounded half up.'),
    total: money('Price with tax.'),
    period: group(
      { start: moment('Its beginning.'), end: moment('The beginning of the next one.') },
      'The period it bills.',
    ),
    subscription_item: reference('The item of the subscription.'),
  },
  'One item for one period.',
)

const taxRate: Exactly<Invoice['taxes'][number]> = group(
  {
    tax_percent: percent('The rate in percent.'),
    taxable_amount: money('What is taxed at this rate.'),
    amount: money('The tax on it.'),
  },
  'The tax of all lines with one rate.',
)

const lastError: Exactly<NonNullable<Invoice['last_payment_error']>> = group(
  {
    code: words('A code of the error reference.'),
    decline_code: orNull(words('Why the issuer declined, where it says.')),
    message: words('The same in words.'),
  },
  'Why the last attempt to charge it failed.',
)

/** An invoice as answers show it. */
export const invoice = resource<Invoice>('invoice', 'What is owed for one period of a subscription.', {
  ...head('invoice', 'invoice'),
  status: oneOf(
    ['draft', 'open', 'paid', 'void', 'uncollectible'],
    'Whether it is being written, is owed, is paid, was taken back, or was given up on.',
  ),
  number: orNull(words('Its number without gaps, such as INV-000001; null for a draft.')),
  customer: reference('Who owes it.'),
  subscription: orNull(reference('The subscription it bills.')),
  customer_email: words("The customer's e-mail address when it was finalized."),
  billing_reason: oneOf(['subscription_create', 'subscription_cycle'], 'The first period, or a later one.'),
  collection_method: collectionMethod,
  currency: currencyCode('The currency of all amounts.'),
  description: words('What the subscription is.'),
  lines: many(line, 'One line for each item.'),
  subtotal: money('The lines without tax.'),
  tax: money('The tax of all lines.'),
  total: money('Subtotal and tax.'),
  taxes: many(taxRate, 'The tax by rate.'),
  amount_due: money('What is to be paid.'),
  amount_paid: money('What was paid.'),
  amount_remaining: money('What is still to be paid.'),
  period_start: moment('When the period it bills begins.'),
  period_end: moment('When the next one begins.'),
  due_date: orNull(moment('Until when a sent invoice is to be paid.')),
  auto_advance: yesNo('Whether it is collected automatically.'),
  attempted: yesNo('Whether it was ever tried to be charged.'),
  attempt_count: count(0, 'How many attempts count towards the retries.'),
  next_payment_attempt: orNull(moment('When it is charged next.')),
  latest_payment: orNull(reference('The newest attempt to charge it.')),
  last_payment_error: orNull(lastError),
  paid_out_of_band: yesNo('Whether it was paid elsewhere, without a payment.'),
  finalized_at: orNull(moment('When it was opened.')),
  paid_at: orNull(moment('When it was paid.')),
  voided_at: orNull(moment('When it was taken back.')),
  marked_uncollectible_at: orNull(moment('When it was given up on.')),
  hosted_invoice_url: orNull(address('The page where it can be paid, where there is one.')),
  ...tail,
})
