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

/** Returns the share of an amount for the remaining part of a period, rounded half up. */
export function partOf(amount: number, { start, t, end }: RestOfPeriod): number {
  const [length, rest] = [BigInt(end - start), BigInt(end - t)]
  return Number((2n * BigInt(amount) * rest + length) / (2n * length))
}

/**
 * Returns the regular lines and prorations of a subscription for the current period, oldest first. Prorations may be
 * pending or on an invoice. Lines of void invoices do not count.
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
      const isRegular = ({ isProration }: Line) => !isProration && isCurrent(invoice)
      return invoice.lines.filter((line) => prorations.has(line) || isRegular(line))
    }),
    ...pending.map(({ line }) => line),
  ]
}

/** Returns the price of an item for a whole period, with its tax rate, as its newest line billed it: nothing after a credit. */
export function billedPrice(item: Item, billed: readonly Line[]): FullPrice {
  const last = billed.filter((line) => line.item === item && !takesBack(line)).at(-1)
  return { amount: Math.max(0, last === undefined ? 0 : fullPriceOf(last)), ppm: last?.ppm ?? 0 }
}

/** Returns the amount that a line bills for a whole period, after its discount. */
function fullPriceOf({ unit, quantity, discount = 0 }: Line): number {
  return unit * quantity - discount
}

/** Returns whether a line charges a credit again. */
export function takesBack({ isProration, unit }: Line): boolean {
  return isProration && unit === 0
}

/**
 * Returns the credited amounts that no line before them covers, by item, end of the period and tax rate. A credit that
 * reverses the line before it is covered. For other credits, the share of that line and the amounts charged again are
 * subtracted. Each entry starts at the time of its first credit.
 */
function giftsOf(lines: readonly Line[]): Map<string, { readonly line: Line; amount: number }> {
  const gifts = new Map<string, { readonly line: Line; amount: number }>()
  const newest = new Map<string, Line>()
  const add = (line: Line, amount: number) => {
    const known = gifts.get(keyOf(line))
    if (known === undefined) gifts.set(keyOf(line), { line, amount })
    else known.amount += amount
  }
  for (const line of lines) {
    if (line.item === null) continue
    if (takesBack(line)) {
      add(line, -line.amount)
      continue
    }
    const key = `${ids(line.item)} ${line.end}`
    const known = newest.get(key)
    const isFull =
      known !== undefined && known.ppm === line.ppm && fullPriceOf(known) === -line.unit * line.quantity
    if (line.isProration && !isFull) {
      if (line.unit < 0) add(line, -line.amount)
      if (known !== undefined)
        add(
          { ...known, start: line.start },
          -partOf(known.amount - (known.discount ?? 0), { ...known, t: line.start }),
        )
    }
    if (line.unit < 0) newest.delete(key)
    else newest.set(key, line)
  }
  return new Map([...gifts].filter(([, { amount }]) => amount !== 0))
}

/**
 * Returns the lines that charge credits again after an invoice that covered them was voided. A line charges at most the
 * credits that no invoice covers now; a deleted credit charges nothing.
 */
export function withdrawals(before: readonly Line[], after: readonly Line[]): Line[] {
  const [known, given] = [giftsOf(before), giftsOf(after)]
  return [...new Set(before.map(keyOf))].flatMap((key) => {
    const line = (given.get(key) ?? known.get(key))?.line
    const uncovered = given.get(key)?.amount ?? 0
    const added = uncovered - (known.get(key)?.amount ?? 0)
    const amount =
      uncovered < 0 ? Math.max(uncovered, Math.min(0, added)) : Math.min(uncovered, Math.max(0, added))
    if (line === undefined || amount === 0) return []
    return [{ ...line, unit: 0, quantity: 1, amount, tax: signedTaxOn(amount, line.ppm) }]
  })
}

function keyOf({ item, end, ppm }: Line): string {
  return `${ids(item)} ${end} ${ppm}`
}

const numbers = new WeakMap<Item, number>()
let count = 0

/** Returns a number that identifies an item. */
function ids(item: Item | null): number {
  if (item === null) return 0
  const known = numbers.get(item)
  if (known !== undefined) return known
  count += 1
  numbers.set(item, count)
  return count
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
