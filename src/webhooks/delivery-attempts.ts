import type { IdPrefix } from '../domain/core/changes.ts'
import type { Event } from '../domain/events/events.ts'
import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../domain/events/webhook-endpoints.ts'
import { getActiveSecrets, type WebhookSecret } from '../domain/events/webhook-secrets.ts'
import type { Fault } from '../domain/faults/faults.ts'
import type { FinishedAttempt } from '../engine/delivery-results.ts'
import type { StoreReader } from '../store/port/store.ts'
import { getSignatureTime, getSigningSecrets, sendWithFault } from './delivery-faults.ts'
import { createDeliveryRequest, type DeliveryRequest } from './delivery-request.ts'
import { computeNextAttemptMs, type RetrySchedule } from './schedule.ts'
import type { SendResult } from './send.ts'

/** Sends the request of a delivery to its endpoint. */
export type SendDelivery = (
  request: DeliveryRequest,
  delivery: WebhookDelivery,
  endpoint: WebhookEndpoint,
) => Promise<SendResult>

export interface MakeAttemptOptions {
  /** The wall clock in Unix milliseconds. */
  readonly wallNowMs: () => number
  /** The clock of signatures in Unix milliseconds (default: the wall clock). */
  readonly signatureMs?: (() => number) | undefined
  readonly send: SendDelivery
  readonly schedule: RetrySchedule
  /** Returns a random number from 0 to less than 1. */
  readonly random: () => number
  readonly newId: (prefix: IdPrefix) => string
  /** Called with each delivery whose result is durable or no longer needed. */
  readonly onStored: (delivery: string) => void
}

/** A due delivery with its related records; null for a deleted record. */
export interface DueDelivery {
  readonly delivery: WebhookDelivery | null
  readonly endpoint: WebhookEndpoint | null
  readonly secret: WebhookSecret | null
  readonly event: Event | null
  /** The name or the id of the sandbox; null for the default sandbox. */
  readonly sandbox: string | null
}

/** Resolves with the name or the id of a sandbox, or with null. */
export type LoadSandboxName = () => Promise<string | null>

/** Loads a due delivery with its related records. The store returns only durable records, which no crash can undo. */
export async function loadDueDelivery(
  reader: StoreReader,
  due: WebhookDelivery,
  loadSandboxName?: LoadSandboxName,
): Promise<DueDelivery> {
  const [delivery, endpoint, secret, event, sandbox = null] = await Promise.all([
    reader.get('webhook_deliveries', due.id),
    reader.get('webhook_endpoints', due.webhook_endpoint),
    reader.get('webhook_secrets', due.webhook_endpoint),
    reader.get('events', due.event),
    loadSandboxName?.(),
  ])
  return { delivery, endpoint, secret, event, sandbox }
}

/**
 * Sends a delivery to the current URL of its endpoint, applies its fault, and computes the next attempt after a
 * failure.
 */
export async function makeDeliveryAttempt(
  due: DueDelivery,
  fault: Fault | null,
  options: MakeAttemptOptions,
): Promise<FinishedAttempt> {
  const { delivery, endpoint, secret, event, sandbox } = due
  const { signatureMs } = options
  if (!delivery || !endpoint || !secret || !event) {
    throw new Error(`delivery '${delivery?.id}' has no event or no secret of its endpoint`)
  }
  const createRequest = () => {
    const now = Math.floor(options.wallNowMs() / 1000)
    const secrets = getSigningSecrets(fault, getActiveSecrets(secret, now))
    const signedAt = signatureMs === undefined ? now : Math.floor(signatureMs() / 1000)
    return createDeliveryRequest(endpoint.url, event, {
      ...{ secrets, sandbox, timestamp: getSignatureTime(fault, signedAt) },
    })
  }
  const request = createRequest()
  const sent = fault === null ? delivery : { ...delivery, fault: fault.id }
  const { retry_after, ...response } = await sendWithFault(request, fault, {
    delivery: sent,
    createRequest,
    send: (one, copy) => options.send(one, copy, endpoint),
    onCopy: options.onStored,
  })
  const outcome = { url: request.url, request_headers: request.headers, ...response }
  const applied = fault === null ? {} : { fault: fault.id }
  const attempt = { delivery: delivery.id, endpoint: endpoint.id, outcome, ...applied }
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
