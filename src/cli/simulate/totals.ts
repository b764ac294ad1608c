import { statistics } from '../../api/operations/statistics.ts'
import type { Client } from '../../client/client.ts'
import type { Statistics } from '../../domain/reports/statistics.ts'
import type { SubscriptionHistory } from '../../domain/reports/subscription-history.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'
import { getMonthStart } from './plan.ts'

/**
 * A total of one month (`YYYY-MM` in UTC): an amount in minor units if `currency` is set, otherwise a number. The figure `tax`
 * has a rate in percent.
 */
export interface TotalsRow {
  readonly month: string
  /** Such as `revenue`, or `remaining_2`: the new subscriptions of the month that have not ended two months later. */
  readonly figure: string
  readonly currency: string | null
  readonly tax_percent: number | null
  readonly value: number
}

/** The totals of a simulation, and the statistics from which the payments are plotted. */
export interface SimulationTotals {
  readonly rows: readonly TotalsRow[]
  readonly statistics: Statistics
}

/** Returns the month of a time in Unix seconds as `YYYY-MM` in UTC. */
export function getMonthName(time: number): string {
  return toIsoTimestamp(time)?.slice(0, 'yyyy-mm'.length) ?? ''
}

/** A row without the fields that most figures do not have. */
type Sum = Pick<TotalsRow, 'month' | 'figure' | 'value'> & Partial<TotalsRow>

/** Reads the totals of the first months of a simulation. */
export async function readSimulationTotals(
  client: Client,
  { clock, months }: { readonly clock: string; readonly months: number },
): Promise<SimulationTotals> {
  const range = { start: getMonthStart(0), end: getMonthStart(months) }
  const all = await client.call(statistics.retrieve, {
    ...{ interval: 'month' as const, test_clock: clock, history: true },
    ...range,
  })
  return { rows: addUp([...listMoney(all), ...(all.history ?? []).flatMap(listHistory)]), statistics: all }
}

function listMoney({ data }: Statistics): Sum[] {
  return data.flatMap(({ start, currencies }) =>
    currencies.flatMap(({ currency, payments, refunds, disputes: { open, won, lost } }) => {
      const shared = { month: getMonthName(start), currency }
      const refunded = refunds.succeeded.amount + refunds.pending.amount
      return [
        { ...shared, figure: 'revenue', value: payments.succeeded.amount },
        { ...shared, figure: 'refunded', value: refunded },
        { ...shared, figure: 'disputed', value: open.amount + won.amount + lost.amount },
      ]
    }),
  )
}

function listHistory({ start, created, ended, dunning, ...history }: SubscriptionHistory): Sum[] {
  const month = getMonthName(start)
  const { recovered, open, lost } = dunning
  const remaining = history.remaining.map((value, index) => [`remaining_${index + 1}`, value])
  const counts = {
    ...{ new_subscriptions: created, churned_subscriptions: ended, dunning_failed: recovered + open + lost },
    ...{ dunning_recovered: recovered, dunning_exhausted: lost, dunning_open: open },
    ...Object.fromEntries(remaining),
  }
  return [
    ...history.recurring_revenue.map(({ currency, amount: value }) => ({
      ...{ month, figure: 'mrr', currency, value },
    })),
    ...history.taxes.map(({ currency, tax_percent, amount: value }) => ({
      ...{ month, figure: 'tax', currency, tax_percent, value },
    })),
    ...Object.entries(counts).map(([figure, value]) => ({ month, figure, value: Number(value) })),
  ]
}

/** Returns the sums of the rows with the same key, sorted and without zeros. */
function addUp(sums: readonly Sum[]): readonly TotalsRow[] {
  const rows = new Map<string, TotalsRow>()
  for (const { currency = null, tax_percent = null, ...sum } of sums) {
    const { month, figure } = sum
    const key = [month, figure, currency, tax_percent].join(' ')
    const value = sum.value + (rows.get(key)?.value ?? 0)
    rows.set(key, { month, figure, currency, tax_percent, value })
  }
  const sorted = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([, row]) => row).filter(({ value }) => value !== 0)
}
