import {
  type Change,
  listUpdates,
  type ObjectUpdate,
  type RuleContext,
  toCreation,
  toUpdate,
} from '../core/changes.ts'
import * as s from '../core/schema.ts'
import type { Customer } from './customers.ts'

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
  'The card without its number and security code, which are never stored; null for a bank account.',
)

export type CardDetails = s.ValueOf<typeof card>

/** The fields of the bank account of payments and payment methods. */
export const bankAccountProperties = {
  country: s.text('The country of the bank, as two letters of ISO 3166.'),
  last4: s.text('The last four characters of the IBAN.'),
  mandate: s.id("The reference of the mandate, which is the customer's permission to debit the account."),
}

/** The schema of the stored data of a bank account, without its IBAN. */
const sepaDebit = s.object(
  {
    ...bankAccountProperties,
    fingerprint: s.text('An identifier of the IBAN, which is the same for the same IBAN in this sandbox.'),
    test_behavior: s.text('The alias of the test IBAN, which determines the outcome of debits.'),
  },
  'The bank account without its IBAN, which is never stored; null for a card.',
)

export type BankAccountDetails = s.ValueOf<typeof sepaDebit>

/** The stored data of the card or the bank account that pays. */
export type Instrument = CardDetails | BankAccountDetails

/** The schema of `type`. */
export const methodTypeSchema = s.enumOf(['card', 'sepa_debit'], 'The type of the payment method.')

/** The schema of a saved card or bank account. */
export const paymentMethodSchema = s.resourceObject(
  'payment_method',
  'A card or bank account of a customer.',
  {
    type: methodTypeSchema,
    customer: s.nullable(s.id('The customer who owns the payment method; null after it was detached.')),
    card: s.nullable(card),
    sepa_debit: s.nullable(sepaDebit),
    billing_details: s.object(
      {
        name: s.nullable(s.text('The name of the holder; null if not given.')),
        email: s.nullable(
          s.text('The email address of the customer when the method was saved; null if unknown.'),
        ),
      },
      'The name and address of the holder.',
    ),
    ...s.metadataAndClockProperties,
  },
)

export type PaymentMethod = s.ValueOf<typeof paymentMethodSchema>

/** Returns whether an instrument is a bank account. */
export function isBankAccount(instrument: Instrument): instrument is BankAccountDetails {
  return 'mandate' in instrument
}

/** Returns the card or the bank account of a payment method. */
export function getInstrument({ card, sepa_debit }: Pick<PaymentMethod, 'card' | 'sepa_debit'>): Instrument {
  const instrument = card ?? sepa_debit
  if (instrument === null) throw new Error('a payment method has a card or a bank account')
  return instrument
}

/**
 * Saves a card or bank account to a customer under a reserved id. The customer's first payment method becomes the
 * default. With `isDefault`, the new payment method always becomes the default.
 */
export function attachPaymentMethod(
  attachment: {
    readonly id: string
    readonly customer: Customer
    readonly card: Instrument
    readonly name: string | null
    readonly isDefault?: boolean
  },
  context: RuleContext,
): { readonly changes: Change[]; readonly result: PaymentMethod } {
  const { id, customer, card, name, isDefault = false } = attachment
  const attached = toCreation<PaymentMethod>('payment_method.attached', {
    id,
    object: 'payment_method',
    created: context.now,
    livemode: false,
    customer: customer.id,
    ...(isBankAccount(card)
      ? { type: 'sepa_debit', card: null, sepa_debit: card }
      : { type: 'card', card, sepa_debit: null }),
    billing_details: { name, email: customer.email },
    metadata: {},
    test_clock: customer.test_clock,
  })
  const current = isDefault ? null : customer.default_payment_method
  const withDefault = { ...customer, default_payment_method: current ?? id }
  return {
    changes: [attached, ...listUpdates('customer.updated', customer, withDefault)],
    result: attached.after,
  }
}

/** Detaches a card from its customer. The card can still be retrieved, but not charged. */
export function markPaymentMethodDetached(method: PaymentMethod): ObjectUpdate<PaymentMethod> {
  return toUpdate('payment_method.detached', method, { ...method, customer: null })
}
