import type { CardBrand } from '../domain/cards/card-validation.ts'

const BRAND_NAMES: Readonly<Record<CardBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** Returns the display name of a card brand, or undefined for an unknown brand. */
export function findCardBrandName(brand: string): string | undefined {
  return new Map<string, string>(Object.entries(BRAND_NAMES)).get(brand)
}

/**
 * Returns the stored data of a card or a bank account with the brand that names it: `sepa_debit` for a bank account.
 */
export function getInstrumentDetails({
  card,
  sepa_debit,
}: {
  readonly card: { readonly brand: string; readonly last4: string } | null
  readonly sepa_debit: { readonly last4: string } | null
}): { readonly brand: string; readonly last4: string } {
  return card ?? { brand: 'sepa_debit', last4: sepa_debit?.last4 ?? '' }
}

/** Returns the display name of a card brand or of `sepa_debit`, or undefined for an unknown brand. */
export function findPaymentMethodName(brand: string): string | undefined {
  return brand === 'sepa_debit' ? 'SEPA Direct Debit' : findCardBrandName(brand)
}

/** Returns a card as `Visa •••• 4242`, or a bank account as `SEPA Direct Debit •••• 3000`. */
export function formatCard({ brand, last4 }: { readonly brand: string; readonly last4: string }): string {
  return `${findPaymentMethodName(brand) ?? brand} •••• ${last4}`
}
