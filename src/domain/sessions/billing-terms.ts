import { MAX_QUANTITY } from '../core/money.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'

/** The schema of `collection_method`. */
export const collectionMethodSchema = s.enumOf(
  ['charge_automatically', 'send_invoice'],
  'The collection of invoices: by charging the saved card, or by sending an invoice that the customer pays.',
)

const interval = s.enumOf(['day', 'week', 'month', 'year'], 'The unit of the billing period.')

/** The properties for the length of the billing period and the collection of its invoices. */
export const billingTermsProperties = {
  collection_method: collectionMethodSchema,
  interval,
  interval_count: s.integer(1, 'The number of intervals in a billing period, up to three years in total.'),
  days_until_due: s.nullable(
    s.integer(
      0,
      'The days until a sent invoice is due; 0 is the end of the same day in UTC. Null if the card is charged.',
    ),
  ),
}

const priceData = s.object(
  {
    amount: s.amount('The price of one unit per billing period without tax.'),
    currency: s.currencyCode('The currency of the session.'),
    tax_percent: s.percent('The tax added to the price, in percent.'),
  },
  'The price of the item.',
)

/** The properties of an item of a checkout session and of its subscription. */
export const billedItemProperties = {
  description: s.nullable(s.text('The description that the customer sees; null if not given.')),
  type: s.text('Your own label of the item, such as `rent` (default: `other`).'),
  price_data: priceData,
  quantity: s.integer(0, 'The number of units.'),
}

const priceParams = p.shape(
  { amount: p.amount(0, 'Price of one unit per period in minor units: 1250 with eur is 12.50 EUR.') },
  {
    currency: p.currency('Currency of the item (default: the currency of the session).'),
    tax_percent: p.taxPercent(
      'Tax rate in percent, added to the price: 0 to 100 with at most four decimals (default: 0).',
    ),
  },
  'Price of the item.',
)

/** The parameter `quantity` of an item. */
export const quantityParam = p.integer(
  { min: 0, max: MAX_QUANTITY },
  `Number of units, 0 to ${MAX_QUANTITY} (default: 1).`,
)

/** The parameter `type` of an item. */
export const itemTypeParam = {
  type: 'string',
  format: 'item-type',
  description: 'Your own label, such as `rent` (default: other).',
} as s.Schema<string>

/** The parameters of an item of a new checkout session. */
export const itemParams = p.shape(
  { price_data: priceParams },
  {
    description: p.text(500, 'Description of the item. Required unless the session has a description.'),
    type: itemTypeParam,
    quantity: quantityParam,
  },
  'An item of the subscription.',
)
