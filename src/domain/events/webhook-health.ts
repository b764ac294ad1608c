import { type Change, toCreation, toUpdate } from '../core/changes.ts'
import { isLoopbackHost } from '../text/loopback-hosts.ts'
import type { DeliveryError } from './webhook-deliveries.ts'

/** Internal record: consecutive failures of the endpoint with the same id. The first success removes the record. */
export interface WebhookHealth {
  readonly id: string
  readonly object: 'webhook_health'
  readonly failures: number
  /** Time of the first failure, in Unix seconds of wall time. */
  readonly failing_since: number
}

const MAX_FAILURES = 100
const MAX_FAILING_SECONDS = 5 * 86_400

/** Returns whether a failure only means that no handler is running on this machine. */
export function isLocalConnectionRefused(url: string, error: DeliveryError | null): boolean {
  return error === 'refused' && isLoopbackHost(new URL(url).hostname)
}

/** Counts a failure; `now` is in Unix seconds of wall time. */
export function countEndpointFailure(
  health: WebhookHealth | null,
  webhookEndpoint: string,
  now: number,
): Change<WebhookHealth> & { readonly after: WebhookHealth } {
  if (health !== null) return toUpdate(null, health, { ...health, failures: health.failures + 1 })
  return toCreation(null, {
    id: webhookEndpoint,
    object: 'webhook_health',
    failures: 1,
    failing_since: now,
  })
}

/** Returns whether an endpoint must be disabled, after 100 failures in a row or after failures for five days. */
export function isFailureLimitReached({ failures, failing_since }: WebhookHealth, now: number): boolean {
  return failures >= MAX_FAILURES || now >= failing_since + MAX_FAILING_SECONDS
}
