import { type Change, toRemoval, toUpdate } from '../core/changes.ts'
import { throwValidationErrors } from '../core/domain-error.ts'
import { mergeMetadata } from '../core/metadata.ts'
import { skipDelivery, type WebhookDelivery } from './webhook-deliveries.ts'
import {
  listEnabledEventsErrors,
  type WebhookEndpoint,
  type WebhookEndpointUpdateParams,
} from './webhook-endpoints.ts'
import type { WebhookHealth } from './webhook-health.ts'
import type { WebhookSecret } from './webhook-secrets.ts'

/** The records that belong to an endpoint. */
export interface EndpointDependents {
  /** The pending deliveries to the endpoint. */
  readonly pending: readonly WebhookDelivery[]
  readonly health: WebhookHealth | null
}

/**
 * Updates an endpoint. Enabling clears `disabled_reason`; disabling skips pending deliveries, like a 410 response. A
 * new status or URL resets the failure count.
 */
export function updateWebhookEndpoint(
  endpoint: WebhookEndpoint,
  fields: WebhookEndpointUpdateParams,
  { pending, health }: EndpointDependents,
): { readonly changes: Change[]; readonly after: WebhookEndpoint } {
  throwValidationErrors(listEnabledEventsErrors(fields.enabled_events))
  const status = fields.status ?? endpoint.status
  const reason = status === 'disabled' ? (endpoint.disabled_reason ?? 'api') : null
  const after: WebhookEndpoint = {
    ...endpoint,
    ...fields,
    enabled_events: fields.enabled_events ? [...new Set(fields.enabled_events)] : endpoint.enabled_events,
    status,
    disabled_reason: reason,
    metadata: mergeMetadata(endpoint.metadata, fields.metadata),
  }
  const skipped = status === 'disabled' ? pending.map(skipDelivery) : []
  const isReset = status !== endpoint.status || after.url !== endpoint.url
  const resetHealth = isReset && health !== null ? [toRemoval(health)] : []
  return { changes: [toUpdate(null, endpoint, after), ...skipped, ...resetHealth], after }
}

/**
 * Disables an endpoint that returned 410 (`gone`) or failed for too long (`failing`), and skips its pending deliveries.
 */
export function disableWebhookEndpoint(
  endpoint: WebhookEndpoint,
  reason: 'gone' | 'failing',
  pending: readonly WebhookDelivery[],
): { readonly changes: Change[]; readonly after: WebhookEndpoint } {
  const after: WebhookEndpoint = { ...endpoint, status: 'disabled', disabled_reason: reason }
  return { changes: [toUpdate(null, endpoint, after), ...pending.map(skipDelivery)], after }
}

/** Marks the endpoint of a stopped listener as `not_listening`, and skips its pending deliveries. */
export function markNotListening(endpoint: WebhookEndpoint, pending: readonly WebhookDelivery[]): Change[] {
  return [toUpdate(null, endpoint, { ...endpoint, status: 'not_listening' }), ...pending.map(skipDelivery)]
}

/** Returns the endpoint for a copy of the sandbox: disabled and with a new secret. */
export function createDisabledEndpointCopy(
  endpoint: WebhookEndpoint,
  secret: string,
): { readonly endpoint: WebhookEndpoint; readonly secret: WebhookSecret } {
  const { id, disabled_reason } = endpoint
  return {
    endpoint: { ...endpoint, status: 'disabled', disabled_reason: disabled_reason ?? 'copied' },
    secret: { id, object: 'webhook_secret', secret },
  }
}

/** Deletes an endpoint with its secret, pending deliveries and failure count. */
export function deleteWebhookEndpoint(
  endpoint: WebhookEndpoint,
  secret: WebhookSecret | null,
  { pending, health }: EndpointDependents,
): Change[] {
  const records = [endpoint, secret, health, ...pending]
  return records.flatMap((record) => (record === null ? [] : [toRemoval(record)]))
}
