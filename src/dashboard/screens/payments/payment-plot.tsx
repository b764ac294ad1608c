import { formatAmount } from '../../../domain/core/currencies.ts'
import { formatCount } from '../../../presentation/words.ts'
import type { DataTableColumn } from '../../components/data-table.tsx'
import { formatPercent, Plot } from '../../components/plot.tsx'
import { formatDate } from '../../format/format-time.ts'
import { PAYMENT_SERIES, type StatisticsBucket } from './outcome-totals.ts'
import { createBarPlot, type PlotBar } from './plot-bars.ts'

interface PaymentPlotProps {
  readonly buckets: readonly StatisticsBucket[]
  /** The currency of the amounts; empty to show numbers of payments. */
  readonly currency: string
  readonly interval: string
}

/** The minimum distance between two labels of the scale, as a share of the height. */
const LEAST_TICK_DISTANCE = 0.12
/** The share of the width of a bucket that stays empty. */
const GAP = 0.2

type Format = (value: number) => string

/** Shows a stacked bar for each interval: payments by outcome above the axis, refunds below it. */
export function PaymentPlot({ buckets, currency, interval }: PaymentPlotProps) {
  const { bars, max, min } = createBarPlot(buckets, currency)
  const format: Format = (value) =>
    currency === '' ? formatCount(value) : formatAmount(Math.round(value), currency)
  const used = bars.filter(({ segments }) => segments.length > 0)
  const label =
    used.length === 0
      ? `No payments in ${buckets.length} intervals.`
      : `Payments by outcome in ${buckets.length} intervals of one ${interval}; ${used.length} of them have payments. The table below has the numbers.`
  const yOf = (value: number) => (max - value) / (max - min)
  // The label is omitted close to zero, because it would cover the label of zero.
  const hasLowest = 1 - yOf(0) > LEAST_TICK_DISTANCE
  const ends = [bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)]
  return (
    <Plot
      label={label}
      legend={PAYMENT_SERIES.map(({ name, tone, label: text }) => [
        <span key={name} class={`swatch ${tone}`} />,
        text,
      ])}
      ticks={[max, 0, ...(hasLowest ? [min] : [])].map((value) => [yOf(value), format(value)])}
      times={ends.flatMap((bar) => (bar === undefined ? [] : formatDate(bar.start)))}
      columns={columnsOf(format)}
      rows={used}
    >
      {bars.map((bar, at) => (
        <g key={bar.start}>
          <title>{describeBar(bar, format)}</title>
          <rect
            class="hit"
            x={formatPercent(at / bars.length)}
            width={formatPercent(1 / bars.length)}
            height="100%"
          />
          {bar.segments.map(({ series: { name, tone }, from, to }) => (
            <rect
              key={name}
              class={`bar ${tone}`}
              x={formatPercent((at + GAP / 2) / bars.length)}
              width={formatPercent((1 - GAP) / bars.length)}
              y={formatPercent(yOf(to))}
              height={formatPercent((to - from) / (max - min))}
            />
          ))}
        </g>
      ))}
    </Plot>
  )
}

function columnsOf(format: Format): readonly DataTableColumn<PlotBar>[] {
  const series = PAYMENT_SERIES.map(({ name, label }) => ({
    ...{ label, isNumber: true },
    cell({ segments }: PlotBar) {
      const segment = segments.find(({ series }) => series.name === name)
      return segment === undefined ? '–' : format(segment.value)
    },
  }))
  return [{ label: 'From', cell: ({ start }) => formatDate(start) }, ...series]
}

function describeBar({ start, segments }: PlotBar, format: Format): string {
  const parts = segments.map(({ series, value }) => `${series.label}: ${format(value)}`)
  return `${formatDate(start)}\n${parts.join('\n') || 'No payments'}`
}
