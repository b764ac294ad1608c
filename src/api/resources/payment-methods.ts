import type { CardDetails, PaymentMethod } from '../../domain/payment-methods.ts'
import { type Exactly, group, head, only, orNull, reference, resource, tail, words } from './fields.ts'
import { shownCard } from './payments.ts'

const card: Exactly<CardDetails> = group(
  {
    ...shownCard,
    funding: words('`credit`, `debit` or `prepaid`.'),
    country: words('Where it was issued, as two letters of ISO 3166.'),
    fingerprint: words('The same for the same number, in this sandbox only.'),
    test_behavior: words('What its issuer says to charges: the alias of its test card.'),
  },
  'All that is kept of the card: never its number, never its security code.',
)

/** A saved card as answers show it. */
export const paymentMethod = resource<PaymentMethod>('payment_method', 'A card saved to a customer.', {
  ...head('payment_method', 'card'),
  type: only('card', 'The kind of payment method.'),
  customer: orNull(reference('Whose it is; null once it is detached.')),
  card,
  billing_details: group(
    {
      name: orNull(words("The cardholder's name.")),
      email: orNull(words("The customer's e-mail address when it was saved.")),
    },
    'Who it is billed to.',
  ),
  ...tail,
})
