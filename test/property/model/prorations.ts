import { startOf } from './cards.ts'
import { periodOf } from './ledger.ts'
import { amountsOf, signedTaxOn } from './rules.ts'
import type { InvoiceItem, Item, Line, Period, Subscription } from './state.ts'

/** The time for which items are prorated: from `t` to the end of a period. */
export interface RestOfPeriod {
  readonly start: number
  readonly t: number
  readonly end: number
}

/** The price of an item for a whole period. */
export interface FullPrice {
  readonly amount: number
  readonly ppm: number
}

const NOTHING: FullPrice = { amount: 0, ppm: 0 }

/** Returns the current period of a subscription, from a time `t` in it. */
export function restOfPeriod({ terms: { rhythm }, index }: Subscription, t: number): RestOfPeriod {
  return { start: startOf(rhythm, index), t, end: startOf(rhythm, index + 1) }
}

/** Returns the share of an amount for the rest of a period, rounded half up. */
export function partOf(amount: number, { start, t, end }: RestOfPeriod): number {
  const [length, rest] = [BigInt(end - start), BigInt(end - t)]
  return Number((2n * BigInt(amount) * rest + length) / (2n * length))
}

/**
 * Returns the lines that billed items of a subscription for the current period, oldest first: regular lines of
 * finalized invoices, and prorations that wait for an invoice or are on one. Lines of void invoices do not count.
 */
export function billedLines(subscription: Subscription, items: readonly InvoiceItem[]): Line[] {
  const { start, end } = periodOf(subscription)
  const isCurrent = (period: Period) => period.start === start && period.end === end
  const own = items.filter((one) => one.subscription === subscription && isCurrent(one.period))
  const prorations = new Set(own.map(({ line }) => line).filter(({ isProration }) => isProration))
  const billed = subscription.invoices.filter(({ status }) => status !== 'void')
  const pending = own.filter(({ invoice, isDeleted }) => invoice === null && !isDeleted)
  return [
    ...billed.flatMap((invoice) => {
      const isBilled = isCurrent(invoice) && invoice.status !== 'draft'
      return invoice.lines.filter((line) => prorations.has(line) || (isBilled && !line.isProration))
    }),
    ...pending.map(({ line }) => line),
  ]
}

/**
 * Returns the price of an item for a whole period as its newest regular line and the prorations since then billed it, with
 * the tax rate of its newest charge.
 */
export function billedPrice(item: Item, billed: readonly Line[]): FullPrice {
  const lines = billed.filter((line) => line.item === item)
  const own = lines.slice(
    Math.max(
      0,
      lines.findLastIndex(({ isProration }) => !isProration),
    ),
  )
  const amount = own.reduce((sum, { unit, quantity }) => sum + unit * quantity, 0)
  const ppm = own.findLast(({ unit }) => unit >= 0)?.ppm ?? 0
  return { amount: Math.max(0, amount), ppm }
}

/** Returns the lines of a changed item: a credit for the price that was billed, and a charge for the new price. */
export function prorate(
  item: Item,
  { before, after }: { readonly before: FullPrice; readonly after: Readonly<Item> | null },
  rest: RestOfPeriod,
): Line[] {
  const next = after === null ? NOTHING : { amount: amountsOf(after).amount, ppm: after.ppm }
  if (before.amount === next.amount && (before.ppm === next.ppm || next.amount === 0)) return []
  return [
    ...(before.amount === 0 ? [] : [prorationLine(item, before, { rest, sign: -1 })]),
    ...(next.amount === 0 ? [] : [prorationLine(item, next, { rest, sign: 1 })]),
  ]
}

function prorationLine(
  item: Item,
  { amount: full, ppm }: FullPrice,
  { rest, sign }: { readonly rest: RestOfPeriod; readonly sign: 1 | -1 },
): Line {
  const amount = 0 + sign * partOf(full, rest)
  return {
    ...{ item, ppm, amount, unit: sign * full, quantity: 1 },
    tax: signedTaxOn(amount, ppm),
    isProration: true,
    start: rest.t,
    end: rest.end,
  }
}
