import { multiplyAmount } from '../core/money.ts'

/** An item of a subscription with its price per period. */
export interface ProratableItem {
  readonly id: string
  readonly description: string | null
  readonly type: string
  readonly quantity: number
  readonly price_data: { readonly amount: number; readonly tax_percent: number }
}

/** A period in Unix seconds; `end` is exclusive. */
export interface Period {
  readonly start: number
  readonly end: number
}

/** The part of an invoice line or of a pending invoice item that bills a subscription item. */
export interface BilledLine {
  readonly subscription_item: string | null
  readonly proration: boolean
  readonly quantity: number
  /** The amount for a full period; negative for a credit. */
  readonly unit_amount: number
  /** The discount on the amount for a full period (default: 0). */
  readonly discount_amount?: number
  readonly tax_percent: number
  readonly period: Period
}

/** A credit for unused time or a charge for remaining time, without its tax. */
export interface Proration extends BilledLine {
  readonly subscription_item: string
  readonly description: string | null
  readonly type: string
  /** The share of `quantity · unit_amount` for the remaining period, in minor units; negative for a credit. */
  readonly amount: number
}

/** A change of the items of a subscription within its current period. */
export interface ProrateChangeOptions {
  readonly before: readonly ProratableItem[]
  readonly after: readonly ProratableItem[]
  /** The lines that were billed in the current period, oldest first. */
  readonly billed: readonly BilledLine[]
  readonly period: Period
  /** The time of the change in Unix seconds; at or after the start of the period and before its end. */
  readonly at: number
}

/**
 * Returns the share of a non-negative amount for the time from `at` to the end of the period, rounded half up. Throws
 * RangeError when `at` is outside the period.
 */
export function prorateAmount(amount: number, { start, end }: Period, at: number): number {
  if (at < start || at >= end) throw new RangeError('a proration must be inside its period')
  const length = BigInt(end - start)
  return Number((2n * BigInt(amount) * BigInt(end - at) + length) / (2n * length))
}

/**
 * Returns the prorations of a change. Each item whose price changes has a credit for the billed unused time and a
 * charge for the remaining time. A removed item has only a credit, and a new item has only a charge. Throws RangeError
 * when `at` is outside the period.
 */
export function prorateChange({ before, after, billed, period, at }: ProrateChangeOptions): Proration[] {
  const next = new Map(after.map((item) => [item.id, item]))
  const known = new Set(before.map(({ id }) => id))
  const rest = { period, at }
  const changed = before.flatMap((item) => {
    const replaced = next.get(item.id) ?? null
    return replaced !== null && isSamePrice(item, replaced) ? [] : prorateItem(item, replaced, billed, rest)
  })
  const added = after.filter(({ id }) => !known.has(id)).flatMap((item) => chargeRest(item, rest))
  return [...changed, ...added]
}

/** Returns the time of the latest proration in a period, in Unix seconds; the start of the period without a proration. */
export function getLatestProrationTime(billed: readonly BilledLine[], period: Period): number {
  const times = billed
    .filter((line) => line.proration && !isCreditCorrection(line) && isInPeriod(line, period))
    .map((line) => line.period.start)
  return Math.max(period.start, ...times)
}

interface RestOfPeriod {
  readonly period: Period
  readonly at: number
}

function prorateItem(
  item: ProratableItem,
  replaced: ProratableItem | null,
  billed: readonly BilledLine[],
  rest: RestOfPeriod,
): Proration[] {
  const old = billedFor(item, billed, rest.period)
  if (replaced !== null && old.amount === priceOf(replaced) && isSameTax(old, replaced)) return []
  const charge = replaced === null ? [] : chargeRest(replaced, rest)
  return [...creditRest(item, old, rest), ...charge]
}

interface BilledAmount {
  /** The amount for a full period in minor units; not negative. */
  readonly amount: number
  readonly tax_percent: number
}

// Prorations count only billed amounts, so that changes never credit more than the customer was charged.
function billedFor(item: ProratableItem, billed: readonly BilledLine[], period: Period): BilledAmount {
  const last = billed.findLast(
    (line) => line.subscription_item === item.id && isInPeriod(line, period) && !isCreditCorrection(line),
  )
  return {
    // Each change credits the whole amount billed before the change, so only the last line counts. A credit as the last
    // line means that nothing is left to credit.
    amount: last === undefined ? 0 : Math.max(0, getBilledPrice(last)),
    tax_percent: last?.tax_percent ?? item.price_data.tax_percent,
  }
}

/** Returns the discounted price of a billed line for a full period, without tax; negative for a credit. */
export function getBilledPrice({ quantity, unit_amount, discount_amount = 0 }: BilledLine): number {
  return quantity * unit_amount - discount_amount
}

/**
 * Returns whether a line corrects the credits of a voided invoice. Only these prorations have a unit price of 0,
 * because changes create no proration for a price of 0.
 */
export function isCreditCorrection({ proration, unit_amount }: BilledLine): boolean {
  return proration && unit_amount === 0
}

function isInPeriod(line: BilledLine, { start, end }: Period): boolean {
  return line.period.end === end && line.period.start >= start
}

function creditRest(item: ProratableItem, old: BilledAmount, { period, at }: RestOfPeriod): Proration[] {
  if (old.amount === 0) return []
  // Without proration, or with a discount, the price of the item can differ from the billed amount.
  const isPrice = old.amount === priceOf(item)
  return [
    {
      ...prorationOf(item, { period, at }),
      quantity: isPrice ? item.quantity : 1,
      unit_amount: isPrice ? -item.price_data.amount : -old.amount,
      // The subtraction avoids the result -0.
      amount: 0 - prorateAmount(old.amount, period, at),
      tax_percent: old.tax_percent,
    },
  ]
}

function chargeRest(item: ProratableItem, { period, at }: RestOfPeriod): Proration[] {
  const price = priceOf(item)
  if (price === 0) return []
  return [
    {
      ...prorationOf(item, { period, at }),
      quantity: item.quantity,
      unit_amount: item.price_data.amount,
      amount: prorateAmount(price, period, at),
      tax_percent: item.price_data.tax_percent,
    },
  ]
}

function prorationOf({ id, description, type }: ProratableItem, { period, at }: RestOfPeriod) {
  return {
    subscription_item: id,
    description,
    type,
    proration: true,
    period: { start: at, end: period.end },
  }
}

function priceOf(item: ProratableItem): number {
  return multiplyAmount(item.quantity, item.price_data.amount)
}

function isSamePrice(a: ProratableItem, b: ProratableItem): boolean {
  return priceOf(a) === priceOf(b) && isSameTax(a.price_data, b)
}

function isSameTax(
  { tax_percent }: { readonly tax_percent: number },
  { price_data }: ProratableItem,
): boolean {
  return tax_percent === price_data.tax_percent
}
