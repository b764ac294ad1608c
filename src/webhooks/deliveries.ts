import { type Change, creation, type IdPrefix, removal } from '../domain/changes.ts'
import type { Event } from '../domain/events.ts'
import {
  type AttemptOutcome,
  pendingDelivery,
  settleDelivery,
  type WebhookDelivery,
} from '../domain/webhook-deliveries.ts'
import {
  retireWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookSecret,
} from '../domain/webhook-endpoints.ts'
import type { Reader, Store, Write } from '../store/store.ts'
import { deliveryRequest } from './request.ts'
import { nextAttemptAt, type Schedule } from './schedule.ts'
import type { Sender } from './send.ts'

const GONE_STATUS = 410
const RECORDS_PER_PAGE = 100

/** What an attempt needs from the process. */
export interface Means {
  /** The wall clock in Unix seconds. */
  readonly wallNow: () => number
  readonly send: Sender['send']
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
  readonly outcome: AttemptOutcome
  /** The attempt to make after this one if it failed; null when the schedule is exhausted. */
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
  const contents = { url: endpoint.url, event, secrets: [secret.secret], timestamp: means.wallNow() }
  const request = deliveryRequest(contents)
  const { retry_after, ...answer } = await means.send(request)
  const outcome = { url: request.url, request_headers: request.headers, ...answer }
  if (answer.error === null) return { delivery: delivery.id, outcome, next: null }
  const at = nextAttemptAt({
    schedule: means.schedule,
    attempt: delivery.attempt,
    now: means.wallNow(),
    failure: answer,
    retryAfter: retry_after,
    random: means.random,
  })
  return { delivery: delivery.id, outcome, next: at === null ? null : { id: means.newId('whd_'), at } }
}

/** Stores what came of an attempt and what follows from it; resolves with the delivery, or null if it is gone. */
export async function recordAttempt(
  store: Store,
  attempt: Attempt,
  wallNow: number,
): Promise<WebhookDelivery | null> {
  const { result } = await store.transact(async (reader) => {
    const delivery = await reader.get('webhook_deliveries', attempt.delivery)
    const endpoint = delivery && (await reader.get('webhook_endpoints', delivery.webhook_endpoint))
    if (delivery?.status !== 'pending' || !endpoint) return { result: null, writes: [], events: [] }
    // An endpoint that was moved meanwhile did not say this itself.
    const isGone = attempt.outcome.http_status === GONE_STATUS && attempt.outcome.url === endpoint.url
    const next = isGone ? null : attempt.next
    const settled = settleDelivery(delivery, attempt.outcome, next?.at ?? null)
    const changes: Change[] = [settled]
    if (isGone) changes.push(...(await retirement(reader, endpoint, delivery)))
    if (next) changes.push(creation(null, nextDelivery(delivery, { ...next, endpoint, wallNow })))
    return { result: settled.after, writes: changes.map(toWrite), events: [] }
  })
  return result
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

async function retirement(
  reader: Reader,
  endpoint: WebhookEndpoint,
  last: WebhookDelivery,
): Promise<Change[]> {
  const pending = await loadPending(reader, endpoint.id)
  return [retireWebhookEndpoint(endpoint), ...pending.filter(({ id }) => id !== last.id).map(removal)]
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
