import { formatAmount } from '../../domain/core/currencies.ts'
import type { Statistics } from '../../domain/reports/statistics.ts'
import type { SubscriptionHistory } from '../../domain/reports/subscription-history.ts'
import { createColumn, renderTable, type TextColumn } from '../views/table.ts'
import type { RenderedText, ViewOptions } from '../views/view-options.ts'
import { formatIntervalLabel } from './statistics-plot.ts'

/** Maximum number of columns of retention rates; more would not fit 80 terminal columns. */
const MAX_SHARES = 12

/** Formats the history of subscriptions as tables (default: with the recurring revenue). */
export function formatHistory(
  statistics: Statistics,
  view: Pick<ViewOptions, 'style' | 'width' | 'isWide'>,
  hasRevenue = true,
): RenderedText {
  const { interval } = statistics
  const rows = (statistics.history ?? []).map((row) => ({
    ...row,
    label: formatIntervalLabel(statistics, row.start),
  }))
  const first = createColumn(interval, rows, ({ label }) => label)
  const revenue = (hasRevenue ? rows : []).flatMap(({ label, recurring_revenue }) =>
    recurring_revenue.map(({ currency, amount, subscriptions }) => ({
      label,
      amount: formatAmount(amount, currency),
      subscriptions,
    })),
  )
  const sections: [string, readonly TextColumn[]][] = [
    [
      'Monthly recurring revenue at the end',
      [
        createColumn(interval, revenue, ({ label }, at) => (revenue[at - 1]?.label === label ? '' : label)),
        createColumn('revenue', revenue, ({ amount }) => amount, true),
        createColumn('subscriptions', revenue, ({ subscriptions }) => String(subscriptions), true),
      ],
    ],
    ['Subscriptions, and invoices whose first charge failed', [first, ...countColumns(rows)]],
    [`Retention rate of new subscriptions after 1, 2, … ${interval}s`, [first, ...remainingColumns(rows)]],
    ['Tax of paid invoices by rate', taxColumns(rows)],
  ]
  const tables = sections
    .filter(([, columns]) => columns.some(({ cells }) => cells.length > 0))
    .map(([title, columns]) => ({ title, ...renderTable(columns, view) }))
  return {
    text: tables.map(({ title, text }) => `${view.style.bold(title)}\n${text}`).join('\n'),
    isWhole: tables.every(({ isWhole }) => isWhole),
  }
}

function countColumns(rows: readonly SubscriptionHistory[]): readonly TextColumn[] {
  const count = (heading: string, countOf: (row: SubscriptionHistory) => number) =>
    createColumn(heading, rows, (row) => String(countOf(row)), true)
  return [
    count('new', ({ created }) => created),
    count('churned', ({ ended }) => ended),
    count('failed', ({ dunning: { recovered, open, lost } }) => recovered + open + lost),
    count('recovered', ({ dunning }) => dunning.recovered),
    count('exhausted', ({ dunning }) => dunning.lost),
    count('open', ({ dunning }) => dunning.open),
  ]
}

function remainingColumns(rows: readonly SubscriptionHistory[]): readonly TextColumn[] {
  return Array.from({ length: Math.min(rows.length, MAX_SHARES) }, (_, index) =>
    createColumn(
      String(index + 1),
      rows,
      ({ created, remaining: { [index]: count } }) =>
        created === 0 || count === undefined ? '' : String(Math.round((100 * count) / created)),
      true,
    ),
  )
}

function taxColumns(rows: readonly SubscriptionHistory[]): readonly TextColumn[] {
  const all = Map.groupBy(
    rows.flatMap(({ taxes }) => taxes),
    ({ currency, tax_percent }) => `${currency} ${String(tax_percent).padStart(7)}`,
  )
  const sums = [...all]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [one, ...others]]) =>
      one === undefined
        ? []
        : { ...one, amount: others.reduce((sum, { amount }) => sum + amount, one.amount) },
    )
  return [
    createColumn('rate', sums, ({ tax_percent }) => `${tax_percent} %`, true),
    createColumn('tax', sums, ({ amount, currency }) => formatAmount(amount, currency), true),
  ]
}
