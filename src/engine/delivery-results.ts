import { type Change, toCreation, toRemoval } from '../domain/core/changes.ts'
import {
  createDeliveryAttempt,
  type DeliveryAttemptResult,
  recordDeliveryResult,
  releaseDelivery,
  type WebhookDelivery,
} from '../domain/events/webhook-deliveries.ts'
import { disableWebhookEndpoint } from '../domain/events/webhook-endpoint-changes.ts'
import type { WebhookEndpoint } from '../domain/events/webhook-endpoints.ts'
import {
  countEndpointFailure,
  isFailureLimitReached,
  isLocalConnectionRefused,
  type WebhookHealth,
} from '../domain/events/webhook-health.ts'
import type { Store, StoreReader } from '../store/port/store.ts'
import { commitRecordChanges } from './commit.ts'
import { findSwappedDelivery } from './fault-deferrals.ts'
import { loadEndpointDependents, loadMatching } from './load-related.ts'

const GONE_STATUS = 410

/** A delivery attempt that was made and is not recorded yet. */
export interface FinishedAttempt {
  readonly delivery: string
  readonly endpoint: string
  readonly outcome: DeliveryAttemptResult
  /** The next attempt, with a time in fractional Unix seconds; null after a success or when the schedule is exhausted. */
  readonly next: { readonly id: string; readonly at: number } | null
  /** The fault that applied to the attempt; undefined keeps the fault of the delivery. */
  readonly fault?: string
}

export interface RecordAttemptResult {
  readonly delivery: WebhookDelivery
  /** The endpoint if this attempt disabled it, otherwise null. */
  readonly disabled: WebhookEndpoint | null
  /** Whether the attempt released a deferred delivery that waited for this attempt. */
  readonly hasReleased: boolean
}

export interface RecordAttemptOptions {
  /** The deferred delivery that the attempt releases, if this delivery still waits for a swap with the attempt. */
  readonly swapped?: string | undefined
  readonly wallNow: number
  /** Returns whether failures never disable an endpoint. */
  readonly isNeverDisabled: (endpoint: WebhookEndpoint) => boolean
}

/** Stores the result of an attempt with its consequences; resolves with null when the delivery is no longer pending. */
export async function recordAttempt(
  store: Store,
  attempt: FinishedAttempt,
  { wallNow, isNeverDisabled, swapped }: RecordAttemptOptions,
): Promise<RecordAttemptResult | null> {
  return commitRecordChanges<RecordAttemptResult | null>(store, async (reader) => {
    const [delivery, endpoint, health] = await Promise.all([
      reader.get('webhook_deliveries', attempt.delivery),
      reader.get('webhook_endpoints', attempt.endpoint),
      reader.get('webhook_health', attempt.endpoint),
    ])
    if (delivery?.status !== 'pending' || !endpoint) return { changes: [], result: null }
    const { outcome } = attempt
    const removals = outcome.error === null ? await removePendingRetries(reader, delivery) : []
    // An attempt that a fault dropped was not sent, so it does not count for the health of the endpoint.
    const isSent = outcome.duration_ms !== null
    const isAssessed = isSent && (outcome.error === null || !isNeverDisabled(endpoint))
    const assessment = isAssessed
      ? await assessEndpoint(reader, { outcome, endpoint, delivery, health, wallNow })
      : { changes: [], disabled: null }
    const next = assessment.disabled === null ? attempt.next : null
    const result = attempt.fault === undefined ? outcome : { ...outcome, fault: attempt.fault }
    const settled = recordDeliveryResult(delivery, result, next === null ? null : Math.ceil(next.at))
    const retry = next === null ? [] : [toCreation(null, createRetry(delivery, next, endpoint, wallNow))]
    const waiting = swapped === delivery.id ? null : await findSwappedDelivery(reader, swapped, wallNow)
    const released = waiting === null ? [] : [releaseDelivery(waiting)]
    // Disabling an endpoint also skips the released delivery, so the changes of the endpoint come after the release.
    const changes: Change[] = [settled, ...released, ...removals, ...assessment.changes, ...retry]
    const hasReleased = released.length > 0
    return { changes, result: { delivery: settled.after, disabled: assessment.disabled, hasReleased } }
  })
}

// A successful manual resend ends the automatic retries of the event.
async function removePendingRetries(reader: StoreReader, delivery: WebhookDelivery): Promise<Change[]> {
  if (delivery.trigger === 'automatic') return []
  const where = { event: delivery.event, status: 'pending' }
  const pending = await loadMatching(reader, 'webhook_deliveries', { where })
  return pending
    .filter(
      ({ id, webhook_endpoint }) => id !== delivery.id && webhook_endpoint === delivery.webhook_endpoint,
    )
    .map(toRemoval)
}

interface AssessEndpointOptions {
  readonly outcome: DeliveryAttemptResult
  readonly endpoint: WebhookEndpoint
  readonly delivery: WebhookDelivery
  readonly health: WebhookHealth | null
  readonly wallNow: number
}

/** Updates the health of an endpoint after an attempt, and disables it after a 410 response or too many failures. */
async function assessEndpoint(
  reader: StoreReader,
  { outcome, endpoint, delivery, health, wallNow }: AssessEndpointOptions,
): Promise<{ readonly changes: readonly Change[]; readonly disabled: WebhookEndpoint | null }> {
  const { url, error, http_status } = outcome
  // A response from a former URL does not change the health of the endpoint.
  const isCurrentUrl = url === endpoint.url
  if (error === null) return { changes: health && isCurrentUrl ? [toRemoval(health)] : [], disabled: null }
  if (!isCurrentUrl || isLocalConnectionRefused(url, error)) return { changes: [], disabled: null }
  const failure = countEndpointFailure(health, endpoint.id, wallNow)
  const isGone = http_status === GONE_STATUS
  if (!isGone && !isFailureLimitReached(failure.after, wallNow)) return { changes: [failure], disabled: null }
  const { pending } = await loadEndpointDependents(reader, endpoint.id)
  const others = pending.filter(({ id }) => id !== delivery.id)
  const disabled = disableWebhookEndpoint(endpoint, isGone ? 'gone' : 'failing', others)
  const healthRemoval = health === null ? [] : [toRemoval(health)]
  return { changes: [...disabled.changes, ...healthRemoval], disabled: disabled.after }
}

function createRetry(
  failed: WebhookDelivery,
  { id, at }: NonNullable<FinishedAttempt['next']>,
  endpoint: WebhookEndpoint,
  wallNow: number,
): WebhookDelivery {
  const attempt = failed.attempt + 1
  return createDeliveryAttempt({ id, event: failed.event, endpoint, attempt, dueAt: at }, wallNow)
}
