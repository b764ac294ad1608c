import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { DataTable } from '../../components/data-table.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { BodyView, JsonView } from '../../components/json-view.tsx'
import { ErrorNote, Panel } from '../../components/placeholders.tsx'
import type { ApiObject } from '../../data/history-scope.ts'
import { useEventById } from '../../data/use-event.ts'
import { useList } from '../../data/use-list.ts'
import type { ObjectDetailsProps } from '../../data/use-object-details.ts'
import { ATTEMPT_COLUMNS, deliveryListSource } from './delivery-columns.tsx'

/** Shows the request of a delivery attempt, the response of the handler, and the other attempts. */
export function DeliveryDetails({ object }: ObjectDetailsProps) {
  const delivery = object as ApiObject & WebhookDelivery
  const { event: eventId, webhook_endpoint } = delivery
  const event = useEventById(eventId)
  const attempts = useList(deliveryListSource({ event: eventId, webhook_endpoint }))
  return (
    <>
      <ResponseBody delivery={delivery} />
      <Panel title="Attempts of this event and endpoint" label="Attempts">
        {attempts.error !== null && <ErrorNote error={attempts.error} />}
        <DataTable
          label="Attempts"
          columns={ATTEMPT_COLUMNS}
          items={attempts.items ?? []}
          keyOf={({ id }) => id}
        />
      </Panel>
      <RequestHeaders headers={delivery.request_headers} />
      <Panel title={`Payload ${event?.type ?? ''}`} label="Payload">
        {event === null ? <p class="quiet">The event is not stored any more.</p> : <JsonView value={event} />}
      </Panel>
    </>
  )
}

function ResponseBody({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { http_status, response_body: body, response_body_truncated: isTruncated } = delivery
  return (
    <Panel title={`Response ${http_status ?? ''}`} label="Response">
      <BodyView body={body} />
      {isTruncated && <p class="quiet">The body is longer; this is its start.</p>}
    </Panel>
  )
}

const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'paycli-signature']

function RequestHeaders({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const entries = Object.entries(headers)
  return (
    <Panel title="Request headers">
      {entries.length === 0 && <p class="quiet">Not sent yet.</p>}
      <FactList
        facts={entries.map(([name, value]) => [
          SIGNATURE_HEADERS.includes(name.toLowerCase()) ? `${name} (signature)` : name,
          <code key={name}>{value}</code>,
        ])}
      />
    </Panel>
  )
}
