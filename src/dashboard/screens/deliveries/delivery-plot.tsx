import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { deliveryWord } from '../../format/delivery-word.ts'
import { formatDuration } from '../../format/format-duration.ts'
import { formatTime, formatTimeOfDay } from '../../format/format-time.ts'
import {
  bucketDeliveries,
  latencyPosition,
  MAX_LATENCY_MS,
  type PlotPoint,
  plotDeliveries,
  summarizeDeliveries,
} from './delivery-statistics.ts'

const HEIGHT = 150
const TOP = 12
const BOTTOM = 22
/** The points are between these percentages of the width, so that none is cut. */
const LEFT = 1
const RIGHT = 99
const TICKS_MS = [1, 10, 100, 1000, MAX_LATENCY_MS]
const MAX_BUCKETS = 12
const SHAPES = { succeeded: 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0', failed: 'M-4-4L4 4M4-4L-4 4' } as const

/** Shows latency and failures over time as a plot and as a table. */
export function DeliveryPlot({ deliveries }: { readonly deliveries: readonly WebhookDelivery[] }) {
  const points = plotDeliveries(deliveries)
  if (points.length === 0) return null
  const { attempts, failed, medianMs, slowestMs } = summarizeDeliveries(deliveries)
  const latency =
    medianMs === null || slowestMs === null
      ? ''
      : ` Median latency ${formatDuration(medianMs)}, slowest ${formatDuration(slowestMs)}.`
  const text = `${attempts} attempts, ${failed} failed.${latency}`
  const times = points.map(({ delivery }) => delivery.created)
  return (
    <figure class="panel plot" aria-label="Latency and failures over time">
      <figcaption class="row">
        <span>{text}</span>
        <span class="plot-legend quiet">
          <PlotKey shape="succeeded" /> succeeded <PlotKey shape="failed" /> failed
        </span>
      </figcaption>
      <div class="plot-area">
        <svg width="48" height={HEIGHT} aria-hidden="true">
          {TICKS_MS.map((tick) => (
            <text key={tick} x="0" y={top(tick)} dy="0.32em">
              {formatDuration(tick)}
            </text>
          ))}
        </svg>
        <svg height={HEIGHT} role="img" aria-label={text}>
          {TICKS_MS.map((tick) => (
            <line key={tick} x1="0" x2="100%" y1={top(tick)} y2={top(tick)} class="plot-grid" />
          ))}
          <text x="0" y={HEIGHT - 4}>
            {formatTimeOfDay(Math.min(...times))}
          </text>
          <text x="100%" y={HEIGHT - 4} text-anchor="end">
            {formatTimeOfDay(Math.max(...times))}
          </text>
          {points.map((point) => (
            <PlotMark key={point.id} point={point} />
          ))}
        </svg>
      </div>
      <PlotTable deliveries={deliveries} />
    </figure>
  )
}

function top(milliseconds: number): number {
  return topOf(latencyPosition(milliseconds))
}

function topOf(y: number): number {
  return Math.round(TOP + (1 - y) * (HEIGHT - TOP - BOTTOM))
}

function PlotMark({ point }: { readonly point: PlotPoint }) {
  const { x, y, isFailed, delivery } = point
  const name = isFailed ? 'failed' : 'succeeded'
  const latency = delivery.duration_ms === null ? '' : ` in ${formatDuration(delivery.duration_ms)}`
  return (
    <svg x={`${(LEFT + x * (RIGHT - LEFT)).toFixed(2)}%`} y={topOf(y)} overflow="visible">
      <title>{`${formatTime(delivery.created)}: ${deliveryWord(delivery)}${latency}`}</title>
      <path d={SHAPES[name]} class={`plot-${name}`} />
    </svg>
  )
}

function PlotKey({ shape }: { readonly shape: keyof typeof SHAPES }) {
  return (
    <svg width="12" height="12" viewBox="-6 -6 12 12" aria-hidden="true">
      <path d={SHAPES[shape]} class={`plot-${shape}`} />
    </svg>
  )
}

function PlotTable({ deliveries }: { readonly deliveries: readonly WebhookDelivery[] }) {
  return (
    <details>
      <summary>Show as a table</summary>
      <table>
        <thead>
          <tr>
            <th>From</th>
            <th class="number">Attempts</th>
            <th class="number">Failed</th>
            <th class="number">Median</th>
            <th class="number">Slowest</th>
          </tr>
        </thead>
        <tbody>
          {bucketDeliveries(deliveries, MAX_BUCKETS).map(
            ({ start, attempts, failed, medianMs, slowestMs }) => (
              <tr key={start}>
                <td>{formatTimeOfDay(start)}</td>
                <td class="number">{attempts}</td>
                <td class="number">{failed}</td>
                <td class="number">{medianMs === null ? '' : formatDuration(medianMs)}</td>
                <td class="number">{slowestMs === null ? '' : formatDuration(slowestMs)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </details>
  )
}
