import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { FactList } from '../../components/fact-list.tsx'
import { BodyView, JsonView } from '../../components/json-view.tsx'
import { ListView } from '../../components/list-view.tsx'
import { Panel } from '../../components/placeholders.tsx'
import type { ApiObject } from '../../data/history-scope.ts'
import { useEventById } from '../../data/use-event.ts'
import { useList } from '../../data/use-list.ts'
import type { ObjectDetailsProps } from '../../data/use-object-details.ts'
import { ATTEMPT_COLUMNS, createDeliveryListSource } from './delivery-columns.tsx'

const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'paycli-signature']

/** Shows the request of a delivery attempt, the response of the handler, and the other attempts. */
export function DeliveryDetails({ object }: ObjectDetailsProps) {
  const delivery = object as ApiObject & WebhookDelivery
  const { event: eventId, webhook_endpoint, http_status, request_headers } = delivery
  const event = useEventById(eventId)
  const attempts = useList(createDeliveryListSource({ event: eventId, webhook_endpoint }))
  const headers = Object.entries(request_headers)
  return (
    <>
      <Panel title={`Response ${http_status ?? ''}`} label="Response">
        <BodyView body={delivery.response_body} />
        {delivery.response_body_truncated && <p class="quiet">The body is longer; this is its start.</p>}
      </Panel>
      <Panel title="Attempts of this event and endpoint" label="Attempts">
        <ListView {...{ list: attempts, columns: ATTEMPT_COLUMNS, noun: 'attempt', empty: null }} />
      </Panel>
      <Panel title="Request headers">
        {headers.length === 0 && <p class="quiet">Not sent yet.</p>}
        <FactList
          facts={headers.map(([name, value]) => [
            SIGNATURE_HEADERS.includes(name.toLowerCase()) ? `${name} (signature)` : name,
            <code key={name}>{value}</code>,
          ])}
        />
      </Panel>
      <Panel title={`Payload ${event?.type ?? ''}`} label="Payload">
        {event === null ? <p class="quiet">The event is not stored any more.</p> : <JsonView value={event} />}
      </Panel>
    </>
  )
}
