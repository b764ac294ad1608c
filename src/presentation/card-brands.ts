import type { CardBrand } from '../domain/cards/card-validation.ts'

/** The display names of card brands. */
const BRAND_NAMES: Readonly<Record<CardBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** Returns the display name of a card brand, or undefined when it is unknown. */
export function getBrandName(brand: string): string | undefined {
  return new Map<string, string>(Object.entries(BRAND_NAMES)).get(brand)
}

/** Returns a card as `Visa •••• 4242`. */
export function formatCard({ brand, last4 }: { readonly brand: string; readonly last4: string }): string {
  return `${getBrandName(brand) ?? brand} •••• ${last4}`
}
