import type { SubscriptionItem } from '../../domain/billing-terms.ts'
import { billedItem, terms } from './billing-terms.ts'
import {
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
  text,
  timestamp,
} from './fields.ts'
import { defineResource } from './resource.ts'

const item: Exactly<SubscriptionItem> = object(
  { id: id('The id of the item.'), ...billedItem },
  'An item that is billed each period.',
)

/** The subscription resource. */
export const subscription = defineResource('subscriptions', {
  status: oneOf(
    ['pending', 'active', 'past_due', 'unpaid', 'canceled'],
    '`pending` before billing starts; `active` while billed; `past_due` while a renewal is retried; `unpaid` if it continues after the last retry; `canceled` after it ended.',
  ),
  customer: id('The customer who subscribed.'),
  checkout_session: id('The checkout session that created it.'),
  currency: currencyCode('The currency of its prices.'),
  description: text('The description that the customer sees.'),
  ...terms,
  items: arrayOf(item, 'The items that are billed each period, 1 to 20.'),
  start_date: timestamp('When billing starts: as given, or when the checkout session was completed.'),
  billing_cycle_anchor: timestamp('The time from which all billing periods are computed.'),
  current_period_start: nullable(timestamp('When the current period started; null before the first period.')),
  current_period_end: nullable(timestamp('When the current period ends; null before the first period.')),
  period_index: integer(-1, 'The index of the current period, from 0; -1 before the first period.'),
  cancel_at_period_end: boolean('Whether it is canceled when the current period ends.'),
  canceled_at: nullable(timestamp('When cancellation was requested; null if it was not.')),
  ended_at: nullable(timestamp('When it ended; null if it has not.')),
  cancellation_reason: nullable(
    oneOf(
      ['requested', 'payment_failed', 'customer_deleted'],
      'Why it ended: cancellation was requested, payment failed, or its customer was deleted. Null if it has not ended.',
    ),
  ),
  default_payment_method: nullable(
    id("The card that renewals charge; null if they charge the customer's default card."),
  ),
  latest_invoice: nullable(id('The newest invoice; null before the first one.')),
  ...metadataAndClock,
})
