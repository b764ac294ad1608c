export interface TaxableLine {
  readonly amount: number
  /** The discount in minor units, which is subtracted before tax (default: 0). */
  readonly discount_amount?: number
  readonly tax_percent: number
}

export interface TaxByRate {
  readonly tax_percent: number
  readonly taxable_amount: number
  readonly amount: number
}

/**
 * The largest price of one unit of an item and the largest amount of a payment session, in minor units. Numbers of 13
 * digits or more can look like card numbers, which messages mask.
 */
export const MAX_AMOUNT = 999_999_999_999
/** Maximum number of items of a subscription. */
export const MAX_SUBSCRIPTION_ITEMS = 20
/** The largest quantity of an item. */
export const MAX_QUANTITY = 999_999
/**
 * The largest total of a subscription's items and the largest payment, in minor units. It allows the maximum number of
 * items with 100 % tax.
 */
export const MAX_PAYMENT_AMOUNT = 2 * MAX_SUBSCRIPTION_ITEMS * MAX_AMOUNT

const TAX_PERCENT_DECIMALS = 4
const PERCENT_OFF_DECIMALS = 2
const PPM_OF_ONE = 1_000_000n

/** Returns whether a value is a tax rate: a number from 0 to 100 with at most four decimals. */
export function isTaxPercent(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100 && /^\d+(\.\d{1,4})?$/.test(String(value))
}

/** Returns whether a value is the percentage of a discount: a number over 0, up to 100, with at most two decimals. */
export function isPercentOff(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 100 && /^\d+(\.\d{1,2})?$/.test(String(value))
}

// String() returns the shortest decimal string, which equals the string in the request, so there is no binary rounding.
function toScaledInteger(percent: number, decimals: number): bigint {
  const [whole = '', fraction = ''] = String(percent).split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

function partsPerMillion(taxPercent: number): bigint {
  if (!isTaxPercent(taxPercent)) {
    throw new RangeError('a tax rate must be from 0 to 100 with at most 4 decimals')
  }
  return toScaledInteger(taxPercent, TAX_PERCENT_DECIMALS)
}

function requireAmount(amount: number): void {
  if (!Number.isSafeInteger(amount)) {
    throw new RangeError('an amount must be an integer of minor units from -(2^53-1) to 2^53-1')
  }
}

/**
 * Returns the tax on an amount in minor units, rounded half up; throws RangeError on an invalid amount or rate. The tax
 * on a credit is the negative tax on the charge, so a charge and its full credit add up to 0.
 */
export function calculateTax(amount: number, taxPercent: number): number {
  requireAmount(amount)
  const ppm = partsPerMillion(taxPercent)
  const tax = Number((2n * BigInt(Math.abs(amount)) * ppm + PPM_OF_ONE) / (2n * PPM_OF_ONE))
  return amount < 0 && tax > 0 ? -tax : tax
}

/** Returns the amount of a quantity at a unit price in minor units; throws RangeError beyond ±(2^53-1). */
export function multiplyAmount(quantity: number, unitAmount: number): number {
  const amount = quantity === 0 ? 0 : Number(BigInt(quantity) * BigInt(unitAmount))
  requireAmount(amount)
  return amount
}

/** Adds amounts in minor units; throws RangeError when an amount or the sum is not an integer within ±(2^53-1). */
export function addAmounts(...amounts: readonly number[]): number {
  let sum = 0
  for (const amount of amounts) {
    requireAmount(amount)
    sum += amount
    requireAmount(sum)
  }
  return sum
}

/** The terms of a discount: a percentage, or an amount in minor units. The other field is null. */
export interface DiscountTerms {
  readonly percent_off: number | null
  readonly amount_off: number | null
}

/** Returns the discount on a sum, both in minor units: at most the sum, and 0 for a negative sum. Rounds half up. */
export function calculateDiscount(sum: number, { percent_off, amount_off }: DiscountTerms): number {
  requireAmount(sum)
  if (sum <= 0) return 0
  if (percent_off === null) return Math.min(sum, amount_off ?? 0)
  const one = 10n ** BigInt(PERCENT_OFF_DECIMALS + 2)
  return Number((2n * BigInt(sum) * toScaledInteger(percent_off, PERCENT_OFF_DECIMALS) + one) / (2n * one))
}

/**
 * Returns each amount's share of the discount on their sum. Shares are proportional and rounded down. The missing units
 * go to the largest remainders, so that the shares add up to the discount. If remainders are equal, the earlier amount
 * gets the unit.
 */
export function shareDiscount(amounts: readonly number[], terms: DiscountTerms): number[] {
  const sum = addAmounts(...amounts)
  const discount = calculateDiscount(sum, terms)
  if (discount === 0) return amounts.map(() => 0)
  const parts = amounts.map((amount, at) => {
    const product = BigInt(discount) * BigInt(amount)
    const remainder = ((product % BigInt(sum)) + BigInt(sum)) % BigInt(sum)
    return { at, share: Number((product - remainder) / BigInt(sum)), remainder }
  })
  const missing = discount - addAmounts(...parts.map(({ share }) => share))
  const byRemainder = parts.toSorted((a, b) => Number(b.remainder - a.remainder) || a.at - b.at)
  const rounded = new Set(byRemainder.slice(0, missing).map(({ at }) => at))
  return parts.map(({ at, share }) => share + (rounded.has(at) ? 1 : 0))
}

/** Returns the amounts of one line in minor units, with its tax rounded half up; throws RangeError beyond ±(2^53-1). */
export function calculateLineTotals(line: TaxableLine) {
  const net = netAmount(line)
  const tax = calculateTax(net, line.tax_percent)
  return {
    amount_subtotal: line.amount,
    amount_discount: line.discount_amount ?? 0,
    amount_tax: tax,
    amount_total: addAmounts(net, tax),
  }
}

function netAmount({ amount, discount_amount = 0 }: TaxableLine): number {
  return addAmounts(amount, -discount_amount)
}

/** Adds the amounts of all lines in minor units, with tax rounded per line; throws RangeError beyond ±(2^53-1). */
export function sumLineTotals(lines: readonly TaxableLine[]) {
  const totals = lines.map(calculateLineTotals)
  return {
    amount_subtotal: addAmounts(...totals.map((line) => line.amount_subtotal)),
    amount_discount: addAmounts(...totals.map((line) => line.amount_discount)),
    amount_tax: addAmounts(...totals.map((line) => line.amount_tax)),
    amount_total: addAmounts(...totals.map((line) => line.amount_total)),
  }
}

/** Groups lines by tax rate in order of first appearance, with the sum of their rounded taxes. */
export function groupTaxesByRate(lines: readonly TaxableLine[]): TaxByRate[] {
  const taxes = new Map<number, TaxByRate>()
  for (const line of lines) {
    const { tax_percent } = line
    const net = netAmount(line)
    const before = taxes.get(tax_percent) ?? { tax_percent, taxable_amount: 0, amount: 0 }
    taxes.set(tax_percent, {
      tax_percent,
      taxable_amount: addAmounts(before.taxable_amount, net),
      amount: addAmounts(before.amount, calculateTax(net, tax_percent)),
    })
  }
  return [...taxes.values()]
}
