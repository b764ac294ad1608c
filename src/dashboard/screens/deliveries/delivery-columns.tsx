import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { getEventObjectSummary } from '../../../presentation/event-summary.ts'
import type { DataTableColumn } from '../../components/data-table.tsx'
import { DeliveryBadge, DeliveryFailure } from '../../components/delivery-result.tsx'
import { createFieldColumn, ObjectLink } from '../../components/values.tsx'
import type { QueryParams } from '../../data/api-client.ts'
import { useEventById } from '../../data/use-event.ts'
import type { ListSource } from '../../data/use-list.ts'
import { createEventTypeFilter } from '../../data/use-live-feed.ts'
import { formatTimeOfDay } from '../../format/format-time.ts'

const RESULT: DataTableColumn<WebhookDelivery> = {
  label: 'Result',
  cell: (delivery) => (
    <>
      <DeliveryBadge delivery={delivery} />{' '}
      {delivery.fault !== null && <span class="badge waiting">fault</span>}
      <DeliveryFailure delivery={delivery} />
    </>
  ),
}

const ATTEMPT: DataTableColumn<WebhookDelivery> = {
  label: 'Attempt',
  cell: (delivery) => attemptWords(delivery),
}
const DURATION: DataTableColumn<WebhookDelivery> = { ...createFieldColumn('duration_ms'), isNumber: true }

/** The columns of deliveries of several events. */
export const DELIVERY_COLUMNS: readonly DataTableColumn<WebhookDelivery>[] = [
  { label: 'Event', cell: (delivery) => <DeliveredEvent delivery={delivery} /> },
  RESULT,
  { label: 'Endpoint', cell: ({ url }) => <bdi class="clip">{url}</bdi> },
  createFieldColumn('created'),
  ATTEMPT,
  DURATION,
]

/** The columns of the attempts to deliver one event to one endpoint. */
export const ATTEMPT_COLUMNS: readonly DataTableColumn<WebhookDelivery>[] = [
  { label: 'Sent', cell: ({ id, created }) => <ObjectLink id={id}>{formatTimeOfDay(created)}</ObjectLink> },
  RESULT,
  ATTEMPT,
  DURATION,
]

function DeliveredEvent({ delivery: { id, event: eventId } }: { readonly delivery: WebhookDelivery }) {
  const event = useEventById(eventId)
  return (
    <>
      <ObjectLink id={id}>{event?.type ?? eventId}</ObjectLink>{' '}
      <span class="quiet">{event !== null && getEventObjectSummary(event).amount}</span>
    </>
  )
}

function attemptWords({ attempt, trigger, status, next_attempt_at: due }: WebhookDelivery): string {
  const number = trigger === 'manual' ? 'resent' : String(attempt)
  const next = due === null ? '' : `${status === 'pending' ? 'due' : 'next'} ${formatTimeOfDay(due)}`
  return [number, next].filter(Boolean).join(' · ')
}

/** Returns the list source of deliveries. The list is polled, because delivery results cause no event. */
export function createDeliveryListSource(query: QueryParams): ListSource<WebhookDelivery> {
  return { path: '/v1/webhook_deliveries', query, isRelevant: createEventTypeFilter(/./), isPolled: true }
}
