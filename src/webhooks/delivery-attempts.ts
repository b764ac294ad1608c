import { type Change, creation, type IdPrefix, removal } from '../domain/changes.ts'
import type { Event } from '../domain/events.ts'
import {
  createDelivery,
  type DeliveryAttemptResult,
  settleDelivery,
  type WebhookDelivery,
} from '../domain/webhook-deliveries.ts'
import { disableWebhookEndpoint } from '../domain/webhook-endpoint-changes.ts'
import type { WebhookEndpoint } from '../domain/webhook-endpoints.ts'
import {
  countFailure,
  isFailureLimitReached,
  isHandlerStopped,
  type WebhookHealth,
} from '../domain/webhook-health.ts'
import { activeSecrets, type WebhookSecret } from '../domain/webhook-secrets.ts'
import type { Store, StoreReader, Write } from '../store/port/store.ts'
import { createDeliveryRequest, type DeliveryRequest } from './delivery-request.ts'
import { computeNextAttemptMs, type RetrySchedule } from './schedule.ts'
import type { SendResult } from './send.ts'

const GONE_STATUS = 410
const RECORDS_PER_PAGE = 100

/** Sends the request of a delivery. */
export type SendDelivery = (request: DeliveryRequest, delivery: WebhookDelivery) => Promise<SendResult>

export interface MakeAttemptOptions {
  /** The wall clock in Unix milliseconds. */
  readonly wallNowMs: () => number
  readonly send: SendDelivery
  readonly schedule: RetrySchedule
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number
  readonly newId: (prefix: IdPrefix) => string
}

/** A due delivery with its related records; null for a deleted record. */
export interface DueDelivery {
  readonly delivery: WebhookDelivery | null
  readonly endpoint: WebhookEndpoint | null
  readonly secret: WebhookSecret | null
  readonly event: Event | null
}

/** An attempt that was made and is not recorded yet. */
export interface DeliveryAttempt {
  readonly delivery: string
  readonly endpoint: string
  readonly outcome: DeliveryAttemptResult
  /** The next attempt, with a time in fractional Unix seconds; null after a success or when the schedule is exhausted. */
  readonly next: { readonly id: string; readonly at: number } | null
}

/** Loads a due delivery with its related records. The store returns durable records only, so a crash cannot undo them. */
export async function loadDueDelivery(reader: StoreReader, due: WebhookDelivery): Promise<DueDelivery> {
  const [delivery, endpoint, secret, event] = await Promise.all([
    reader.get('webhook_deliveries', due.id),
    reader.get('webhook_endpoints', due.webhook_endpoint),
    reader.get('webhook_secrets', due.webhook_endpoint),
    reader.get('events', due.event),
  ])
  return { delivery, endpoint, secret, event }
}

/** Sends a delivery to the current URL of its endpoint and schedules the next attempt after a failure. */
export async function makeAttempt(
  { delivery, endpoint, secret, event }: DueDelivery,
  options: MakeAttemptOptions,
): Promise<DeliveryAttempt> {
  if (!delivery || !endpoint || !secret || !event) {
    throw new Error(`delivery '${delivery?.id}' has no event or no secret of its endpoint`)
  }
  const timestamp = Math.floor(options.wallNowMs() / 1000)
  const secrets = activeSecrets(secret, timestamp)
  const request = createDeliveryRequest(endpoint.url, event, secrets, timestamp)
  const { retry_after, ...response } = await options.send(request, delivery)
  const outcome = { url: request.url, request_headers: request.headers, ...response }
  const attempt = { delivery: delivery.id, endpoint: endpoint.id, outcome }
  // A manual resend is never retried.
  if (response.error === null || delivery.trigger === 'manual') return { ...attempt, next: null }
  const atMs = computeNextAttemptMs({
    schedule: options.schedule,
    attempt: delivery.attempt,
    nowMs: options.wallNowMs(),
    failure: response,
    retryAfter: retry_after,
    random: options.random,
  })
  return { ...attempt, next: atMs === null ? null : { id: options.newId('whd_'), at: atMs / 1000 } }
}

export interface RecordedAttempt {
  readonly delivery: WebhookDelivery
  /** The endpoint if this attempt disabled it. */
  readonly disabled: WebhookEndpoint | null
}

export interface RecordAttemptOptions {
  readonly wallNow: number
  /** Returns whether failures never disable an endpoint. */
  readonly isNeverDisabled: (endpoint: WebhookEndpoint) => boolean
}

