import { type Creation, type RuleContext, toCreation } from '../core/changes.ts'
import { DomainError, type ValidationError } from '../core/domain-error.ts'
import { listUnixSecondsErrors } from '../time/unix-seconds.ts'
import { type Event, isEventEnabled } from './events.ts'
import { createDeliveryAttempt, type WebhookDelivery } from './webhook-deliveries.ts'
import type { WebhookEndpoint } from './webhook-endpoints.ts'

const MAX_RECOVERY_SECONDS = 14 * 86_400

/** An event with all its delivery attempts. */
export interface EventWithDeliveries {
  readonly event: Event
  readonly deliveries: readonly WebhookDelivery[]
}

/** Returns the default endpoints of a resend: enabled endpoints that match the event or have deliveries of the event. */
export function listResendEndpoints(
  { event, deliveries }: EventWithDeliveries,
  endpoints: readonly WebhookEndpoint[],
): readonly WebhookEndpoint[] {
  const targets = endpoints.filter(
    ({ id, status, enabled_events }) =>
      status === 'enabled' &&
      (isEventEnabled(event.type, enabled_events) ||
        deliveries.some(({ webhook_endpoint }) => webhook_endpoint === id)),
  )
  if (targets.length > 0) return targets
  throw new DomainError(
    'resource_missing',
    `No enabled webhook endpoint is subscribed to '${event.type}'. Set webhook_endpoint, or create an endpoint with POST /v1/webhook_endpoints.`,
    { param: 'webhook_endpoint' },
  )
}

/** Returns the endpoint; throws for an endpoint that is not enabled. `param` is the parameter of the error. */
export function requireEnabledEndpoint(
  endpoint: WebhookEndpoint,
  param: 'id' | 'webhook_endpoint',
): WebhookEndpoint {
  const { id, url, status, disabled_reason } = endpoint
  if (status === 'enabled') return endpoint
  throw new DomainError(
    'webhook_endpoint_disabled',
    status === 'not_listening'
      ? `The listener of webhook endpoint '${id}' is not running. Start it: paycli listen --forward-to '${url}'`
      : `Webhook endpoint '${id}' is disabled (${disabled_reason}). Enable it first: POST /v1/webhook_endpoints/${id} with {"status":"enabled"}.`,
    { param },
  )
}

/**
 * Returns the validation errors of a time window in Unix seconds. `since` must be at most 14 days ago, and `until` must
 * not be before `since`.
 */
export function listTimeWindowErrors(
  { since, until }: { readonly since?: number | null; readonly until?: number | null },
  now: number,
): ValidationError[] {
  const code = 'timestamp_invalid'
  const sinceErrors = listUnixSecondsErrors('since', since)
  const errors = [...sinceErrors, ...listUnixSecondsErrors('until', until)]
  if (since === undefined || since === null) return errors
  if (since < now - MAX_RECOVERY_SECONDS) {
    const message = `since ${since} is more than 14 days ago. Use a later time in Unix seconds.`
    errors.push({ code, param: 'since', message })
  }
  // Skip the comparison for milliseconds in `since`, which are already an error and always later than `until`.
  if (sinceErrors.length === 0 && until !== undefined && until !== null && until < since) {
    errors.push({ code, param: 'until', message: `until ${until} is before since ${since}.` })
  }
  return errors
}

/** Creates a manual attempt, due immediately and without retries; null when a manual attempt is still pending. */
export function createResendAttempt(
  { event, deliveries }: EventWithDeliveries,
  endpoint: WebhookEndpoint,
  context: RuleContext,
): Creation<WebhookDelivery> | null {
  const manual = deliveries.filter(
    ({ webhook_endpoint, trigger }) => webhook_endpoint === endpoint.id && trigger === 'manual',
  )
  if (manual.some(({ status }) => status === 'pending')) return null
  const attempt = 1 + manual.length
  const id = context.newId('whd_')
  const resend = { id, event: event.id, endpoint, attempt, trigger: 'manual' } as const
  return toCreation(null, createDeliveryAttempt(resend, context.wallNow))
}

/**
 * Returns whether an endpoint has missed an event at `now`, in Unix seconds: a delivery failed or was skipped, and no
 * delivery succeeded or is due. A retry that is scheduled for later or held does not count as due.
 */
export function isMissedEvent(
  deliveries: readonly WebhookDelivery[],
  webhookEndpoint: string,
  now: number,
): boolean {
  const own = deliveries.filter((delivery) => delivery.webhook_endpoint === webhookEndpoint)
  const isLost = ({ status }: WebhookDelivery) => status === 'failed' || status === 'skipped'
  const isLater = ({ status, next_attempt_at }: WebhookDelivery) =>
    status === 'pending' && (next_attempt_at === null || next_attempt_at > now)
  return own.some(isLost) && own.every((delivery) => isLost(delivery) || isLater(delivery))
}
