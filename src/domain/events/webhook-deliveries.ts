import { type Creation, type ObjectUpdate, type RuleContext, toCreation, toUpdate } from '../core/changes.ts'
import { DomainError } from '../core/domain-error.ts'
import * as s from '../core/schema.ts'
import { isEventEnabled, type UnsequencedEvent } from './events.ts'
import type { WebhookEndpoint } from './webhook-endpoints.ts'

/**
 * The reasons for failed attempts. `blocked`: the request was not sent. `protocol`: more than ten informational
 * responses, or a 101 response. `connection`: any other connection error.
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
 * The schema of one attempt to deliver an event to an endpoint. Retries are stored with a fraction of a second in
 * `next_attempt_at`, which `presentDelivery` rounds up.
 */
export const webhookDeliverySchema = s.resourceObject(
  'webhook_delivery',
  'One attempt to deliver an event to a webhook endpoint. All times are in real time.',
  {
    event: s.id('The delivered event.'),
    webhook_endpoint: s.id('The webhook endpoint.'),
    url: s.url('The URL of the request.'),
    attempt: s.integer(
      1,
      'The number of the attempt to deliver this event to this endpoint, from 1. Manual attempts are counted separately.',
    ),
    status: s.enumOf(
      ['pending', 'succeeded', 'failed', 'skipped'],
      '`pending` until the delivery is sent, then its result; `skipped` if the endpoint was not enabled.',
    ),
    http_status: s.nullable(s.integer(100, 'The status of the response; null without a response.')),
    error: s.nullable(s.enumOf(DELIVERY_ERRORS, 'The reason for a failed attempt; otherwise null.')),
    error_message: s.nullable(s.text('The failure and its fix; null if the attempt did not fail.')),
    duration_ms: s.nullable(
      s.integer(0, 'The duration of the request in milliseconds; null if no request was sent.'),
    ),
    request_headers: s.textMap('The headers of the request.'),
    response_body: s.nullable(s.text('The body of the response, up to 16 KiB; null without a response.')),
    response_body_truncated: s.boolean('Whether the body of the response is longer than 16 KiB.'),
    next_attempt_at: s.nullable(
      s.timestamp(
        'Time at which this pending attempt or, after a failure, the next attempt is due; null if no attempt follows.',
      ),
    ),
    trigger: s.enumOf(['automatic', 'manual'], 'Whether an event or a manual redelivery caused the attempt.'),
    fault: s.nullable(s.id('The fault that applied to the attempt; null without a fault.')),
  },
)

export type WebhookDelivery = s.ValueOf<typeof webhookDeliverySchema>

/** Creates the first delivery of an event for each matching endpoint. Deliveries to disabled endpoints are `skipped`. */
export function createFirstDeliveryAttempts(
  event: UnsequencedEvent,
  endpoints: readonly WebhookEndpoint[],
  context: RuleContext,
): Creation<WebhookDelivery>[] {
  return endpoints
    .filter((endpoint) => isEventEnabled(event.type, endpoint.enabled_events))
    .map((endpoint) => {
      const first = { id: context.newId('whd_'), event: event.id, endpoint, attempt: 1 }
      const planned = createDeliveryAttempt(first, context.wallNow)
      return toCreation(null, endpoint.status === 'enabled' ? planned : skipped(planned))
    })
}

/** Creates a pending attempt. `dueAt` (default: now) and `wallNow` are in Unix seconds of wall time. */
export function createDeliveryAttempt(
  attempt: {
    readonly id: string
    readonly event: string
    readonly endpoint: WebhookEndpoint
    readonly attempt: number
    readonly dueAt?: number
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
    next_attempt_at: attempt.dueAt ?? wallNow,
    trigger: attempt.trigger ?? 'automatic',
    fault: null,
  }
}

/** Skips a delivery because its endpoint is not enabled. The delivery stays listed, and its event can be resent. */
export function skipDelivery(delivery: WebhookDelivery): ObjectUpdate<WebhookDelivery> {
  return toUpdate(null, delivery, skipped(delivery))
}

function skipped(delivery: WebhookDelivery): WebhookDelivery {
  return { ...delivery, status: 'skipped', next_attempt_at: null }
}

/**
 * Defers a pending delivery because of a fault. `dueAt` is in Unix seconds of wall time, with a fraction; null defers
 * the delivery until its release.
 */
export function deferDelivery(
  delivery: WebhookDelivery,
  fault: string,
  dueAt: number | null,
): ObjectUpdate<WebhookDelivery> {
  return toUpdate(null, delivery, { ...delivery, fault, next_attempt_at: dueAt })
}

/** Makes a pending delivery due now. The delivery is sent before later due deliveries of its endpoint. */
export function releaseDelivery(delivery: WebhookDelivery): ObjectUpdate<WebhookDelivery> {
  // Due deliveries are sorted by `next_attempt_at`, so the current time would put this delivery behind all others.
  return toUpdate(null, delivery, { ...delivery, next_attempt_at: delivery.created })
}

/** Makes a pending delivery due for the API operation `send`; throws when the delivery is not pending. */
export function releasePendingDelivery(delivery: WebhookDelivery): ObjectUpdate<WebhookDelivery> {
  if (delivery.status === 'pending') return releaseDelivery(delivery)
  const { id, event, status } = delivery
  throw new DomainError(
    'webhook_delivery_unexpected_state',
    `Webhook delivery '${id}' is ${status}: only a pending delivery can be sent. Send its event again with POST /v1/events/${event}/resend.`,
    { param: 'id' },
  )
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
 * Records the result of an attempt and its fault. `nextAttemptAt` is the time of a retry after a failure, in Unix
 * seconds of wall time.
 */
export function recordDeliveryResult(
  delivery: WebhookDelivery,
  result: DeliveryAttemptResult & Partial<Pick<WebhookDelivery, 'fault'>>,
  nextAttemptAt: number | null,
): ObjectUpdate<WebhookDelivery> {
  const isSuccess = result.error === null
  return toUpdate(null, delivery, {
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
 * Returns the number of endpoints that have not received an event yet; `deliveries` are all deliveries of the event.
 * Skipped deliveries do not count.
 */
export function countPendingEndpoints(deliveries: readonly WebhookDelivery[]): number {
  const endpointsOf = (statuses: readonly WebhookDelivery['status'][]) =>
    new Set(deliveries.filter(({ status }) => statuses.includes(status)).map((one) => one.webhook_endpoint))
  const succeeded = endpointsOf(['succeeded'])
  return [...endpointsOf(['pending', 'failed'])].filter((endpoint) => !succeeded.has(endpoint)).length
}
