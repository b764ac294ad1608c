import {
  checkoutSessionSchema,
  createCheckoutSession,
  validateCheckoutSession,
} from '../../domain/checkout-sessions.ts'
import { requireCustomer } from '../../domain/customers.ts'
import { DomainError } from '../../domain/domain-error.ts'
import { MAX_ITEMS } from '../../domain/money.ts'
import { effectiveTimeOf } from '../../engine/effective-time.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { defineList } from '../core/lists.ts'
import { defineMutation } from '../core/operation.ts'
import { defineRetrieve } from '../core/retrieve.ts'
import {
  amount,
  choice,
  currency,
  id,
  integer,
  list,
  metadata,
  shape,
  taxPercent,
  text,
  timestamp,
  url,
} from '../schema/schema.ts'
import { defineComplete } from './complete-session.ts'
import { EXAMPLE_CHECKOUT } from './example-requests.ts'
import { defineExpire } from './expire-session.ts'
import { loadCustomerTime, sessionParams } from './session-params.ts'

const MAX_LIVE_SUBSCRIPTIONS = 500

const priceData = shape(
  { amount: amount(0, 'Price per period in minor units: 1250 with eur is 12.50 EUR.') },
  {
    currency: currency('Currency of the item (default: the currency of the session).'),
    tax_percent: taxPercent(
      'Tax rate in percent, added to the price: 0 to 100 with at most four decimals (default: 0).',
    ),
  },
  'Price of the item.',
)

const item = shape(
  { price_data: priceData },
  {
    description: text(500, 'Description of the item. Required unless the session has a description.'),
    type: {
      type: 'string',
      format: 'item-type',
      description: 'Your own label, such as `rent` (default: other).',
    } as ReturnType<typeof text>,
  },
  'An item of the subscription.',
)

const subscriptionData = shape(
  {
    interval: choice(['day', 'week', 'month', 'year'], 'Unit of the billing period.'),
    items: list(item, MAX_ITEMS, 'Items billed each period, 1 to 20.'),
  },
  {
    interval_count: integer(
      { min: 1, errorCodes: { minimum: 'interval_count_out_of_range' } },
      'Number of intervals per billing period, which lasts at most 3 years (default: 1).',
    ),
    collection_method: choice(
      ['charge_automatically', 'send_invoice'],
      'Charge the card automatically or send an invoice (default: charge_automatically).',
    ),
    start_date: timestamp('Start of billing in Unix seconds, in the past or the future (default: now).'),
    days_until_due: integer(
      { min: 0, max: 365 },
      'Days to pay a sent invoice (default: 30). With 0, the invoice is due at the end of the day in UTC.',
    ),
    metadata: metadata(),
  },
  'The subscription to create.',
)

/** Operations on checkout sessions, whose hosted page creates a subscription. */
export const checkoutSessions = {
  create: defineMutation({
    method: 'POST',
    path: '/v1/checkout_sessions',
    summary: 'Creates a checkout session for a subscription.',
    description:
      'Send the `url` of the response to the cardholder. When the cardholder submits a card, the session saves it, creates a subscription and charges the first invoice, unless `start_date` is in the future or the subscription uses `send_invoice`. Amounts are in minor units; tax is added on top.',
    params: shape(
      {
        currency: currency('Currency as a lower-case ISO 4217 code.'),
        customer: id('Customer of the subscription.'),
        subscription_data: subscriptionData,
      },
      {
        description: text(5000, 'Description of the subscription. Required unless every item has one.'),
        payment_method_types: list(
          choice(['card'], 'A payment method type.', 'payment_method_type_unsupported'),
          100,
          'Accepted payment method types (default: card). Only `card` is supported.',
        ),
        return_url: url('URL to which the customer returns after completion.'),
        ...sessionParams,
      },
    ),
    response: checkoutSessionSchema,
    example: EXAMPLE_CHECKOUT,
    validate: (params, { now }) => validateCheckoutSession(params, now),
    loadTime: loadCustomerTime,
    load: async (reader, params) => {
      const customer = requireCustomer(await reader.get('customers', params.customer), params.customer)
      await requireSubscriptionCapacity(reader, customer.id)
      return customer
    },
    when: effectiveTimeOf,
    decide: (customer, params, context) => {
      const created = createCheckoutSession(params, customer, context)
      return { changes: [created], result: created.after }
    },
  }),

  list: defineList('checkout_sessions', checkoutSessionSchema, {
    summary: 'Lists checkout sessions, newest first.',
    description:
      'Filter by customer, status, subscription or creation time to find the session of a purchase.',
    filters: {
      customer: id('Only sessions of this customer.'),
      status: choice(['open', 'complete', 'expired'], 'Only sessions with this status.'),
      subscription: id('Only the session that created this subscription.'),
    },
  }),

  retrieve: defineRetrieve('checkout_sessions', checkoutSessionSchema, {
    summary: 'Retrieves a checkout session.',
    description:
      'Use it after the cardholder returns to your site: `status` is `open`, `complete` or `expired`, and `subscription` names the subscription of a complete session.',
  }),

  expire: defineExpire('checkout_sessions', checkoutSessionSchema, 'Expires an open checkout session.'),
  complete: defineComplete(
    'checkout_sessions',
    checkoutSessionSchema,
    'Completes an open checkout session with a test card.',
  ),
}

async function requireSubscriptionCapacity(reader: StoreReader, customer: string): Promise<void> {
  const query = { where: { live_customer: customer }, limit: MAX_LIVE_SUBSCRIPTIONS }
  const live = await reader.list('subscriptions', query)
  if (live.data.length < MAX_LIVE_SUBSCRIPTIONS) return
  throw new DomainError(
    'customer_max_subscriptions',
    `Customer '${customer}' has ${MAX_LIVE_SUBSCRIPTIONS} live subscriptions, which is the limit. Cancel one, or use another customer.`,
    { param: 'customer' },
  )
}
