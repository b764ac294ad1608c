import { formatAmount } from '../../domain/core/currencies.ts'
import { formatHistory } from '../statistics/history-view.ts'
import { formatPlots } from '../statistics/statistics-plot.ts'
import { createPlainCell, formatTable, type TextColumn } from '../views/table.ts'
import type { RenderedText, ViewOptions } from '../views/view-options.ts'
import type { SimulationTotals, TotalsRow } from './totals.ts'

/** The column headings of the first table, by figure. */
const MONEY = { revenue: 'revenue', refunded: 'refunded', disputed: 'disputed', mrr: 'MRR', tax: 'tax' }

/** Formats totals as tables and plots. */
export function formatSimulationTotals(
  { rows, statistics }: SimulationTotals,
  view: ViewOptions,
): RenderedText {
  const layout = { bold: view.style.bold, width: view.isWide ? Infinity : view.width }
  const money = formatTable(moneyColumns(rows), layout)
  const history = formatHistory(statistics, view, false)
  const first = `${view.style.bold('Money by month')}\n${money.lines.join('\n')}\n`
  const plots = `${formatPlots(statistics, view).join('\n')}\n`
  return { text: [first, history.text, plots].join('\n'), isWhole: money.isWhole && history.isWhole }
}

/** Returns the totals as CSV with a header. */
export function toTotalsCsv(rows: readonly TotalsRow[]): string {
  const lines = rows.map(({ month, figure, currency, tax_percent, value }) =>
    [month, figure, currency ?? '', tax_percent ?? '', value].join(','),
  )
  return `${['month,figure,currency,tax_percent,value', ...lines].join('\n')}\n`
}

function moneyColumns(rows: readonly TotalsRow[]): readonly TextColumn[] {
  const keys = [...new Set(rows.map(({ month, currency }) => `${month} ${currency ?? ''}`))]
    .toSorted()
    .map((key) => ({ month: key.slice(0, 'yyyy-mm'.length), currency: key.slice('yyyy-mm '.length) }))
    .filter(({ currency }) => currency !== '')
  const columnOf = (
    heading: string,
    toText: (key: (typeof keys)[number], index: number) => string,
    isRightAligned = true,
  ): TextColumn => ({
    ...{ heading, isRightAligned, cells: keys.map((key, index) => createPlainCell(toText(key, index))) },
  })
  return [
    columnOf('month', ({ month }, index) => (keys[index - 1]?.month === month ? '' : month), false),
    columnOf('', ({ currency }) => currency.toUpperCase(), false),
    ...Object.entries(MONEY).map(([figure, heading]) =>
      columnOf(heading, ({ month, currency }) => {
        const found = rows.filter(
          (row) => row.month === month && row.currency === currency && row.figure === figure,
        )
        const sum = found.reduce((all, { value }) => all + value, 0)
        return found.length === 0 ? '-' : formatNumber(sum, currency)
      }),
    ),
  ]
}

// The currency has its own column, so that the table fits 80 columns.
function formatNumber(amount: number, currency: string): string {
  return formatAmount(amount, currency).replace(/ \S+$/, '')
}
