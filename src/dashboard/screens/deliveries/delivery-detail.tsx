import { useCallback } from 'preact/hooks'
import type { WebhookDelivery } from '../../../domain/events/webhook-deliveries.ts'
import { DeliveryBadge } from '../../components/delivery-result.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Link, ObjectLink } from '../../components/links.tsx'
import { ObjectCommands } from '../../components/object-commands.tsx'
import { ErrorNote, Loading } from '../../components/states.tsx'
import { UtcTime } from '../../components/values.tsx'
import { deliverySource } from '../../data/delivery-source.ts'
import { useApi } from '../../data/use-api.ts'
import { useEventById } from '../../data/use-event.ts'
import { useList } from '../../data/use-list.ts'
import { usePolling } from '../../data/use-polling.ts'
import { formatDuration } from '../../format/format-duration.ts'
import { screenUrl } from '../../routing/router.ts'
import { AttemptRow } from './delivery-row.tsx'
import { ResendButton } from './resend-buttons.tsx'

/** Shows a delivery attempt: its request, the response of the handler, and the other attempts. */
export function DeliveryDetail({ id }: { readonly id: string }) {
  const { data: delivery, error, isLoading, reload } = useApi<WebhookDelivery>(`/v1/webhook_deliveries/${id}`)
  const poll = useCallback(async () => reload(), [reload])
  usePolling(poll, delivery?.status === 'pending')
  return (
    <div class="stack">
      <Link href={screenUrl(['webhooks'])} class="back">
        All deliveries
      </Link>
      {delivery === null ? <h1>{id}</h1> : <DeliveryHeading delivery={delivery} />}
      {isLoading && <Loading />}
      {error !== null && <ErrorNote error={error} onRetry={reload} />}
      {delivery !== null && <DeliveryParts delivery={delivery} />}
      <ObjectCommands id={id} />
    </div>
  )
}

function DeliveryHeading({ delivery }: { readonly delivery: WebhookDelivery }) {
  const event = useEventById(delivery.event)
  return (
    <h1 class="row">
      {event?.type ?? delivery.event}
      <DeliveryBadge delivery={delivery} />
    </h1>
  )
}

function DeliveryParts({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { event: eventId, webhook_endpoint, error_message: message } = delivery
  const event = useEventById(eventId)
  const attempts = useList(deliverySource({ event: eventId, webhook_endpoint }))
  return (
    <>
      {message !== null && <p class="note note-bad">{message}</p>}
      <ResendButton delivery={delivery} onResent={attempts.reload} />
      <div class="split">
        <div class="stack">
          <DeliveryFacts delivery={delivery} />
          <ResponseBody delivery={delivery} />
        </div>
        <section class="panel" aria-label="Attempts">
          <h2>Attempts of this event and endpoint</h2>
          {attempts.error !== null && <ErrorNote error={attempts.error} />}
          <ol class="attempts">
            {attempts.items?.map((attempt) => (
              <li key={attempt.id} aria-current={attempt.id === delivery.id}>
                <AttemptRow delivery={attempt} />
              </li>
            ))}
          </ol>
        </section>
        <RequestHeaders headers={delivery.request_headers} />
        <section class="panel" aria-label="Payload">
          <h2>Payload</h2>
          {event === null ? (
            <p class="quiet">The event is not stored any more.</p>
          ) : (
            <JsonView value={event} />
          )}
        </section>
      </div>
    </>
  )
}

function DeliveryFacts({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { url, webhook_endpoint, event, status, created, duration_ms, attempt, trigger } = delivery
  const { next_attempt_at: due, fault } = delivery
  return (
    <section class="panel" aria-label="Delivery">
      <h2>Delivery</h2>
      <dl class="facts">
        <dt>URL</dt>
        <dd>{url}</dd>
        <dt>Endpoint</dt>
        <dd>
          <ObjectLink id={webhook_endpoint} />
        </dd>
        <dt>Event</dt>
        <dd>
          <ObjectLink id={event} />
        </dd>
        <dt>Status</dt>
        <dd>{status}</dd>
        <dt>Created</dt>
        <dd>
          <UtcTime at={created} />
        </dd>
        <dt>Latency</dt>
        <dd>{duration_ms === null ? 'not sent' : formatDuration(duration_ms)}</dd>
        <dt>Attempt</dt>
        <dd>{trigger === 'manual' ? `resend ${attempt}` : attempt}</dd>
        <dt>{status === 'pending' ? 'Due' : 'Next attempt'}</dt>
        <dd>{due === null ? 'none' : <UtcTime at={due} now={created} />}</dd>
        {fault !== null && (
          <>
            <dt>Fault</dt>
            <dd>
              <ObjectLink id={fault} />
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}

function ResponseBody({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { http_status, response_body: body, response_body_truncated: isTruncated } = delivery
  return (
    <section class="panel" aria-label="Response">
      <h2>Response {http_status}</h2>
      {body === null && <p class="quiet">No response.</p>}
      {body === '' && <p class="quiet">The body is empty.</p>}
      {body !== null && body !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it.
        <pre class="json" tabIndex={0}>
          {body}
        </pre>
      )}
      {isTruncated && <p class="quiet">The body is longer; this is its start.</p>}
    </section>
  )
}

const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'paycli-signature']

function RequestHeaders({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  const entries = Object.entries(headers)
  const isSignature = (name: string) => SIGNATURE_HEADERS.includes(name.toLowerCase())
  return (
    <section class="panel" aria-label="Request headers">
      <h2>Request headers</h2>
      {entries.length === 0 && <p class="quiet">Not sent yet.</p>}
      <dl class="headers">
        {entries.map(([name, value]) => (
          <div key={name} class={isSignature(name) ? 'header-signature' : ''}>
            <dt>
              <code>{name}</code>
              {isSignature(name) && <span class="badge">signature</span>}
            </dt>
            <dd class="id">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
