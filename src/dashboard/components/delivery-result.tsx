import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import { findStatusTone } from '../../presentation/status-tones.ts'
import type { ApiListPage } from '../data/api-client.ts'
import {
  type DeliveryState,
  formatDeliveryLabel,
  groupDeliveryStates,
  type MissingSubscription,
} from '../data/delivery-states.ts'
import { useApi } from '../data/use-load.ts'
import { formatMilliseconds, formatTimeDistance } from '../format/format-time.ts'
import { ObjectLink } from './values.tsx'

/** Shows the result of an attempt: the HTTP status, the error, or the status of the attempt. */
export function DeliveryBadge({ delivery }: { readonly delivery: WebhookDelivery }) {
  return (
    <span class={`badge ${findStatusTone(delivery.status) ?? 'quiet'}`}>{formatDeliveryLabel(delivery)}</span>
  )
}

/** Maximum number of characters of a response that are shown without opening the delivery. */
const MAX_CHARACTERS = 300

/** Shows the reason of a failed delivery: the start of the response, or the error if there is no response. */
export function DeliveryFailure({ delivery }: { readonly delivery: WebhookDelivery | null }) {
  if (delivery?.status !== 'failed') return null
  const text = delivery.response_body?.trim() || delivery.error_message
  return text && <bdi class="bad clip">{text.slice(0, MAX_CHARACTERS)}</bdi>
}

/** Shows the newest response of an endpoint to an event, and the time of the next attempt, as a link to the attempt. */
export function DeliveryResult({ state }: { readonly state: DeliveryState }) {
  const { settled, pending } = state
  const shown = settled ?? pending
  if (shown === null) return null
  const parts = [
    settled?.duration_ms == null ? null : formatMilliseconds(settled.duration_ms),
    shown.attempt > 1 ? `attempt ${shown.attempt}` : null,
    settled !== null && pending !== null ? nextAttempt(pending) : null,
  ].filter((part) => part !== null)
  return (
    <ObjectLink id={shown.id}>
      <span class="row">
        <DeliveryBadge delivery={shown} />
        {parts.length > 0 && <span class="quiet">{parts.join(' · ')}</span>}
      </span>
    </ObjectLink>
  )
}

function nextAttempt({ next_attempt_at: due, created }: WebhookDelivery): string {
  return due === null ? 'next attempt held' : `next ${formatTimeDistance(due, created)}`
}

interface EventDeliveriesProps {
  /** The delivery states; undefined if the deliveries were not read. */
  readonly states: readonly DeliveryState[] | undefined
  readonly omission?: MissingSubscription
}

/** Shows the newest response of each endpoint to an event, or a note if a necessary delivery is missing. */
export function EventDeliveries({ states, omission = null }: EventDeliveriesProps) {
  if (states === undefined || (states.length === 0 && omission === 'unused')) return null
  if (states.length === 0 && omission === 'forgotten')
    return <p class="bad">Your enabled endpoints receive other events of the object, but not this event.</p>
  if (states.length === 0) return <p class="quiet">No delivery to any endpoint.</p>
  return (
    <ul class="row small">
      {states.map((state) => (
        <li key={state.endpoint} class="row">
          <DeliveryResult state={state} />
          <bdi class="quiet clip">{(state.settled ?? state.pending)?.url.replace(/^https?:\/\//, '')}</bdi>
          <DeliveryFailure delivery={state.settled} />
        </li>
      ))}
    </ul>
  )
}

/** Shows the results of the deliveries of an event, which are read every two seconds. */
export function PolledEventDeliveries(props: {
  readonly event: string
  readonly omission?: MissingSubscription
}) {
  const { event, ...rest } = props
  const query = { event, limit: 100 }
  const { data } = useApi<ApiListPage<WebhookDelivery>>('/v1/webhook_deliveries', query, { isPolled: true })
  return data && <EventDeliveries {...rest} states={groupDeliveryStates(data.data).get(event) ?? []} />
}
