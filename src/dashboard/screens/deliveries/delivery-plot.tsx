import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { OutcomeDot, OutcomeIcon } from '../../components/outcome-dot.tsx'
import { formatPercent, Plot } from '../../components/plot.tsx'
import { formatDeliveryLabel } from '../../data/delivery-states.ts'
import { formatDateTime, formatMilliseconds, formatTimeOfDay } from '../../format/format-time.ts'
import { createDeliveryPoints, getLatencyPosition, MAX_LATENCY_MS } from './delivery-statistics.ts'

/** The empty share of the width to the left of the first point, so that the point is not cut off. */
const MARGIN = 0.01
const TICKS_MS = [1, 10, 100, 1000, MAX_LATENCY_MS]

/** Shows latency and failures over time as a plot; the list below the plot shows the same attempts. */
export function DeliveryPlot({ deliveries }: { readonly deliveries: readonly WebhookDelivery[] }) {
  const points = createDeliveryPoints(deliveries)
  if (points.length === 0) return null
  const failed = points.filter(({ delivery }) => delivery.status === 'failed').length
  const text = `${formatCountWithNoun(points.length, 'attempt')} in the list below, ${failed} failed`
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
        ticks={TICKS_MS.map((tick) => [1 - getLatencyPosition(tick), formatMilliseconds(tick)])}
        times={[Math.min(...times), Math.max(...times)].map(formatTimeOfDay)}
      >
        {points.map(({ x, y, delivery }) => (
          <svg
            key={delivery.id}
            x={formatPercent(MARGIN + x * (1 - 2 * MARGIN))}
            y={formatPercent(1 - y)}
            overflow="visible"
          >
            <title>{describeAttempt(delivery)}</title>
            <OutcomeDot outcome={delivery.status === 'failed' ? 'bad' : 'good'} x={0} y={0} size={4} />
          </svg>
        ))}
      </Plot>
    </section>
  )
}

function describeAttempt(delivery: WebhookDelivery): string {
  const latency = delivery.duration_ms === null ? '' : ` in ${formatMilliseconds(delivery.duration_ms)}`
  return `${formatDateTime(delivery.created)}: ${formatDeliveryLabel(delivery)}${latency}`
}
