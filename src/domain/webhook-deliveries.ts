import { type Creation, creation, type Mutation, mutation, type RuleContext } from './changes.ts'
import { isEventWanted, type UnsequencedEvent } from './events.ts'
import type { WebhookEndpoint } from './webhook-endpoints.ts'

/**
 * Why an attempt failed: `blocked` was never made, `protocol` got more than ten informational responses, `connection` is
 * whatever no other name fits.
 */
export const DELIVERY_ERRORS = [
  'dns',
  'refused',
  'reset',
  'tls',
  'timeout',
  'blocked',
  'protocol',
  'connection',
  'redirect',
  'http_status',
] as const

export type DeliveryError = (typeof DELIVERY_ERRORS)[number]

/**
 * One attempt to hand one event to one endpoint: `pending` until `next_attempt_at` has come and it was made, `skipped`
 * when the endpoint is disabled, so that it is not made at all.
 */
export interface WebhookDelivery {
  readonly id: string
  readonly object: 'webhook_delivery'
  readonly created: number
  readonly livemode: false
  readonly event: string
  readonly webhook_endpoint: string
  readonly url: string
  /** Counted from 1, apart for what was asked for by hand. */
  readonly attempt: number
  readonly status: 'pending' | 'succeeded' | 'failed' | 'skipped'
  readonly http_status: number | null
  readonly error: DeliveryError | null
  /** The failure in a sentence, with what to do about it. */
  readonly error_message: string | null
  readonly duration_ms: number | null
  readonly request_headers: Readonly<Record<string, string>>
  readonly response_body: string | null
  readonly response_body_truncated: boolean
  /** Unix seconds. Retries are stored with a fraction, which `presentDelivery` rounds up. */
  readonly next_attempt_at: number | null
  readonly trigger: 'automatic' | 'manual'
}

/** The first deliveries of an event, one for each endpoint that wants it: skipped where the endpoint is disabled. */
export function planDeliveries(
  event: UnsequencedEvent,
  endpoints: readonly WebhookEndpoint[],
  context: RuleContext,
): Creation<WebhookDelivery>[] {
  return endpoints
    .filter((endpoint) => isEventWanted(event.type, endpoint.enabled_events))
    .map((endpoint) => {
      const first = {
        id: context.newId('whd_'),
        event: event.id,
        endpoint,
        attempt: 1,
        dueAt: context.wallNow,
      }
      const planned = pendingDelivery(first, context.wallNow)
      return creation(null, endpoint.status === 'enabled' ? planned : skipped(planned))
    })
}

/** An attempt that waits for its time; both times in Unix seconds of wall time. */
export function pendingDelivery(
  attempt: {
    readonly id: string
    readonly event: string
    readonly endpoint: WebhookEndpoint
    readonly attempt: number
    readonly dueAt: number
    readonly trigger?: WebhookDelivery['trigger']
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
    error_message: null,
    duration_ms: null,
    request_headers: {},
    response_body: null,
    response_body_truncated: false,
    next_attempt_at: attempt.dueAt,
    trigger: attempt.trigger ?? 'automatic',
  }
}

/** The delivery that is not made because its endpoint was disabled; it stays listed and can be resent. */
export function skipDelivery(delivery: WebhookDelivery): Mutation<WebhookDelivery> {
  return mutation(null, delivery, skipped(delivery))
}

function skipped(delivery: WebhookDelivery): WebhookDelivery {
  return { ...delivery, status: 'skipped', next_attempt_at: null }
}

/** How one attempt was made and what came of it. */
export type AttemptOutcome = Pick<
  WebhookDelivery,
  | 'url'
  | 'request_headers'
  | 'http_status'
  | 'error'
  | 'error_message'
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

/** Returns the delivery as the API shows it: `next_attempt_at` in whole seconds, never before the attempt is due. */
export function presentDelivery(delivery: WebhookDelivery): WebhookDelivery {
  const { next_attempt_at: due } = delivery
  return due === null || Number.isInteger(due) ? delivery : { ...delivery, next_attempt_at: Math.ceil(due) }
}

/** How many endpoints are yet to take an event, by all its deliveries; those it was skipped for do not count. */
export function countPending(deliveries: readonly WebhookDelivery[]): number {
  const endpointsOf = (statuses: readonly WebhookDelivery['status'][]) =>
    new Set(deliveries.filter(({ status }) => statuses.includes(status)).map((one) => one.webhook_endpoint))
  const took = endpointsOf(['succeeded'])
  return [...endpointsOf(['pending', 'failed'])].filter((endpoint) => !took.has(endpoint)).length
}
