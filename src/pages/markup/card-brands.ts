import type { CardBrand } from '../../domain/card-checks.ts'

/** What card networks call themselves. */
export const BRAND_NAMES: Readonly<Record<CardBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** What a network calls itself; undefined for none that is known. */
export function brandName(brand: string): string | undefined {
  return new Map<string, string>(Object.entries(BRAND_NAMES)).get(brand)
}
