import { type Change, creation, mutation, type ObjectUpdate, type RuleContext } from '../core/changes.ts'
import * as s from '../core/schema.ts'
import { type Customer, createCustomerChanges } from './customers.ts'

/** The card fields of payments and payment methods. */
export const cardProperties = {
  brand: s.text('The brand, such as `visa` or `mastercard`.'),
  last4: s.text('The last four digits of the number.'),
  exp_month: s.integer(1, 'The month of expiry, 1 to 12.'),
  exp_year: s.integer(2000, 'The year of expiry, in four digits.'),
}

/** The schema of the wallet of a card. */
export const walletSchema = s.nullable(
  s.object(
    { type: s.constant('test_wallet', 'The type of the wallet.') },
    'The wallet that the card came from; null if the customer entered the card.',
  ),
)

/** The schema of the stored data of a card, without its number and security code. */
const card = s.object(
  {
    ...cardProperties,
    funding: s.text('The funding of the card: `credit`, `debit` or `prepaid`.'),
    country: s.text('The country of the issuer, as two letters of ISO 3166.'),
    fingerprint: s.text(
      'An identifier of the card number, which is the same for the same number in this sandbox.',
    ),
    test_behavior: s.text('The alias of the test card, which determines the decisions of the issuer.'),
    wallet: walletSchema,
  },
  'The card without its number and security code, which are never stored.',
)

export type CardDetails = s.ValueOf<typeof card>

/** The schema of a saved card. */
export const paymentMethodSchema = s.resourceObject('payment_method', 'A card saved to a customer.', {
  type: s.constant('card', 'The type of the payment method.'),
  customer: s.nullable(s.id('The customer who owns the card; null after it was detached.')),
  card,
  billing_details: s.object(
    {
      name: s.nullable(s.text('The name of the cardholder; null if not given.')),
      email: s.nullable(
        s.text('The e-mail address of the customer when the card was saved; null if unknown.'),
      ),
    },
    'The name and address of the cardholder.',
  ),
  ...s.metadataAndClock,
})

export type PaymentMethod = s.ValueOf<typeof paymentMethodSchema>

/**
 * Saves a card to a customer under a reserved id. The first card of a customer becomes the default; with `isDefault` any
 * card.
 */
export function attachCard(
  attachment: {
    readonly id: string
    readonly customer: Customer
    readonly card: CardDetails
    readonly name: string | null
    readonly isDefault?: boolean
  },
  context: RuleContext,
): { readonly changes: Change[]; readonly result: PaymentMethod } {
  const { id, customer, card, name, isDefault = false } = attachment
  const attached = creation<PaymentMethod>('payment_method.attached', {
    id,
    object: 'payment_method',
    created: context.now,
    livemode: false,
    type: 'card',
    customer: customer.id,
    card,
    billing_details: { name, email: customer.email },
    metadata: {},
    test_clock: customer.test_clock,
  })
  const current = isDefault ? null : customer.default_payment_method
  const withDefault = { ...customer, default_payment_method: current ?? id }
  return { changes: [attached, ...createCustomerChanges(customer, withDefault)], result: attached.after }
}

/** Detaches a card from its customer. It stays readable, but cannot be charged. */
export function detachCard(method: PaymentMethod): ObjectUpdate<PaymentMethod> {
  return mutation('payment_method.detached', method, { ...method, customer: null })
}
