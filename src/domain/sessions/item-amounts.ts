import type { Unvalidated, ValidationError } from '../core/domain-error.ts'
import {
  calculateTax,
  isTaxPercent,
  MAX_PAYMENT_AMOUNT,
  multiplyAmount,
  type TaxableLine,
} from '../core/money.ts'

/** The fields of an item that determine its amount. */
export interface PricedItem {
  /** The number of units (default: 1). */
  readonly quantity?: number
  readonly price_data: { readonly amount: number; readonly tax_percent?: number }
}

/** Returns the amount of an item in minor units, its unit price times its quantity, with its tax rate. */
export function toTaxableLine(item: PricedItem): TaxableLine {
  const { quantity = 1, price_data } = item
  const { amount, tax_percent = 0 } = price_data
  return { amount: multiplyAmount(quantity, amount), tax_percent }
}

/** Returns the amount of an item of a checkout session with its discount and its tax rate. */
export function toDiscountedLine(item: PricedItem & { readonly amount_discount: number }): TaxableLine {
  return { ...toTaxableLine(item), discount_amount: item.amount_discount }
}

/**
 * Returns an error when an item or the sum of all items with tax is larger than the largest payment. `param` is the path
 * of the items, such as `subscription_data[items]`. Items that are already invalid are skipped.
 */
export function listMaxAmountErrors(
  items: readonly (Unvalidated<PricedItem> | null)[],
  param: string,
): ValidationError[] {
  let sum = 0
  for (const [index, item] of items.entries()) {
    const total = item === null ? null : totalOf(item)
    if (total === null) continue
    if (total > MAX_PAYMENT_AMOUNT) return [tooLarge(`${param}[${index}][quantity]`, 'the item costs')]
    sum += total
  }
  return sum > MAX_PAYMENT_AMOUNT ? [tooLarge(param, 'the items cost')] : []
}

// Returns null when a field of the item has already failed validation.
function totalOf({ quantity = 1, price_data }: Unvalidated<PricedItem>): number | null {
  const { amount, tax_percent = 0 } = price_data ?? {}
  if (!isWhole(quantity) || !isWhole(amount) || !isTaxPercent(tax_percent)) return null
  const price = quantity * amount
  // A price above the maximum may be inexact, and is too large even without tax.
  return price > MAX_PAYMENT_AMOUNT ? price : price + calculateTax(price, tax_percent)
}

function isWhole(value: number | null | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function tooLarge(param: string, subject: string): ValidationError {
  const message = `Invalid ${param}: ${subject} more than ${MAX_PAYMENT_AMOUNT} minor units with tax, which is the limit. Use a smaller quantity or price.`
  return { code: 'amount_too_large', param, message }
}
