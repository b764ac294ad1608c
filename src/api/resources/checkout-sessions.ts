import type { CheckoutSession, CheckoutSessionItem } from '../../domain/checkout-sessions.ts'
import { billedItem, terms } from './billing-terms.ts'
import {
  address,
  currencyCode,
  type Exactly,
  group,
  head,
  many,
  moment,
  money,
  oneOf,
  orNull,
  reference,
  resource,
  tail,
  words,
} from './fields.ts'
import { paymentMethodTypes, sessionEnd, sessionStatus } from './sessions.ts'

const item: Exactly<CheckoutSessionItem> = group(
  {
    ...billedItem,
    amount_subtotal: money('Price per period, without tax.'),
    amount_tax: money('Tax per period.'),
    amount_total: money('Price per period with tax.'),
  },
  'One thing that is billed each period.',
)

const subscriptionData: Exactly<CheckoutSession['subscription_data']> = group(
  {
    ...terms,
    start_date: orNull(moment('When billing starts, as given; null for when the session completes.')),
    metadata: tail.metadata,
    items: many(item, 'What is billed each period, 1 to 20 items.'),
  },
  'The subscription that completing the session sets up.',
)

/** A checkout session as answers show it. */
export const checkoutSession = resource<CheckoutSession>(
  'checkout_session',
  'A subscription to set up through a shareable url.',
  {
    ...head('checkout_session', 'session'),
    url: address('The page where the buyer sets up the subscription; it stays when the session is over.'),
    status: sessionStatus,
    payment_status: oneOf(
      ['unpaid', 'paid', 'no_payment_required'],
      'Whether the first invoice is paid; nothing is due today when it is free or billing starts later.',
    ),
    customer: reference('The customer who will subscribe.'),
    currency: currencyCode('The currency of all amounts.'),
    description: words('What the subscription is: as given, or the descriptions of its items.'),
    payment_method_types: paymentMethodTypes,
    subscription_data: subscriptionData,
    amount_subtotal: money('What the first period costs, without tax.'),
    amount_tax: money('Tax on the first period.'),
    amount_total: money('What the first period costs with tax.'),
    return_url: orNull(address('Where the buyer goes after completing.')),
    ...sessionEnd,
    subscription: orNull(reference('The subscription that was set up, once complete.')),
    invoice: orNull(reference('The first invoice, once there is one.')),
    payment_method: orNull(reference('The card that was saved.')),
    ...tail,
  },
)
