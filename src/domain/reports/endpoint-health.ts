import * as s from '../core/schema.ts'
import type { WebhookDelivery } from '../events/webhook-deliveries.ts'

/** The maximum age of counted attempts, in seconds. */
export const HEALTH_WINDOW_SECONDS = 86_400
/** The maximum number of counted attempts, because each attempt is read. */
export const MAX_HEALTH_ATTEMPTS = 10_000

/** The schema of the health of a webhook endpoint. */
export const endpointHealthSchema = s.titledObject(
  'webhook_endpoint_health',
  'The results of the delivery attempts to a webhook endpoint that were created since a time.',
  {
    object: s.constant('webhook_endpoint_health', 'The type of the object.'),
    webhook_endpoint: s.id('The webhook endpoint.'),
    since: s.timestamp(
      `Time from which attempts are counted: 24 hours ago, or later with more than ${MAX_HEALTH_ATTEMPTS} attempts.`,
    ),
    succeeded: s.integer(0, 'The number of attempts that succeeded.'),
    failed: s.integer(0, 'The number of attempts that failed.'),
    pending: s.integer(0, 'The number of attempts that are not sent yet.'),
    oldest_pending_at: s.nullable(
      s.timestamp('The creation time of the oldest pending attempt; null without pending attempts.'),
    ),
    duration_ms_p50: s.nullable(s.integer(0, 'The median duration of a request; null without a request.')),
    duration_ms_p95: s.nullable(
      s.integer(0, 'The duration that 95 % of the requests did not exceed; null without a request.'),
    ),
  },
)

export type EndpointHealth = s.ValueOf<typeof endpointHealthSchema>

/** The fields of an attempt that its endpoint's health depends on. */
export type CountedAttempt = Pick<WebhookDelivery, 'created' | 'status' | 'duration_ms'>

/** Counts the attempts to deliver events to an endpoint. `since` is in Unix seconds; no attempt is older. */
export function calculateEndpointHealth(
  endpoint: string,
  since: number,
  attempts: readonly CountedAttempt[],
): EndpointHealth {
  const withStatus = (status: CountedAttempt['status']) => attempts.filter((one) => one.status === status)
  const pending = withStatus('pending').map(({ created }) => created)
  const durations = attempts
    .flatMap(({ duration_ms }) => duration_ms ?? [])
    .sort((first, second) => first - second)
  const percentile = (share: number) => durations[Math.ceil(durations.length * share) - 1] ?? null
  return {
    object: 'webhook_endpoint_health',
    webhook_endpoint: endpoint,
    since,
    succeeded: withStatus('succeeded').length,
    failed: withStatus('failed').length,
    pending: pending.length,
    oldest_pending_at: pending.length === 0 ? null : Math.min(...pending),
    duration_ms_p50: percentile(0.5),
    duration_ms_p95: percentile(0.95),
  }
}
