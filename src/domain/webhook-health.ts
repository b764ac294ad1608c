import { type Change, creation, mutation } from './changes.ts'
import type { DeliveryError } from './webhook-deliveries.ts'

/** How long an endpoint of the same id has been failing; private, and gone with the first success. */
export interface WebhookHealth {
  readonly id: string
  readonly object: 'webhook_health'
  /** Failures since the last success. */
  readonly failures: number
  /** When the first of them was, in Unix seconds of wall time. */
  readonly failing_since: number
}

const MAX_FAILURES = 100
const MAX_FAILING_SECONDS = 5 * 86_400
const LOOPBACK_HOST = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a failure says nothing of the receiver: a handler on this machine that is just not running. */
export function isHandlerStopped(url: string, error: DeliveryError | null): boolean {
  return error === 'refused' && LOOPBACK_HOST.test(new URL(url).hostname)
}

/** One more failure in a row; `now` in Unix seconds of wall time. */
export function countFailure(
  health: WebhookHealth | null,
  webhookEndpoint: string,
  now: number,
): Change<WebhookHealth> & { readonly after: WebhookHealth } {
  if (health !== null) return mutation(null, health, { ...health, failures: health.failures + 1 })
  return creation(null, { id: webhookEndpoint, object: 'webhook_health', failures: 1, failing_since: now })
}

/** Whether an endpoint has failed a hundred times in a row, or for five days, so that it is disabled. */
export function isGivenUp({ failures, failing_since }: WebhookHealth, now: number): boolean {
  return failures >= MAX_FAILURES || now >= failing_since + MAX_FAILING_SECONDS
}
