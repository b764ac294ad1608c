import type { BilledItem, CollectionMethod, PriceData } from '../../domain/billing-terms.ts'
import type { Interval } from '../../domain/periods.ts'
import { count, currencyCode, type Exactly, group, money, oneOf, orNull, percent, words } from './fields.ts'

/** How invoices are collected. */
export const collectionMethod: Exactly<CollectionMethod> = oneOf(
  ['charge_automatically', 'send_invoice'],
  'Whether the card is charged, or an invoice is sent and waits to be paid.',
)

const interval: Exactly<Interval> = oneOf(['day', 'week', 'month', 'year'], 'Unit of the billing period.')

/** How long a billing period is, and how its invoices are collected. */
export const terms = {
  collection_method: collectionMethod,
  interval,
  interval_count: count(1, 'Units per billing period; a period lasts three years at most.'),
  days_until_due: orNull(
    count(0, 'Days to pay a sent invoice, 0 for the end of the day (UTC); null where the card is charged.'),
  ),
}

const priceData: Exactly<PriceData> = group(
  {
    amount: money('Price per period, without tax.'),
    currency: currencyCode('The currency of the session.'),
    tax_percent: percent('Tax added on top, in percent.'),
  },
  'What an item costs.',
)

/** What is billed each period, in a session and in the subscription it sets up. */
export const billedItem: { readonly [K in keyof BilledItem]: Exactly<BilledItem[K]> } = {
  description: orNull(words('What the buyer gets.')),
  type: words('A label of your own, such as `rent`; `other` unless given.'),
  price_data: priceData,
}
