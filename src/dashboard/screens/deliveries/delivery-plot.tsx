import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import type { Column } from '../../components/data-table.tsx'
import { OutcomeDot, OutcomeIcon } from '../../components/outcome-dot.tsx'
import { formatPercent, Plot } from '../../components/plot.tsx'
import { deliveryLabel } from '../../data/delivery-states.ts'
import { formatDuration, formatTime, formatTimeOfDay } from '../../format/format-time.ts'
import {
  bucketDeliveries,
  computeDeliveryStatistics,
  latencyPosition,
  MAX_LATENCY_MS,
  plotDeliveries,
} from './delivery-statistics.ts'

/** The part of the width left of the first point, so that it is not cut. */
const MARGIN = 0.01
const TICKS_MS = [1, 10, 100, 1000, MAX_LATENCY_MS]
const MAX_BUCKETS = 12

const COLUMNS: readonly Column<ReturnType<typeof bucketDeliveries>[number]>[] = [
  { label: 'From', cell: ({ start }) => formatTimeOfDay(start) },
  { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
  { label: 'Failed', isNumber: true, cell: ({ failed }) => failed },
  { label: 'Median', isNumber: true, cell: ({ medianMs }) => durationOf(medianMs) },
  { label: 'Slowest', isNumber: true, cell: ({ slowestMs }) => durationOf(slowestMs) },
]

function durationOf(milliseconds: number | null): string {
  return milliseconds === null ? '–' : formatDuration(milliseconds)
}

/** Shows latency and failures over time as a plot and as a table. */
export function DeliveryPlot({ deliveries }: { readonly deliveries: readonly WebhookDelivery[] }) {
  const points = plotDeliveries(deliveries)
  if (points.length === 0) return null
  const { attempts, failed, medianMs, slowestMs } = computeDeliveryStatistics(deliveries)
  const text = `${attempts} attempts, ${failed} failed. Median latency ${durationOf(medianMs)}, slowest ${durationOf(slowestMs)}.`
  const times = points.map(({ delivery }) => delivery.created)
  return (
    <section class="panel stack" aria-label="Latency and failures over time">
      <p>{text}</p>
      <Plot
        label={text}
        legend={[
          [<OutcomeIcon key="good" outcome="good" />, 'succeeded'],
          [<OutcomeIcon key="bad" outcome="bad" />, 'failed'],
        ]}
        ticks={TICKS_MS.map((tick) => [1 - latencyPosition(tick), formatDuration(tick)])}
        times={[Math.min(...times), Math.max(...times)].map(formatTimeOfDay)}
        columns={COLUMNS}
        rows={bucketDeliveries(deliveries, MAX_BUCKETS)}
      >
        {points.map(({ x, y, delivery }) => (
          <svg key={delivery.id} x={xOf(x)} y={formatPercent(1 - y)} overflow="visible">
            <title>{describeAttempt(delivery)}</title>
            <OutcomeDot outcome={delivery.status === 'failed' ? 'bad' : 'good'} x={0} y={0} size={4} />
          </svg>
        ))}
      </Plot>
    </section>
  )
}

function xOf(x: number): string {
  return formatPercent(MARGIN + x * (1 - 2 * MARGIN))
}

function describeAttempt(delivery: WebhookDelivery): string {
  const latency = delivery.duration_ms === null ? '' : ` in ${formatDuration(delivery.duration_ms)}`
  return `${formatTime(delivery.created)}: ${deliveryLabel(delivery)}${latency}`
}
