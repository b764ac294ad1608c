import { formatAmount } from '../../domain/core/currencies.ts'
import type { CurrencyTotals, Statistics } from '../../domain/reports/statistics.ts'
import { getDisplayWidth, padToWidth } from '../../domain/text/display-width.ts'
import { toIsoTimestamp } from '../../domain/text/format-timestamp.ts'
import type { Style } from '../output/style.ts'
import type { ViewOptions } from '../views/view-options.ts'

/** A part of a stacked bar. The characters differ, so that a plot without colors can be read. */
interface Series {
  readonly name: string
  readonly character: string
  readonly color: 'green' | 'red' | 'yellow'
  readonly amountOf: (payments: CurrencyTotals['payments']) => number
}

const SERIES: readonly Series[] = [
  { name: 'succeeded', character: '█', color: 'green', amountOf: ({ succeeded }) => succeeded.amount },
  { name: 'failed', character: '▒', color: 'red', amountOf: ({ failed }) => failed.amount },
  {
    name: 'pending or canceled',
    character: '░',
    color: 'yellow',
    amountOf: ({ requires_action, requires_capture, processing, canceled }) =>
      requires_action.amount + requires_capture.amount + processing.amount + canceled.amount,
  },
]

/** Maximum width of a bar. A wider bar would be hard to compare with the next line. */
const MAX_BAR_COLUMNS = 80
const MIN_BAR_COLUMNS = 8

/** Formats the payments of each interval as a stacked bar of their amounts, one plot per currency. */
export function formatPlots(
  statistics: Statistics,
  { style, width }: Pick<ViewOptions, 'style' | 'width'>,
): readonly string[] {
  const currencies = new Set(
    statistics.data.flatMap((bucket) => bucket.currencies.map(({ currency }) => currency)),
  )
  const plots = [...currencies]
    .toSorted()
    .map((currency) => [
      style.bold(`Payments in ${currency.toUpperCase()} per ${statistics.interval}`),
      ...plotLines(rowsOf(statistics, currency), currency, { style, width }),
      '',
    ])
  return [...plots.flat(), ...legend({ style, width })]
}

/** Returns the label of each interval with the amounts of `SERIES` in minor units. */
function rowsOf(statistics: Statistics, currency: string) {
  const rows = statistics.data.map(({ start, currencies }) => {
    const payments = currencies.find((totals) => totals.currency === currency)?.payments
    const amounts = SERIES.map(({ amountOf }) => (payments === undefined ? 0 : amountOf(payments)))
    return { label: formatIntervalLabel(statistics, start), amounts }
  })
  // Omit the empty intervals before the first payment.
  return rows.slice(rows.findIndex(({ amounts }) => sum(amounts) > 0))
}

/** Returns the name of an interval: its first day, or its month. */
export function formatIntervalLabel({ interval }: Pick<Statistics, 'interval'>, start: number): string {
  return (
    toIsoTimestamp(start)?.slice(0, interval === 'month' ? 'yyyy-mm'.length : 'yyyy-mm-dd'.length) ??
    `${start}`
  )
}

function plotLines(
  rows: ReturnType<typeof rowsOf>,
  currency: string,
  { style, width }: { readonly style: Style; readonly width: number },
): readonly string[] {
  const texts = rows.map(({ amounts }) => formatAmount(sum(amounts), currency))
  const largest = Math.max(...rows.map(({ amounts }) => sum(amounts)))
  const amountColumns = Math.max(...texts.map(getDisplayWidth))
  const labelColumns = Math.max(...rows.map(({ label }) => getDisplayWidth(label)))
  const free = width - labelColumns - amountColumns - 4
  const barColumns = Math.min(MAX_BAR_COLUMNS, Math.max(MIN_BAR_COLUMNS, free))
  return rows.map(({ label, amounts }, index) => {
    const total = sum(amounts) === 0 ? '' : (texts[index] ?? '')
    const cells = computeBarColumns(amounts, largest, barColumns)
    const bar = SERIES.map(({ character, color }, part) => {
      const text = character.repeat(cells[part] ?? 0)
      return text === '' ? '' : style[color](text)
    })
    const used = cells.reduce((all, cell) => all + cell, 0)
    const line = `${padToWidth(label, labelColumns)}  ${bar.join('')}${' '.repeat(barColumns - used)}  ${total.padStart(amountColumns)}`
    return line.trimEnd()
  })
}

/**
 * Returns the number of columns of each part of a stacked bar. The end of each part is rounded rather than its length,
 * so that rounding errors do not add up. A bar with an amount has at least one column.
 */
export function computeBarColumns(
  amounts: readonly number[],
  largest: number,
  columns: number,
): readonly number[] {
  if (largest === 0) return amounts.map(() => 0)
  let end = 0
  let reached = 0
  return amounts.map((amount) => {
    reached += amount
    const start = end
    end = Math.max(start, Math.round((reached / largest) * columns), reached > 0 ? 1 : 0)
    return end - start
  })
}

function legend({ style, width }: { readonly style: Style; readonly width: number }): readonly string[] {
  const entries = SERIES.map(({ name, character, color }) => ({
    text: `${style[color](character)} ${name}`,
    columns: name.length + 2,
  }))
  const isOneLine = entries.reduce((all, { columns }) => all + columns + 2, -2) <= width
  return isOneLine ? [entries.map(({ text }) => text).join('  ')] : entries.map(({ text }) => text)
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}
