import { type Change, creation, type IdPrefix, removal } from '../domain/changes.ts'
import type { Event } from '../domain/events.ts'
import {
  type AttemptOutcome,
  pendingDelivery,
  settleDelivery,
  type WebhookDelivery,
} from '../domain/webhook-deliveries.ts'
import { retireWebhookEndpoint } from '../domain/webhook-endpoint-changes.ts'
import type { WebhookEndpoint } from '../domain/webhook-endpoints.ts'
import { countFailure, isGivenUp, isHandlerStopped, type WebhookHealth } from '../domain/webhook-health.ts'
import { secretsInForce, type WebhookSecret } from '../domain/webhook-secrets.ts'
import type { Reader, Store, Write } from '../store/port/store.ts'
import { type DeliveryRequest, deliveryRequest } from './request.ts'
import { nextAttemptAtMs, type Schedule } from './schedule.ts'
import type { SendResult } from './send.ts'

const GONE_STATUS = 410
const RECORDS_PER_PAGE = 100

/** Sends one request; who sends for some endpoints in another way also learns which delivery it is of. */
export type Send = (request: DeliveryRequest, delivery: WebhookDelivery) => Promise<SendResult>

/** What an attempt needs from the process. */
export interface Means {
  /** The wall clock in Unix milliseconds. */
  readonly wallNowMs: () => number
  readonly send: Send
  readonly schedule: Schedule
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number
  readonly newId: (prefix: IdPrefix) => string
}

/** A pending delivery with all that belongs to it, as far as it is still there. */
export interface Parcel {
  readonly delivery: WebhookDelivery | null
  readonly endpoint: WebhookEndpoint | null
  readonly secret: WebhookSecret | null
  readonly event: Event | null
}

/** An attempt that was made and is yet to be recorded. */
export interface Attempt {
  readonly delivery: string
  readonly endpoint: string
  readonly outcome: AttemptOutcome
  /** The attempt to make after this one if it failed, at Unix seconds with a fraction; null when the schedule is exhausted. */
  readonly next: { readonly id: string; readonly at: number } | null
}

/** Loads what a due delivery needs; all of it is on disk, so nobody is told what a crash could undo. */
export async function loadParcel(reader: Reader, due: WebhookDelivery): Promise<Parcel> {
  const [delivery, endpoint, secret, event] = await Promise.all([
    reader.get('webhook_deliveries', due.id),
    reader.get('webhook_endpoints', due.webhook_endpoint),
    reader.get('webhook_secrets', due.webhook_endpoint),
    reader.get('events', due.event),
  ])
  return { delivery, endpoint, secret, event }
}

/** Sends a delivery to where its endpoint is now, and decides when to try again. */
export async function makeAttempt(
  { delivery, endpoint, secret, event }: Parcel,
  means: Means,
): Promise<Attempt> {
  if (!delivery || !endpoint || !secret || !event) {
    throw new Error(`delivery '${delivery?.id}' has lost its event or its endpoint's secret`)
  }
  const timestamp = Math.floor(means.wallNowMs() / 1000)
  const secrets = secretsInForce(secret, timestamp)
  const request = deliveryRequest({ url: endpoint.url, event, secrets, timestamp })
  const { retry_after, ...answer } = await means.send(request, delivery)
  const outcome = { url: request.url, request_headers: request.headers, ...answer }
  // What was asked for by hand is done once; the schedule is that of the automatic attempts.
  const made = { delivery: delivery.id, endpoint: endpoint.id, outcome }
  if (answer.error === null || delivery.trigger === 'manual') return { ...made, next: null }
  const atMs = nextAttemptAtMs({
    schedule: means.schedule,
    attempt: delivery.attempt,
    nowMs: means.wallNowMs(),
    failure: answer,
    retryAfter: retry_after,
    random: means.random,
  })
  return { ...made, next: atMs === null ? null : { id: means.newId('whd_'), at: atMs / 1000 } }
}

/** What was stored of an attempt. */
export interface Recorded {
  readonly delivery: WebhookDelivery
  /** The endpoint, when this was its last attempt and it is disabled now. */
  readonly disabled: WebhookEndpoint | null
}

/** When an attempt is recorded, and which endpoints its failure can never disable. */
export interface Recording {
  readonly wallNow: number
  readonly isSpared: (endpoint: WebhookEndpoint) => boolean
}

