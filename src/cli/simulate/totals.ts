import { invoices } from '../../api/operations/invoices.ts'
import { statistics } from '../../api/operations/statistics.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import type { Client } from '../../client/client.ts'
import type { Statistics } from '../../domain/reports/statistics.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'
import { readPages } from '../request/paginate.ts'
import { getMonthStart } from './plan.ts'

/**
 * A total of one month (`YYYY-MM` in UTC): an amount in minor units if `currency` is set, otherwise a number. The figure `tax`
 * has a rate in percent.
 */
export interface TotalsRow {
  readonly month: string
  readonly figure: Figure
  readonly currency: string | null
  readonly tax_percent: number | null
  readonly value: number
}

export type Figure =
  | ('revenue' | 'refunded' | 'disputed' | 'mrr' | 'tax')
  | ('new_subscriptions' | 'churned_subscriptions')
  | ('dunning_failed' | 'dunning_recovered' | 'dunning_exhausted' | 'dunning_open')

/** The totals of a simulation, and the statistics from which the payments are plotted. */
export interface Totals {
  readonly rows: readonly TotalsRow[]
  readonly statistics: Statistics
}

/** Returns the month of a time in Unix seconds as `YYYY-MM` in UTC. */
export function getMonthName(time: number): string {
  return toIsoTimestamp(time)?.slice(0, 'yyyy-mm'.length) ?? ''
}

/** A row without the fields that most figures do not have. */
type Sum = Pick<TotalsRow, 'month' | 'figure' | 'value'> & Partial<TotalsRow>

/** Reads the monthly recurring revenue. Call it when the clock is in the last second of the month. */
export async function readRecurringRevenue(
  client: Client,
  clock: string,
  index: number,
): Promise<TotalsRow[]> {
  const { recurring_revenue } = await readStatistics(client, clock, index, index + 1)
  const month = getMonthName(getMonthStart(index))
  return recurring_revenue.map(({ currency, amount }) => ({
    ...{ month, figure: 'mrr', currency, tax_percent: null, value: amount },
  }))
}

/** The simulated months. */
export interface SimulatedPeriod {
  /** The id of the test clock. */
  readonly clock: string
  /** The number of months. */
  readonly months: number
  /** The monthly recurring revenue in the last second of each month. */
  readonly revenue: readonly TotalsRow[]
}

/** Reads the totals of a simulation. */
export async function readTotals(
  client: Client,
  { clock, months, revenue }: SimulatedPeriod,
): Promise<Totals> {
  const all = await readStatistics(client, clock, 0, months)
  const sums: Sum[] = [...listMoney(all), ...revenue]
  for (let month = 0; month < months; month += 1) sums.push(...(await readDunning(client, clock, month)))
  sums.push(...(await readSubscriptionCounts(client, clock)), ...(await readTaxes(client, clock)))
  return { rows: addUp(sums), statistics: all }
}

function readStatistics(client: Client, clock: string, from: number, to: number): Promise<Statistics> {
  const range = { start: getMonthStart(from), end: getMonthStart(to) }
  return client.call(statistics.retrieve, { interval: 'month', test_clock: clock, ...range })
}

function listMoney({ data }: Statistics): Sum[] {
  return data.flatMap(({ start, currencies }) =>
    currencies.flatMap(({ currency, payments, refunds, disputes: { open, won, lost } }) => {
      const shared = { month: getMonthName(start), currency }
      const refunded = refunds.succeeded.amount + refunds.pending.amount
      return [
        { ...shared, figure: 'revenue' as const, value: payments.succeeded.amount },
        { ...shared, figure: 'refunded' as const, value: refunded },
        { ...shared, figure: 'disputed' as const, value: open.amount + won.amount + lost.amount },
      ]
    }),
  )
}

async function readDunning(client: Client, clock: string, index: number): Promise<Sum[]> {
  const { dunning } = await readStatistics(client, clock, index, index + 1)
  const month = getMonthName(getMonthStart(index))
  return dunning.flatMap(({ recovered, lost, open }) => [
    { month, figure: 'dunning_failed', value: recovered + lost + open },
    { month, figure: 'dunning_recovered', value: recovered },
    { month, figure: 'dunning_exhausted', value: lost },
    { month, figure: 'dunning_open', value: open },
  ])
}

async function readSubscriptionCounts(client: Client, clock: string): Promise<Sum[]> {
  const sums: Sum[] = []
  await readPages(async (cursor) => {
    const { data, has_more } = await client.call(subscriptions.list, cursor)
    for (const { created, ended_at, test_clock } of data) {
      if (test_clock !== clock) continue
      sums.push({ month: getMonthName(created), figure: 'new_subscriptions', value: 1 })
      if (ended_at !== null)
        sums.push({ month: getMonthName(ended_at), figure: 'churned_subscriptions', value: 1 })
    }
    return { data: data.map(({ id }) => ({ id })), has_more }
  }, Infinity)
  return sums
}

/** Returns the taxes of paid invoices by the month of their payment. */
async function readTaxes(client: Client, clock: string): Promise<Sum[]> {
  const sums: Sum[] = []
  await readPages(async (cursor) => {
    const { data, has_more } = await client.call(invoices.list, cursor)
    for (const { currency, taxes, paid_at, test_clock } of data) {
      if (test_clock !== clock || paid_at === null) continue
      for (const { tax_percent, amount } of taxes)
        sums.push({ month: getMonthName(paid_at), figure: 'tax', currency, tax_percent, value: amount })
    }
    // A year has many invoices, so only their taxes stay in memory.
    return { data: data.map(({ id }) => ({ id })), has_more }
  }, Infinity)
  return sums
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
