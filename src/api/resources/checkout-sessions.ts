import type { CheckoutSession, CheckoutSessionItem } from '../../domain/checkout-sessions.ts'
import { billedItem, terms } from './billing-terms.ts'
import {
  amount,
  arrayOf,
  currencyCode,
  type Exactly,
  id,
  metadata,
  metadataAndClock,
  nullable,
  object,
  oneOf,
  text,
  timestamp,
  url,
} from './fields.ts'
import { defineResource } from './resource.ts'
import { paymentMethodTypes, sessionEnd, sessionStatus } from './sessions.ts'

const item: Exactly<CheckoutSessionItem> = object(
  {
    ...billedItem,
    amount_subtotal: amount('The price per billing period without tax.'),
    amount_tax: amount('The tax per billing period.'),
    amount_total: amount('The price per billing period with tax.'),
  },
  'An item that is billed each period.',
)

const subscriptionData: Exactly<CheckoutSession['subscription_data']> = object(
  {
    ...terms,
    start_date: nullable(timestamp('When billing starts; null if it starts when the session is completed.')),
    metadata,
    items: arrayOf(item, 'The items that are billed each period, 1 to 20.'),
  },
  'The subscription that completing the session creates.',
)

/** The checkout session resource. */
export const checkoutSession = defineResource('checkout_sessions', {
  url: url(
    'The page on which the customer sets up the subscription. It shows the result after the session has ended.',
  ),
  status: sessionStatus,
  payment_status: oneOf(
    ['unpaid', 'paid', 'no_payment_required'],
    'Whether the first invoice is paid. No payment is required if it is free or billing starts later.',
  ),
  customer: id('Customer of the subscription.'),
  currency: currencyCode('The currency of all amounts.'),
  description: text('The description of the subscription: as given, or the descriptions of its items.'),
  payment_method_types: paymentMethodTypes,
  subscription_data: subscriptionData,
  amount_subtotal: amount('The amount of the first period without tax.'),
  amount_tax: amount('The tax of the first period.'),
  amount_total: amount('The amount of the first period with tax.'),
  return_url: nullable(url('The page that the customer returns to; null if none was given.')),
  ...sessionEnd,
  subscription: nullable(id('The subscription; null until the session is complete.')),
  invoice: nullable(id('The first invoice; null until it is created.')),
  payment_method: nullable(id('The saved card; null until a card is saved.')),
  ...metadataAndClock,
})