/** Stores what came of an attempt and what follows from it; resolves with null when the delivery is gone. */
export async function recordAttempt(
  store: Store,
  attempt: Attempt,
  { wallNow, isSpared }: Recording,
): Promise<Recorded | null> {
  const { result } = await store.transact<Recorded | null>(async (reader) => {
    const [delivery, endpoint, health] = await Promise.all([
      reader.get('webhook_deliveries', attempt.delivery),
      reader.get('webhook_endpoints', attempt.endpoint),
      reader.get('webhook_health', attempt.endpoint),
    ])
    if (delivery?.status !== 'pending' || !endpoint) return { result: null, writes: [], events: [] }
    const { outcome } = attempt
    const follows = outcome.error === null ? await afterSuccess(reader, delivery) : []
    const isJudged = outcome.error === null || !isSpared(endpoint)
    const verdict = isJudged
      ? await judge(reader, { outcome, endpoint, delivery, health, wallNow })
      : { changes: [], disabled: null }
    const next = verdict.disabled === null ? attempt.next : null
    const settled = settleDelivery(delivery, outcome, next === null ? null : Math.ceil(next.at))
    const retry =
      next === null ? [] : [creation(null, nextDelivery(delivery, { ...next, endpoint, wallNow }))]
    const changes: Change[] = [settled, ...follows, ...verdict.changes, ...retry]
    const result = { delivery: settled.after, disabled: verdict.disabled }
    return { result, writes: changes.map(toWrite), events: [] }
  })
  return result
}

// One success is enough: an event that was taken when it was sent by hand is not retried any more.
async function afterSuccess(reader: Reader, delivery: WebhookDelivery): Promise<Change[]> {
  if (delivery.trigger === 'automatic') return []
  const where = { event: delivery.event, status: 'pending' }
  const { data } = await reader.list('webhook_deliveries', { where, limit: RECORDS_PER_PAGE })
  return data
    .filter(
      ({ id, webhook_endpoint }) => id !== delivery.id && webhook_endpoint === delivery.webhook_endpoint,
    )
    .map(removal)
}

interface Judged {
  readonly outcome: AttemptOutcome
  readonly endpoint: WebhookEndpoint
  readonly delivery: WebhookDelivery
  readonly health: WebhookHealth | null
  readonly wallNow: number
}

/** What an attempt says of its endpoint: how its health changes, and whether that was enough. */
async function judge(
  reader: Reader,
  { outcome, endpoint, delivery, health, wallNow }: Judged,
): Promise<{ readonly changes: readonly Change[]; readonly disabled: WebhookEndpoint | null }> {
  const { url, error, http_status } = outcome
  // An endpoint that was moved meanwhile did not say this itself.
  const isOwn = url === endpoint.url
  if (error === null) return { changes: health && isOwn ? [removal(health)] : [], disabled: null }
  if (!isOwn || isHandlerStopped(url, error)) return { changes: [], disabled: null }
  const failure = countFailure(health, endpoint.id, wallNow)
  const isGone = http_status === GONE_STATUS
  if (!isGone && !isGivenUp(failure.after, wallNow)) return { changes: [failure], disabled: null }
  const pending = (await loadPending(reader, endpoint.id)).filter(({ id }) => id !== delivery.id)
  const retired = retireWebhookEndpoint(endpoint, isGone ? 'gone' : 'failing', pending)
  const forgotten = health === null ? [] : [removal(health)]
  return { changes: [...retired.changes, ...forgotten], disabled: retired.after }
}

interface Next {
  readonly id: string
  readonly at: number
  readonly endpoint: WebhookEndpoint
  readonly wallNow: number
}

function nextDelivery(failed: WebhookDelivery, { id, at, endpoint, wallNow }: Next): WebhookDelivery {
  const attempt = failed.attempt + 1
  return pendingDelivery({ id, event: failed.event, endpoint, attempt, dueAt: at }, wallNow)
}

async function loadPending(reader: Reader, webhookEndpoint: string): Promise<WebhookDelivery[]> {
  const query = {
    where: { webhook_endpoint: webhookEndpoint, status: 'pending' },
    limit: RECORDS_PER_PAGE,
  }
  let page = await reader.list('webhook_deliveries', query)
  const found = [...page.data]
  while (page.has_more) {
    page = await reader.list('webhook_deliveries', { ...query, starting_after: found.at(-1)?.id ?? '' })
    found.push(...page.data)
  }
  return found
}

function toWrite({ before, after }: Change): Write {
  if (after) return { put: after }
  if (before) return { remove: before }
  throw new Error('a change without a record')
}