/** Stores the result of an attempt with its consequences; resolves with null when the delivery is no longer pending. */
export async function recordAttempt(
  store: Store,
  attempt: DeliveryAttempt,
  { wallNow, isNeverDisabled }: RecordAttemptOptions,
): Promise<RecordedAttempt | null> {
  const { result } = await store.transact<RecordedAttempt | null>(async (reader) => {
    const [delivery, endpoint, health] = await Promise.all([
      reader.get('webhook_deliveries', attempt.delivery),
      reader.get('webhook_endpoints', attempt.endpoint),
      reader.get('webhook_health', attempt.endpoint),
    ])
    if (delivery?.status !== 'pending' || !endpoint) return { result: null, writes: [], events: [] }
    const { outcome } = attempt
    const removals = outcome.error === null ? await removePendingRetries(reader, delivery) : []
    const isAssessed = outcome.error === null || !isNeverDisabled(endpoint)
    const assessment = isAssessed
      ? await assessEndpoint(reader, { outcome, endpoint, delivery, health, wallNow })
      : { changes: [], disabled: null }
    const next = assessment.disabled === null ? attempt.next : null
    const settled = settleDelivery(delivery, outcome, next === null ? null : Math.ceil(next.at))
    const retry = next === null ? [] : [creation(null, createRetry(delivery, next, endpoint, wallNow))]
    const changes: Change[] = [settled, ...removals, ...assessment.changes, ...retry]
    const result = { delivery: settled.after, disabled: assessment.disabled }
    return { result, writes: changes.map(toWrite), events: [] }
  })
  return result
}

// A successful manual resend ends the automatic retries of the event.
async function removePendingRetries(reader: StoreReader, delivery: WebhookDelivery): Promise<Change[]> {
  if (delivery.trigger === 'automatic') return []
  const where = { event: delivery.event, status: 'pending' }
  const { data } = await reader.list('webhook_deliveries', { where, limit: RECORDS_PER_PAGE })
  return data
    .filter(
      ({ id, webhook_endpoint }) => id !== delivery.id && webhook_endpoint === delivery.webhook_endpoint,
    )
    .map(removal)
}

interface AssessEndpointOptions {
  readonly outcome: DeliveryAttemptResult
  readonly endpoint: WebhookEndpoint
  readonly delivery: WebhookDelivery
  readonly health: WebhookHealth | null
  readonly wallNow: number
}

/** Updates the health of an endpoint after an attempt, and disables it after 410 or too many failures. */
async function assessEndpoint(
  reader: StoreReader,
  { outcome, endpoint, delivery, health, wallNow }: AssessEndpointOptions,
): Promise<{ readonly changes: readonly Change[]; readonly disabled: WebhookEndpoint | null }> {
  const { url, error, http_status } = outcome
  // A response from a former URL says nothing about the endpoint.
  const isCurrentUrl = url === endpoint.url
  if (error === null) return { changes: health && isCurrentUrl ? [removal(health)] : [], disabled: null }
  if (!isCurrentUrl || isHandlerStopped(url, error)) return { changes: [], disabled: null }
  const failure = countFailure(health, endpoint.id, wallNow)
  const isGone = http_status === GONE_STATUS
  if (!isGone && !isFailureLimitReached(failure.after, wallNow)) return { changes: [failure], disabled: null }
  const pending = (await loadPending(reader, endpoint.id)).filter(({ id }) => id !== delivery.id)
  const disabled = disableWebhookEndpoint(endpoint, isGone ? 'gone' : 'failing', pending)
  const healthRemoval = health === null ? [] : [removal(health)]
  return { changes: [...disabled.changes, ...healthRemoval], disabled: disabled.after }
}

function createRetry(
  failed: WebhookDelivery,
  { id, at }: NonNullable<DeliveryAttempt['next']>,
  endpoint: WebhookEndpoint,
  wallNow: number,
): WebhookDelivery {
  const attempt = failed.attempt + 1
  return createDelivery({ id, event: failed.event, endpoint, attempt, dueAt: at }, wallNow)
}

async function loadPending(reader: StoreReader, webhookEndpoint: string): Promise<WebhookDelivery[]> {
  const query = {
    where: { webhook_endpoint: webhookEndpoint, status: 'pending' },
    limit: RECORDS_PER_PAGE,
  }
  let page = await reader.list('webhook_deliveries', query)
  const pending = [...page.data]
  while (page.has_more) {
    page = await reader.list('webhook_deliveries', { ...query, starting_after: pending.at(-1)?.id ?? '' })
    pending.push(...page.data)
  }
  return pending
}

function toWrite({ before, after }: Change): Write {
  if (after) return { put: after }
  if (before) return { remove: before }
  throw new Error('a change without a record')
}
