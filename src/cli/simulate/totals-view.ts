import { formatAmount } from '../../domain/core/currencies.ts'
import { formatPlots } from '../statistics/statistics-plot.ts'
import { type Column, createPlainCell, formatTable } from '../views/table.ts'
import type { TextView, ViewOptions } from '../views/view-options.ts'
import type { Totals, TotalsRow } from './totals.ts'

/** The headings of the figures of each table. */
const MONEY = { revenue: 'revenue', refunded: 'refunded', disputed: 'disputed', mrr: 'MRR', tax: 'tax' }
const COUNTS = {
  ...{ new_subscriptions: 'new', churned_subscriptions: 'churned', dunning_failed: 'failed' },
  ...{ dunning_recovered: 'recovered', dunning_exhausted: 'exhausted', dunning_open: 'open' },
}

/** Formats totals as tables and plots. */
export function formatTotals({ rows, statistics }: Totals, view: ViewOptions): TextView {
  const layout = { bold: view.style.bold, width: view.isWide ? Infinity : view.width }
  const money = formatTable(moneyColumns(rows), layout)
  const counts = formatTable(countColumns(rows), layout)
  const taxes = rows.filter(({ figure }) => figure === 'tax')
  const sections = [
    ['Money by month', money.lines],
    ['Subscriptions, and invoices whose first charge failed', counts.lines],
    ['Tax of paid invoices by rate', taxes.length === 0 ? [] : formatTable(taxColumns(taxes), layout).lines],
  ] as const
  const tables = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `${view.style.bold(title)}\n${lines.join('\n')}\n`)
  const plots = `${formatPlots(statistics, view).join('\n')}\n`
  return { text: [...tables, plots].join('\n'), isWhole: money.isWhole && counts.isWhole }
}

/** Returns the totals as CSV with a header. */
export function toTotalsCsv(rows: readonly TotalsRow[]): string {
  const lines = rows.map(({ month, figure, currency, tax_percent, value }) =>
    [month, figure, currency ?? '', tax_percent ?? '', value].join(','),
  )
  return `${['month,figure,currency,tax_percent,value', ...lines].join('\n')}\n`
}

type Key = readonly [string, string]

function moneyColumns(rows: readonly TotalsRow[]): readonly Column[] {
  const keys = uniqueKeys(rows, ({ month, currency }) => (currency === null ? null : [month, currency]))
  const columnOf = columnsOf(keys)
  return [
    columnOf('month', ([month], index) => (keys[index - 1]?.[0] === month ? '' : month), false),
    columnOf('', ([, currency]) => currency.toUpperCase(), false),
    ...Object.entries(MONEY).map(([figure, heading]) =>
      columnOf(heading, ([month, currency]) => {
        const found = rows.filter(
          (row) => row.month === month && row.currency === currency && row.figure === figure,
        )
        return found.length === 0 ? '-' : formatNumber(sum(found), currency)
      }),
    ),
  ]
}

function countColumns(rows: readonly TotalsRow[]): readonly Column[] {
  const columnOf = columnsOf(uniqueKeys(rows, ({ month }) => [month, '']))
  const count = (month: string, figure: string) =>
    rows.find((row) => row.month === month && row.figure === figure)?.value ?? 0
  return [
    columnOf('month', ([month]) => month, false),
    ...Object.entries(COUNTS).map(([figure, heading]) =>
      columnOf(heading, ([month]) => String(count(month, figure))),
    ),
  ]
}

function taxColumns(taxes: readonly TotalsRow[]): readonly Column[] {
  const keyOf = ({ currency, tax_percent }: TotalsRow): Key => [currency ?? '', String(tax_percent)]
  const columnOf = columnsOf(uniqueKeys(taxes, keyOf))
  const total = (key: Key) => sum(taxes.filter((row) => keyOf(row).join() === key.join()))
  return [
    columnOf('rate', ([, rate]) => `${rate} %`),
    columnOf('tax', (key) => formatAmount(total(key), key[0])),
  ]
}

/** Returns a function that creates a column with a cell for each key. */
function columnsOf(keys: readonly Key[]) {
  return (heading: string, toText: (key: Key, index: number) => string, isRightAligned = true): Column => ({
    ...{ heading, isRightAligned, cells: keys.map((key, index) => createPlainCell(toText(key, index))) },
  })
}

/** Returns the different keys of rows, sorted. */
function uniqueKeys(rows: readonly TotalsRow[], keyOf: (row: TotalsRow) => Key | null): readonly Key[] {
  const keys = rows.map(keyOf).filter((key) => key !== null)
  return [...new Map(keys.map((key) => [key.join(' '), key])).entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, key]) => key)
}

function sum(rows: readonly TotalsRow[]): number {
  return rows.reduce((all, { value }) => all + value, 0)
}

// The currency has its own column, so that the table fits 80 columns.
function formatNumber(amount: number, currency: string): string {
  return formatAmount(amount, currency).replace(/ \S+$/, '')
}
