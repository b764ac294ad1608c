import { formatAmount } from '../../../domain/core/currencies.ts'
import { formatCount } from '../../../presentation/words.ts'
import type { StatisticsBucket } from '../../data/reports.ts'
import { formatDate } from '../../format/format-time.ts'
import { OUTCOMES } from './outcomes.ts'
import { type Bar, type BarSegment, createPlot, type Plot } from './plot-bars.ts'

interface PaymentPlotProps {
  readonly buckets: readonly StatisticsBucket[]
  /** The currency of the amounts; empty for numbers. */
  readonly currency: string
  readonly interval: string
}

const SERIES = [...OUTCOMES, { name: 'refunded', label: 'Refunded' }] as const
/** The least distance of two labels of the scale, as a share of its height. */
const LEAST_TICK_DISTANCE = 0.12
/** The space of a bar that is empty, as a share of its bucket. */
const GAP = 0.2

/** Shows a stacked bar for each interval: payments by outcome above the axis, refunds below it. */
export function PaymentPlot({ buckets, currency, interval }: PaymentPlotProps) {
  const plot = createPlot(buckets, currency)
  const format = (value: number) =>
    currency === '' ? formatCount(value) : formatAmount(Math.round(value), currency)
  const used = plot.bars.filter(({ segments }) => segments.length > 0)
  const label =
    used.length === 0
      ? `No payments in ${buckets.length} intervals.`
      : `Payments by outcome in ${buckets.length} intervals of one ${interval}; ${used.length} of them have payments. The table below has the numbers.`
  return (
    <figure class="plot">
      <ul class="plot-legend">
        {SERIES.map((series) => (
          <li key={series.name}>
            <span class={`swatch swatch-${series.name}`} />
            {series.label}
          </li>
        ))}
      </ul>
      <div class="plot-body">
        <Scale plot={plot} format={format} />
        <Bars plot={plot} label={label} format={format} />
        <TimeAxis bars={plot.bars} />
      </div>
      <details>
        <summary>Show the numbers as a table</summary>
        <PlotTable bars={used} format={format} />
      </details>
    </figure>
  )
}

type Format = (value: number) => string

function Scale({ plot: { max, min }, format }: { readonly plot: Plot; readonly format: Format }) {
  return (
    <div class="plot-scale" aria-hidden="true">
      <span class="plot-tick">{format(max)}</span>
      {/* The axis is at the share of the height that is above it. */}
      <span class="plot-tick" style={{ top: `${(100 * max) / (max - min)}%` }}>
        0
      </span>
      {/* Omitted close to zero, because the label would cover the label of zero. */}
      {-min > (max - min) * LEAST_TICK_DISTANCE && (
        <span class="plot-tick" style={{ top: '100%' }}>
          {format(min)}
        </span>
      )}
    </div>
  )
}

function Bars({
  plot,
  label,
  format,
}: {
  readonly plot: Plot
  readonly label: string
  readonly format: Format
}) {
  const { bars, max, min } = plot
  const height = max - min
  return (
    <svg
      class="plot-bars"
      viewBox={`0 0 ${Math.max(1, bars.length)} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <line class="plot-axis" x1="0" x2={bars.length} y1={(100 * max) / height} y2={(100 * max) / height} />
      {bars.map((bar, at) => (
        <g key={bar.start}>
          <title>{describeBar(bar, format)}</title>
          <rect class="plot-hit" x={at} y="0" width="1" height="100" />
          {bar.segments.map((segment) => (
            <Segment key={segment.name} segment={segment} x={at} plot={plot} />
          ))}
        </g>
      ))}
    </svg>
  )
}

interface SegmentProps {
  readonly segment: BarSegment
  readonly x: number
  readonly plot: Plot
}

function Segment({ segment: { name, from, to }, x, plot: { max, min } }: SegmentProps) {
  const unit = 100 / (max - min)
  return (
    <rect
      class={`bar-${name}`}
      x={x + GAP / 2}
      y={(max - Math.max(from, to)) * unit}
      width={1 - GAP}
      height={Math.abs(to - from) * unit}
    />
  )
}

function TimeAxis({ bars }: { readonly bars: readonly Bar[] }) {
  const ends = [bars[0], bars[Math.floor(bars.length / 2)], bars.at(-1)]
  return (
    <div class="plot-times" aria-hidden="true">
      {[...new Set(ends)].map(
        (bar) => bar !== undefined && <span key={bar.start}>{formatDate(bar.start)}</span>,
      )}
    </div>
  )
}

function PlotTable({ bars, format }: { readonly bars: readonly Bar[]; readonly format: Format }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it.
    <section class="table-scroll" tabIndex={0} aria-label="Numbers of the plot">
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            {SERIES.map(({ name, label }) => (
              <th key={name} scope="col" class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ start, segments }) => (
            <tr key={start}>
              <th scope="row">{formatDate(start)}</th>
              {SERIES.map(({ name }) => {
                const segment = segments.find((one) => one.name === name)
                return (
                  <td key={name} class="number">
                    {segment === undefined ? '–' : format(segment.value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function describeBar({ start, segments }: Bar, format: Format): string {
  const parts = segments.map(
    ({ name, value }) => `${SERIES.find((series) => series.name === name)?.label ?? name}: ${format(value)}`,
  )
  return `${formatDate(start)}\n${parts.join('\n') || 'No payments'}`
}
