import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { summarizeEvent } from '../../../presentation/event-summary.ts'
import { DeliveryBadge } from '../../components/delivery-result.tsx'
import { ObjectLink } from '../../components/links.tsx'
import { useEventById } from '../../data/use-event.ts'
import { formatDuration } from '../../format/format-duration.ts'
import { formatTime } from '../../format/format-time.ts'

interface DeliveryRowProps {
  readonly delivery: WebhookDelivery
  /** Whether the row shows the URL, because there is more than one endpoint. */
  readonly hasUrl: boolean
}

/** Shows a delivery attempt in one line: time, result, event, latency and the next attempt. */
export function DeliveryRow({ delivery, hasUrl }: DeliveryRowProps) {
  const { id, created, event: eventId, url, duration_ms: duration, fault } = delivery
  const event = useEventById(eventId)
  const summary = event === null ? null : summarizeEvent(event)
  return (
    <div class="feed-row feed-group">
      <span class="feed-time">{formatTime(created)}</span>
      <DeliveryBadge delivery={delivery} />
      <span class="feed-request">
        <ObjectLink id={id}>{event?.type ?? eventId}</ObjectLink>{' '}
        <span class="quiet">{[summary?.amount, hasUrl ? url : null].filter(Boolean).join(' · ')}</span>
      </span>
      <span class="feed-more">
        {fault !== null && <span class="badge badge-waiting">fault</span>}
        <span class="quiet">{attemptWords(delivery)}</span>
        {duration !== null && <span class="quiet amount">{formatDuration(duration)}</span>}
      </span>
    </div>
  )
}

function attemptWords({ attempt, trigger, status, next_attempt_at: due }: WebhookDelivery): string {
  const number = trigger === 'manual' ? 'resent' : attempt > 1 ? `attempt ${attempt}` : ''
  const next = due === null ? '' : `${status === 'pending' ? 'due' : 'next'} ${formatTime(due).slice(11)}`
  return [number, next].filter(Boolean).join(' · ')
}

/** Shows an attempt of the same event and endpoint in one line. */
export function AttemptRow({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { id, created, duration_ms: duration } = delivery
  return (
    <div class="feed-row feed-group">
      <span class="feed-time">{formatTime(created)}</span>
      <ObjectLink id={id}>
        <DeliveryBadge delivery={delivery} />
      </ObjectLink>
      <span class="quiet">{attemptWords(delivery)}</span>
      {duration !== null && <span class="quiet amount">{formatDuration(duration)}</span>}
    </div>
  )
}
