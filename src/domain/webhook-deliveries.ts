import { type Creation, creation, type Mutation, mutation, type World } from './changes.ts'
import { isEventWanted, type UnsequencedEvent } from './events.ts'
import type { WebhookEndpoint } from './webhook-endpoints.ts'

export type DeliveryError = 'timeout' | 'connection' | 'tls' | 'redirect' | 'http_status'

/** One attempt to hand one event to one endpoint; `pending` until `next_attempt_at` has come and it was made. */
export interface WebhookDelivery {
  readonly id: string
  readonly object: 'webhook_delivery'
  readonly created: number
  readonly livemode: false
  readonly event: string
  readonly webhook_endpoint: string
  readonly url: string
  readonly attempt: number
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly http_status: number | null
  readonly error: DeliveryError | null
  readonly duration_ms: number | null
  readonly request_headers: Readonly<Record<string, string>>
  readonly response_body: string | null
  readonly response_body_truncated: boolean
  readonly next_attempt_at: number | null
  readonly trigger: 'automatic' | 'manual'
}

/** The first deliveries of an event, one for each enabled endpoint that wants it. */
export function planDeliveries(
  event: UnsequencedEvent,
  endpoints: readonly WebhookEndpoint[],
  world: World,
): Creation<WebhookDelivery>[] {
  return endpoints
    .filter((endpoint) => endpoint.status === 'enabled' && isEventWanted(event.type, endpoint.enabled_events))
    .map((endpoint) =>
      creation(
        null,
        pendingDelivery(
          { id: world.newId('whd_'), event: event.id, endpoint, attempt: 1, dueAt: world.wallNow },
          world.wallNow,
        ),
      ),
    )
}

/** An attempt that waits for its time; both times in Unix seconds of wall time. */
export function pendingDelivery(
  attempt: {
    readonly id: string
    readonly event: string
    readonly endpoint: WebhookEndpoint
    readonly attempt: number
    readonly dueAt: number
  },
  wallNow: number,
): WebhookDelivery {
  return {
    id: attempt.id,
    object: 'webhook_delivery',
    created: wallNow,
    livemode: false,
    event: attempt.event,
    webhook_endpoint: attempt.endpoint.id,
    url: attempt.endpoint.url,
    attempt: attempt.attempt,
    status: 'pending',
    http_status: null,
    error: null,
    duration_ms: null,
    request_headers: {},
    response_body: null,
    response_body_truncated: false,
    next_attempt_at: attempt.dueAt,
    trigger: 'automatic',
  }
}

/** How one attempt was made and what came of it. */
export type AttemptOutcome = Pick<
  WebhookDelivery,
  | 'url'
  | 'request_headers'
  | 'http_status'
  | 'error'
  | 'duration_ms'
  | 'response_body'
  | 'response_body_truncated'
>

/** The delivery with what came of its attempt; a failed one tells when the next is due, in Unix seconds of wall time. */
export function settleDelivery(
  delivery: WebhookDelivery,
  outcome: AttemptOutcome,
  nextAttemptAt: number | null,
): Mutation<WebhookDelivery> {
  const isDone = outcome.error === null
  return mutation(null, delivery, {
    ...delivery,
    ...outcome,
    status: isDone ? 'succeeded' : 'failed',
    next_attempt_at: isDone ? null : nextAttemptAt,
  })
}
