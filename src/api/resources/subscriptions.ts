import type { SubscriptionItem } from '../../domain/billing-terms.ts'
import type { Subscription } from '../../domain/subscriptions.ts'
import { billedItem, terms } from './billing-terms.ts'
import {
  count,
  currencyCode,
  type Exactly,
  group,
  head,
  many,
  moment,
  oneOf,
  orNull,
  reference,
  resource,
  tail,
  words,
  yesNo,
} from './fields.ts'

const item: Exactly<SubscriptionItem> = group(
  { id: reference('The id of the item.'), ...billedItem },
  'One thing that is billed each period.',
)

/** A subscription as answers show it. */
export const subscription = resource<Subscription>(
  'subscription',
  'What a completed checkout session set up: something billed period by period.',
  {
    ...head('subscription', 'subscription'),
    status: oneOf(
      ['pending', 'active', 'past_due', 'unpaid', 'canceled'],
      'Whether it has not begun, runs, waits for money, is given up on but runs on, or has ended.',
    ),
    customer: reference('Who subscribed.'),
    checkout_session: reference('The session that set it up.'),
    currency: currencyCode('The currency of its prices.'),
    description: words('What it is.'),
    ...terms,
    items: many(item, 'What is billed each period, 1 to 20 items.'),
    start_date: moment('When billing starts: as given, or when the session completed.'),
    billing_cycle_anchor: moment('From when all periods are counted.'),
    current_period_start: orNull(moment('When the period it is in began; null before the first one.')),
    current_period_end: orNull(moment('When the next one begins; null before the first one.')),
    period_index: count(
      -1,
      'Which period from the anchor it is in, counted from 0; -1 before the first one.',
    ),
    cancel_at_period_end: yesNo('Whether it ends with the period it is in.'),
    canceled_at: orNull(moment('When it was asked to end.')),
    ended_at: orNull(moment('When it ended.')),
    cancellation_reason: orNull(
      oneOf(
        ['requested', 'payment_failed', 'customer_deleted'],
        'Why it ended: it was asked to, money did not come, or its customer was deleted.',
      ),
    ),
    default_payment_method: orNull(reference("The card renewals charge; null charges the customer's.")),
    latest_invoice: orNull(reference('The newest invoice.')),
    ...tail,
  },
)
