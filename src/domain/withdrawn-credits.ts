import type { InvoiceItem } from './invoice-items.ts'
import { type BilledLine, isWithdrawnCredit, type Proration, replayPrices } from './prorations.ts'

/** A billed line with the invoice that bills it; null for a pending invoice item. */
export type CreditableLine = BilledLine &
  Pick<InvoiceItem, 'description' | 'type' | 'amount'> & { readonly invoice: string | null }

interface CreditedAmount {
  readonly line: CreditableLine
  readonly amount: number
}

/**
 * Returns the prorations that take back what earlier changes credited of a voided invoice, one per item and tax rate. Give
 * what was billed in the periods of the invoice, oldest first, with its own lines.
 */
export function withdrawCredits(billed: readonly CreditableLine[], voided: string): Proration[] {
  const remaining = billed.filter(({ invoice }) => invoice !== voided)
  const before = groupCredits(billed)
  const after = groupCredits(remaining)
  return [...new Set(billed.map(keyOf))].flatMap((key) => {
    const [given = [], excessive = []] = [before.get(key), after.get(key)]
    const amount = limitTo(sumOf(excessive), sumOf(excessive) - sumOf(given))
    const line = (excessive[0] ?? given[0])?.line
    return amount === 0 || line === undefined ? [] : [withdrawal(line, amount)]
  })
}

/**
 * Returns the part of an amount between 0 and a limit. A pause of collection may have voided the invoice with a withdrawal,
 * which is then never charged: it must be neither charged by a later one nor returned.
 */
function limitTo(limit: number, amount: number): number {
  return limit < 0 ? Math.max(limit, Math.min(0, amount)) : Math.min(limit, Math.max(0, amount))
}

function groupCredits(billed: readonly CreditableLine[]): Map<string, CreditedAmount[]> {
  return Map.groupBy(listExcessCredits(billed), ({ line }) => keyOf(line))
}

// Per item and period: every credit of more than was billed before it, without what was already taken back.
function listExcessCredits(billed: readonly CreditableLine[]): CreditedAmount[] {
  const prorated = billed.filter(({ subscription_item }) => subscription_item !== null)
  const groups = Map.groupBy(
    prorated,
    ({ subscription_item, period }) => `${subscription_item} ${period.end}`,
  )
  return [...groups.values()].flatMap((lines) => {
    const [withdrawn, prices] = [
      lines.filter(isWithdrawnCredit),
      lines.filter((line) => !isWithdrawnCredit(line)),
    ]
    return [
      ...replayPrices(prices).excesses.map(({ line, excess }) => ({ line, amount: shareOf(line, excess) })),
      ...withdrawn.map((line) => ({ line, amount: -line.amount })),
    ]
  })
}

/** Returns the share of a credit in minor units, rounded half up. */
function shareOf({ amount, quantity, unit_amount }: CreditableLine, excess: number): number {
  const price = BigInt(-quantity * unit_amount)
  return Number((2n * BigInt(-amount) * BigInt(excess) + price) / (2n * price))
}

function keyOf({ subscription_item, period, tax_percent }: CreditableLine): string {
  return `${subscription_item} ${period.end} ${tax_percent}`
}

function sumOf(credits: readonly CreditedAmount[]): number {
  return credits.reduce((sum, { amount }) => sum + amount, 0)
}

function withdrawal(line: CreditableLine, amount: number): Proration {
  const { subscription_item, description, type, tax_percent, period } = line
  return {
    subscription_item: subscription_item ?? '',
    description,
    type,
    quantity: 1,
    unit_amount: 0,
    amount,
    tax_percent,
    period,
    proration: true,
  }
}
