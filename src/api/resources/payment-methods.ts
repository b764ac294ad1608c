import type { CardDetails } from '../../domain/payment-methods.ts'
import { constant, type Exactly, id, metadataAndClock, nullable, object, text } from './fields.ts'
import { cardFields } from './payments.ts'
import { defineResource } from './resource.ts'

const card: Exactly<CardDetails> = object(
  {
    ...cardFields,
    funding: text('The funding of the card: `credit`, `debit` or `prepaid`.'),
    country: text('The country of the issuer, as two letters of ISO 3166.'),
    fingerprint: text(
      'An identifier of the card number, which is the same for the same number in this sandbox.',
    ),
    test_behavior: text('How the issuer decides charges: the alias of the test card.'),
  },
  'The card without its number and security code, which are never stored.',
)

/** The payment method resource. */
export const paymentMethod = defineResource('payment_methods', {
  type: constant('card', 'The type of the payment method.'),
  customer: nullable(id('The customer who owns the card; null after it was detached.')),
  card,
  billing_details: object(
    {
      name: nullable(text('The name of the cardholder; null if none was given.')),
      email: nullable(text('The e-mail address of the customer when the card was saved; null if unknown.')),
    },
    'The name and address of the cardholder.',
  ),
  ...metadataAndClock,
})
