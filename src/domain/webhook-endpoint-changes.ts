import { type Change, mutation, removal } from './changes.ts'
import { refuseProblems } from './domain-error.ts'
import { mergeMetadata } from './metadata.ts'
import { skipDelivery, type WebhookDelivery } from './webhook-deliveries.ts'
import { eventProblems, type WebhookEndpoint, type WebhookEndpointUpdateFields } from './webhook-endpoints.ts'
import type { WebhookHealth } from './webhook-health.ts'
import type { WebhookSecret } from './webhook-secrets.ts'

/** What goes with an endpoint. */
export interface EndpointBelongings {
  /** The deliveries that still wait. */
  readonly pending: readonly WebhookDelivery[]
  readonly health: WebhookHealth | null
}

/**
 * The endpoint with the given fields changed. Enabling clears the reason it was disabled for, disabling skips the
 * deliveries that still wait, as a 410 does; failures do not count on after it was enabled or moved.
 */
export function updateWebhookEndpoint(
  endpoint: WebhookEndpoint,
  fields: WebhookEndpointUpdateFields,
  { pending, health }: EndpointBelongings,
): { readonly changes: Change[]; readonly after: WebhookEndpoint } {
  refuseProblems(eventProblems(fields.enabled_events))
  const status = fields.status ?? endpoint.status
  const reason = status === 'enabled' ? null : (endpoint.disabled_reason ?? 'api')
  const after: WebhookEndpoint = {
    ...endpoint,
    url: fields.url ?? endpoint.url,
    enabled_events: fields.enabled_events ? [...new Set(fields.enabled_events)] : endpoint.enabled_events,
    status,
    disabled_reason: reason,
    description: fields.description === undefined ? endpoint.description : fields.description,
    metadata: mergeMetadata(endpoint.metadata, fields.metadata),
  }
  const skipped = status === 'disabled' ? pending.map(skipDelivery) : []
  const isFresh = status !== endpoint.status || after.url !== endpoint.url
  const forgotten = isFresh && health !== null ? [removal(health)] : []
  return { changes: [mutation(null, endpoint, after), ...skipped, ...forgotten], after }
}

/** Disables an endpoint that answered 410 (`gone`) or failed for too long; what still waits is skipped. */
export function retireWebhookEndpoint(
  endpoint: WebhookEndpoint,
  reason: 'gone' | 'failing',
  pending: readonly WebhookDelivery[],
): { readonly changes: Change[]; readonly after: WebhookEndpoint } {
  const after: WebhookEndpoint = { ...endpoint, status: 'disabled', disabled_reason: reason }
  return { changes: [mutation(null, endpoint, after), ...pending.map(skipDelivery)], after }
}

/** Takes an endpoint away with its secret, what still waits for it, and the count of its failures. */
export function deleteWebhookEndpoint(
  endpoint: WebhookEndpoint,
  secret: WebhookSecret | null,
  { pending, health }: EndpointBelongings,
): Change[] {
  const records = [endpoint, secret, health, ...pending]
  return records.flatMap((record) => (record === null ? [] : [removal(record)]))
}
