import type { BilledItem, CollectionMethod, PriceData } from '../../domain/billing-terms.ts'
import type { Interval } from '../../domain/periods.ts'
import {
  amount,
  currencyCode,
  type Exactly,
  integer,
  nullable,
  object,
  oneOf,
  percent,
  text,
} from './fields.ts'

/** The schema of `collection_method`. */
export const collectionMethod: Exactly<CollectionMethod> = oneOf(
  ['charge_automatically', 'send_invoice'],
  'How invoices are collected: by charging the saved card, or by sending an invoice that the customer pays.',
)

const interval: Exactly<Interval> = oneOf(['day', 'week', 'month', 'year'], 'The unit of the billing period.')

/** The length of the billing period and the collection of its invoices. */
export const terms = {
  collection_method: collectionMethod,
  interval,
  interval_count: integer(1, 'The number of intervals in a billing period, up to three years in total.'),
  days_until_due: nullable(
    integer(
      0,
      'The days until a sent invoice is due; 0 is the end of the same day in UTC. Null if the card is charged.',
    ),
  ),
}

const priceData: Exactly<PriceData> = object(
  {
    amount: amount('The price per billing period without tax.'),
    currency: currencyCode('The currency of the session.'),
    tax_percent: percent('The tax added to the price, in percent.'),
  },
  'The price of the item.',
)

/** An item of a checkout session and of its subscription. */
export const billedItem: { readonly [K in keyof BilledItem]: Exactly<BilledItem[K]> } = {
  description: nullable(text('The description that the customer sees; null if none was given.')),
  type: text('Your own label of the item, such as `rent` (default: `other`).'),
  price_data: priceData,
}
