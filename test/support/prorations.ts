import {
  type BilledLine,
  type ProratableItem,
  type Proration,
  prorateChange,
} from '../../src/domain/billing/prorations.ts'
import { calculateTax } from '../../src/domain/core/money.ts'

const DAY = 86_400
/** A period of 30 days. */
export const MONTH = { start: 0, end: 30 * DAY }

/** Returns an item with a price, by default one unit without tax. */
export function seat(
  amount: number,
  changes: Partial<ProratableItem> & { tax_percent?: number } = {},
): ProratableItem {
  const { tax_percent = 0, ...fields } = changes
  const price_data = { amount, tax_percent }
  return { id: 'si_1', description: 'Seat', type: 'seat', quantity: 1, ...fields, price_data }
}

/** Returns the regular line of an item for a whole period. */
export function regularLine(item: ProratableItem, period = MONTH): BilledLine {
  return {
    subscription_item: item.id,
    proration: false,
    quantity: item.quantity,
    unit_amount: item.price_data.amount,
    tax_percent: item.price_data.tax_percent,
    period,
  }
}

interface Change {
  readonly to: readonly ProratableItem[]
  readonly at: number
}

/** Bills the items for the whole month, applies the changes in order, and returns the prorations. */
export function changeInTurn(
  items: readonly ProratableItem[],
  changes: readonly Change[],
  period = MONTH,
): Proration[] {
  const prorations: Proration[] = []
  let before = items
  for (const { to, at } of changes) {
    const billed = [...items.map((item) => regularLine(item, period)), ...prorations]
    prorations.push(...prorateChange({ before, after: to, billed, period, at }))
    before = to
  }
  return prorations
}

/** Returns the amounts of the prorations without tax. */
export function amountsOf(prorations: readonly Proration[]): number[] {
  return prorations.map(({ amount }) => amount)
}

/** Returns the signed tax of a proration. */
export function taxOf({ amount, tax_percent }: Proration): number {
  return calculateTax(amount, tax_percent)
}
