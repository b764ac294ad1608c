import type { InvoiceItem } from './invoice-items.ts'
import {
  type BilledLine,
  getBilledPrice,
  isCreditCorrection,
  type Period,
  type Proration,
  prorateAmount,
} from './prorations.ts'

/** A billed line with the id of its invoice; the id is null for a pending invoice item. */
export type CreditableLine = BilledLine &
  Pick<InvoiceItem, 'description' | 'type' | 'amount'> & { readonly invoice: string | null }

interface CreditedAmount {
  readonly line: CreditableLine
  readonly amount: number
}

/**
 * Returns the prorations that correct credits after an invoice was voided, one per item, period and tax rate. The
 * prorations reverse later credits for the lines of the invoice, and repeat the credits in its lines. `billed` contains
 * all lines of the periods of the invoice, oldest first.
 */
export function createCreditCorrections(billed: readonly CreditableLine[], voided: string): Proration[] {
  const remaining = billed.filter(({ invoice }) => invoice !== voided)
  const before = groupCredits(billed)
  const after = groupCredits(remaining)
  return [...new Set(billed.map(keyOf))].flatMap((key) => {
    const [given = [], excessive = []] = [before.get(key), after.get(key)]
    const amount = limitTo(sumOf(excessive), sumOf(excessive) - sumOf(given))
    const line = (excessive[0] ?? given[0])?.line
    return amount === 0 || line === undefined ? [] : [toProration(line, amount)]
  })
}

/**
 * Returns an amount limited to the range between 0 and a limit, which may be negative. A pause of collection may void
 * an invoice that contains an earlier correction. That correction was never charged, so no later invoice charges or
 * returns it.
 */
function limitTo(limit: number, amount: number): number {
  return limit < 0 ? Math.max(limit, Math.min(0, amount)) : Math.min(limit, Math.max(0, amount))
}

function groupCredits(billed: readonly CreditableLine[]): Map<string, CreditedAmount[]> {
  const prorated = billed.filter(({ subscription_item }) => subscription_item !== null)
  const groups = Map.groupBy(
    prorated,
    ({ subscription_item, period }) => `${subscription_item} ${period.end}`,
  )
  return Map.groupBy([...groups.values()].flatMap(listExcessCredits), ({ line }) => keyOf(line))
}

// Returns the credits of one item in one period that exceed the amounts billed before these credits. Missing credits
// and earlier corrections are subtracted.
function listExcessCredits(lines: readonly CreditableLine[]): CreditedAmount[] {
  const credits: CreditedAmount[] = []
  let billed: CreditableLine | null = null
  for (const line of lines) {
    if (isCreditCorrection(line)) {
      credits.push({ line, amount: -line.amount })
      continue
    }
    // A change lists its credit line first. That line credits the whole billed amount, so skip the charge line.
    if (line.proration && !isCreditOf(line, billed)) {
      if (line.amount < 0) credits.push({ line, amount: -line.amount })
      if (billed !== null) credits.push(missingCredit(billed, line.period))
    }
    billed = line.unit_amount < 0 ? null : line
  }
  return credits
}

function isCreditOf(credit: CreditableLine, billed: CreditableLine | null): boolean {
  return (
    billed !== null &&
    credit.quantity * credit.unit_amount === -getBilledPrice(billed) &&
    credit.tax_percent === billed.tax_percent
  )
}

function missingCredit(billed: CreditableLine, rest: Period): CreditedAmount {
  const at = Math.max(billed.period.start, rest.start)
  const net = billed.amount - (billed.discount_amount ?? 0)
  return { line: { ...billed, period: rest }, amount: -prorateAmount(net, billed.period, at) }
}

function keyOf({ subscription_item, period, tax_percent }: CreditableLine): string {
  return `${subscription_item} ${period.end} ${tax_percent}`
}

function sumOf(credits: readonly CreditedAmount[]): number {
  return credits.reduce((sum, { amount }) => sum + amount, 0)
}

function toProration(line: CreditableLine, amount: number): Proration {
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
