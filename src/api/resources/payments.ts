import type { Payment } from '../../domain/payments.ts'
import {
  address,
  count,
  currencyCode,
  type Exactly,
  group,
  head,
  moment,
  money,
  oneOf,
  only,
  orNull,
  reference,
  resource,
  tail,
  words,
  yesNo,
} from './fields.ts'

/** What every answer may show of a card. */
export const shownCard = {
  brand: words('Such as `visa` or `mastercard`.'),
  last4: words('The last four digits of the number.'),
  exp_month: count(1, 'Month of expiry, 1 to 12.'),
  exp_year: count(2000, 'Year of expiry, in four digits.'),
}

const methodDetails: Exactly<Payment['payment_method_details']> = group(
  {
    type: only('card', 'How it was paid.'),
    card: group(
      {
        ...shownCard,
        three_d_secure: orNull(
          oneOf(['authenticated', 'failed'], 'How 3-D Secure went; null when it was not asked for.'),
        ),
      },
      'The card as it was when it was charged.',
    ),
  },
  'What was charged, as it was then.',
)

const nextAction: Exactly<NonNullable<Payment['next_action']>> = group(
  {
    type: only('redirect_to_url', 'The buyer must open a page.'),
    redirect_to_url: group({ url: address('The page.') }, 'Where to.'),
  },
  'What the buyer must do before the issuer decides.',
)

const outcome: Exactly<Payment['outcome']> = group(
  {
    retryable: yesNo('Whether the same card may be tried again.'),
    advice: orNull(
      oneOf(['try_again_later', 'update_card', 'do_not_retry', 'authenticate'], 'What to do next.'),
    ),
  },
  'What to make of a payment that did not succeed.',
)

/** A payment as answers show it. */
export const payment = resource<Payment>('payment', 'One try to charge a card.', {
  ...head('payment', 'payment'),
  status: oneOf(
    ['processing', 'requires_action', 'succeeded', 'failed', 'canceled'],
    'Whether the issuer still decides, waits for the buyer, said yes or no, or was not waited for.',
  ),
  amount: money('What is charged.'),
  currency: currencyCode('The currency of the amounts.'),
  amount_refunded: money('How much of it was given back.'),
  refunded: yesNo('Whether all of it was given back.'),
  customer: reference('The customer who pays.'),
  payment_method: orNull(reference('The saved card; null for one that is not saved.')),
  invoice: orNull(reference('The invoice it pays.')),
  checkout_session: orNull(reference('The checkout session it was begun in.')),
  payment_session: orNull(reference('The payment session it was begun in.')),
  off_session: yesNo('Whether the buyer was absent, as in renewals.'),
  payment_method_details: methodDetails,
  next_action: orNull(nextAction),
  failure_code: orNull(words('Why it failed: a code of the error reference.')),
  decline_code: orNull(words('Why the issuer declined, where it says.')),
  failure_message: orNull(words('The same in words, for the buyer.')),
  outcome,
  succeeded_at: orNull(moment('When the issuer said yes.')),
  failed_at: orNull(moment('When it failed.')),
  canceled_at: orNull(moment('When it was canceled.')),
  canceled_reason: orNull(words('Why it was canceled.')),
  ...tail,
})
