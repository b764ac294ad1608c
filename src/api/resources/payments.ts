import type { Payment } from '../../domain/payments.ts'
import {
  amount,
  boolean,
  constant,
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
  url,
} from './fields.ts'
import { defineResource } from './resource.ts'

/** The card fields of payments and payment methods. */
export const cardFields = {
  brand: text('The brand, such as `visa` or `mastercard`.'),
  last4: text('The last four digits of the number.'),
  exp_month: integer(1, 'The month of expiry, 1 to 12.'),
  exp_year: integer(2000, 'The year of expiry, in four digits.'),
}

const methodDetails: Exactly<Payment['payment_method_details']> = object(
  {
    type: constant('card', 'The type of the payment method.'),
    card: object(
      {
        ...cardFields,
        three_d_secure: nullable(
          oneOf(['authenticated', 'failed'], 'The result of 3-D Secure; null if it was not required.'),
        ),
      },
      'The card at the time of the charge.',
    ),
  },
  'The payment method at the time of the charge.',
)

const nextAction: Exactly<NonNullable<Payment['next_action']>> = object(
  {
    type: constant('redirect_to_url', 'The type of the action: the customer opens a page.'),
    redirect_to_url: object(
      { url: url('The URL of the page on which the customer authenticates.') },
      'The page to redirect the customer to.',
    ),
  },
  'The action that the customer must take before the issuer decides; null if none is required.',
)

const outcome: Exactly<Payment['outcome']> = object(
  {
    retryable: boolean('Whether the same card may be charged again.'),
    advice: nullable(
      oneOf(
        ['try_again_later', 'update_card', 'do_not_retry', 'authenticate'],
        'The recommended next step after a decline; null if there is none.',
      ),
    ),
  },
  'Advice on a payment that did not succeed.',
)

/** The payment resource. */
export const payment = defineResource('payments', {
  status: oneOf(
    ['processing', 'requires_action', 'succeeded', 'failed', 'canceled'],
    'Whether the issuer is deciding, the customer must authenticate, or how the payment ended.',
  ),
  amount: amount('The amount to charge.'),
  currency: currencyCode('The currency of the amounts.'),
  amount_refunded: amount('The amount refunded so far.'),
  refunded: boolean('Whether the whole amount is refunded.'),
  customer: id('Customer of the payment.'),
  payment_method: nullable(id('The saved card; null if the card is not saved.')),
  invoice: nullable(id('The invoice that it pays; null if it pays none.')),
  checkout_session: nullable(id('The checkout session it was started in; null if in none.')),
  payment_session: nullable(id('The payment session it was started in; null if in none.')),
  off_session: boolean('Whether the customer is absent, as for renewals.'),
  payment_method_details: methodDetails,
  next_action: nullable(nextAction),
  failure_code: nullable(text('The error code of the failure; null if it did not fail.')),
  decline_code: nullable(text('The reason of the issuer for declining; null if it gave none.')),
  failure_message: nullable(text('The failure as a message for the customer; null if it did not fail.')),
  outcome,
  succeeded_at: nullable(timestamp('When the issuer approved it; null if it did not.')),
  failed_at: nullable(timestamp('When it failed; null if it did not.')),
  canceled_at: nullable(timestamp('When it was canceled; null if it was not.')),
  canceled_reason: nullable(text('Why it was canceled; null if it was not.')),
  ...metadataAndClock,
})
