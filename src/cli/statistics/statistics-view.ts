import { formatAmount } from '../../domain/core/currencies.ts'
import type { CurrencyTotals, Statistics } from '../../domain/reports/statistics.ts'
import type { Style } from '../output/style.ts'
import { wrapText } from '../output/text-layout.ts'
import { createColumn, renderTable, type TextColumn } from '../views/table.ts'
import type { RenderedText, ViewOptions } from '../views/view-options.ts'
import { formatIntervalLabel, formatPlots } from './statistics-plot.ts'

/** The number of payments, refunds or disputes, and their sum in minor units. */
type Totals = CurrencyTotals['refunds']['succeeded']

type Layout = Pick<ViewOptions, 'style' | 'width' | 'isWide'>

/** Formats statistics as tables, or with `hasPlot` with a plot in place of the table of payments. */
export function formatStatistics(statistics: Statistics, view: Layout, hasPlot: boolean): RenderedText {
  const plot = () => ({ text: `${formatPlots(statistics, view).join('\n')}\n`, isWhole: true })
  const payments = hasPlot ? plot() : renderTable(paymentColumns(paymentRows(statistics), view.style), view)
  const isEmpty = statistics.data.every(({ currencies }) => currencies.length === 0)
  const none = `No payments or refunds from ${dayOf(statistics.start)} to ${dayOf(statistics.end - 1)}.`
  const dunning = renderTable(dunningColumns(statistics), view)
  const wrap = (lines: readonly string[]) =>
    lines.flatMap((line) => wrapText(line, view.width).map((part) => `${part}\n`)).join('')
  const sections = [
    isEmpty ? wrap([none]) : payments.text,
    wrap(summaryLines(statistics)),
    statistics.dunning.length === 0
      ? ''
      : `${view.style.bold('Invoices whose first charge failed')}\n${dunning.text}`,
  ]
  const text = sections.filter((section) => section !== '').join('\n')
  return { text, isWhole: (isEmpty || payments.isWhole) && dunning.isWhole }
}

function dayOf(seconds: number): string {
  return formatIntervalLabel({ interval: 'day' }, seconds)
}

/** Returns the rows of the payments table: one row for each interval and currency. */
function paymentRows(statistics: Statistics) {
  return statistics.data.flatMap(({ start, currencies }) =>
    currencies.map((totals) => ({ label: formatIntervalLabel(statistics, start), totals })),
  )
}

function paymentColumns(rows: ReturnType<typeof paymentRows>, style: Style): readonly TextColumn[] {
  const column = (
    heading: string,
    partOf: (totals: CurrencyTotals) => readonly Totals[],
    paint: (text: string) => string,
  ) =>
    createColumn(
      heading,
      rows,
      ({ totals }) => ({ text: formatTotals(partOf(totals), totals.currency), paint }),
      true,
    )
  const same = (text: string) => text
  const columns = [
    createColumn('from', rows, ({ label }, index) => (rows[index - 1]?.label === label ? '' : label)),
    column('succeeded', ({ payments }) => [payments.succeeded], style.green),
    column('failed', ({ payments }) => [payments.failed], style.red),
    column('refunded', ({ refunds }) => [refunds.succeeded, refunds.pending], same),
    column('disputed', ({ disputes }) => [disputes.open, disputes.lost], same),
    column('reserved', ({ payments }) => [payments.requires_capture], style.yellow),
    column('pending', ({ payments }) => [payments.requires_action, payments.processing], style.yellow),
    column('canceled', ({ payments }) => [payments.canceled], same),
  ]
  const isUsed = ({ heading, cells }: TextColumn) =>
    ['from', 'succeeded'].includes(heading) || cells.some(({ text }) => text !== '-')
  return columns.filter(isUsed)
}

// The number of payments follows the sum: `250.00 EUR (2)`.
function formatTotals(parts: readonly Totals[], currency: string): string {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const amount = parts.reduce((sum, part) => sum + part.amount, 0)
  return count === 0 ? '-' : `${formatAmount(amount, currency)} (${count})`
}

function summaryLines({ recurring_revenue, subscriptions }: Statistics): readonly string[] {
  const revenue = recurring_revenue.map(
    ({ amount, currency, subscriptions: count }) =>
      `${formatAmount(amount, currency)} from ${count} ${count === 1 ? 'subscription' : 'subscriptions'}`,
  )
  const counts = Object.entries(subscriptions).filter(([, count]) => count > 0)
  const statuses = counts.map(([status, count]) => `${count} ${status.replaceAll('_', ' ')}`)
  return [
    `Monthly recurring revenue: ${revenue.join(', ') || 'none'}`,
    `Subscriptions: ${statuses.join(', ') || 'none'}`,
  ]
}

function dunningColumns({ dunning }: Statistics): readonly TextColumn[] {
  return (['attempt', 'reached', 'recovered', 'open', 'lost'] as const).map((name) =>
    createColumn(name, dunning, (step) => String(step[name]), true),
  )
}
