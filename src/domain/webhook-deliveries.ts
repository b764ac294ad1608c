import { type Creation, creation, type Mutation, mutation, type RuleContext } from './changes.ts'
import { isEventEnabled, type UnsequencedEvent } from './events.ts'
import type { WebhookEndpoint } from './webhook-endpoints.ts'

/**
 * Reasons of failed attempts. `blocked`: the request was not sent. `protocol`: more than ten informational responses.
 * `connection`: any other connection error.
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
 * One attempt to deliver an event to an endpoint. It is `pending` until it was sent at `next_attempt_at`, or `skipped`
 * because the endpoint is disabled.
 */
export interface WebhookDelivery {
  readonly id: string
  readonly object: 'webhook_delivery'
  readonly created: number
  readonly livemode: false
  readonly event: string
  readonly webhook_endpoint: string
  readonly url: string
  /** Counted from 1, separately for automatic and manual attempts. */
  readonly attempt: number
  readonly status: 'pending' | 'succeeded' | 'failed' | 'skipped'
  readonly http_status: number | null
  readonly error: DeliveryError | null
  /** Describes the failure and its fix in a sentence. */
  readonly error_message: string | null
  readonly duration_ms: number | null
  readonly request_headers: Readonly<Record<string, string>>
  readonly response_body: string | null
  readonly response_body_truncated: boolean
  /** Unix seconds. Retries are stored with a fraction, which `presentDelivery` rounds up. */
  readonly next_attempt_at: number | null
  readonly trigger: 'automatic' | 'manual'
}

/** Creates the first delivery of an event for each matching endpoint; `skipped` for disabled endpoints. */
export function planDeliveries(
  event: UnsequencedEvent,
  endpoints: readonly WebhookEndpoint[],
  context: RuleContext,
): Creation<WebhookDelivery>[] {
  return endpoints
    .filter((endpoint) => isEventEnabled(event.type, endpoint.enabled_events))
    .map((endpoint) => {
      const first = {
        id: context.newId('whd_'),
        event: event.id,
        endpoint,
        attempt: 1,
        dueAt: context.wallNow,
      }
      const planned = createDelivery(first, context.wallNow)
      return creation(null, endpoint.status === 'enabled' ? planned : skipped(planned))
    })
}

/** Creates a pending attempt; `dueAt` and `wallNow` in Unix seconds of wall time. */
export function createDelivery(
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

/** Skips a delivery because its endpoint was disabled. It stays listed and can be resent. */
export function skipDelivery(delivery: WebhookDelivery): Mutation<WebhookDelivery> {
  return mutation(null, delivery, skipped(delivery))
}

function skipped(delivery: WebhookDelivery): WebhookDelivery {
  return { ...delivery, status: 'skipped', next_attempt_at: null }
}

/** The request and response of one attempt. */
export type DeliveryAttemptResult = Pick<
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

/**
 * Records the result of an attempt. `nextAttemptAt` is the retry time after a failure, in Unix seconds of wall time.
 */
export function settleDelivery(
  delivery: WebhookDelivery,
  result: DeliveryAttemptResult,
  nextAttemptAt: number | null,
): Mutation<WebhookDelivery> {
  const isSuccess = result.error === null
  return mutation(null, delivery, {
    ...delivery,
    ...result,
    status: isSuccess ? 'succeeded' : 'failed',
    next_attempt_at: isSuccess ? null : nextAttemptAt,
  })
}

/** Returns the delivery as the API shows it: `next_attempt_at` in whole seconds, never before the attempt is due. */
export function presentDelivery(delivery: WebhookDelivery): WebhookDelivery {
  const { next_attempt_at: due } = delivery
  return due === null || Number.isInteger(due) ? delivery : { ...delivery, next_attempt_at: Math.ceil(due) }
}

/**
 * Returns how many endpoints have not yet received an event, from all its deliveries. Skipped deliveries do not count.
 */
export function countPendingEndpoints(deliveries: readonly WebhookDelivery[]): number {
  const endpointsOf = (statuses: readonly WebhookDelivery['status'][]) =>
    new Set(deliveries.filter(({ status }) => statuses.includes(status)).map((one) => one.webhook_endpoint))
  const succeeded = endpointsOf(['succeeded'])
  return [...endpointsOf(['pending', 'failed'])].filter((endpoint) => !succeeded.has(endpoint)).length
}
