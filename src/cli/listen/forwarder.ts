import { streamRoutes } from '../../api/operations/streams.ts'
import type { StreamOffer } from '../../api/resources/stream-messages.ts'
import type { Client } from '../../client/client.ts'
import { isTransientError } from '../../client/follow-stream.ts'
import type { DeliveryRecord } from '../../client/listen-records.ts'
import { evictOldest } from '../../domain/core/evict-oldest.ts'
import type { Event } from '../../domain/events/events.ts'
import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'

const MAX_KEPT_OUTCOMES = 1000

/** The outcome of a POST request to a target. */
export type DeliveryOutcome = Pick<
  WebhookDelivery,
  'http_status' | 'error' | 'error_message' | 'response_body' | 'response_body_truncated'
> & { readonly duration_ms: number; readonly retry_after: string | null }

/** Sends a POST request to a target; rejects only for an invalid request. */
export type SendToTarget = (request: StreamOffer['request']) => Promise<DeliveryOutcome>

export interface ForwarderOptions {
  readonly client: Client
  readonly send: SendToTarget
  /** Additional headers of every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly isWanted: (event: Event) => boolean
  /** Called before an event is sent. */
  readonly onEvent: (event: Event) => void
  readonly onDelivery: (record: DeliveryRecord) => void
}

/** Creates a forwarder, which sends the deliveries that the server offers and reports their outcomes. */
export function createForwarder(options: ForwarderOptions) {
  const { client, send, headers, isWanted, onEvent, onDelivery } = options
  const outcomes = new Map<string, Promise<DeliveryOutcome>>()
  const running = new Set<Promise<void>>()

  async function deliver(offer: StreamOffer, event: Event): Promise<DeliveryOutcome> {
    onEvent(event)
    const { url, body } = offer.request
    const request = { url, body, headers: { ...offer.request.headers, ...headers } }
    const outcome = await send(request).catch(outcomeOfError)
    onDelivery(toDeliveryRecord(offer, event, outcome))
    return outcome
  }

  async function resultOf(offer: StreamOffer): Promise<DeliveryOutcome | { readonly skipped: true }> {
    const event = JSON.parse(offer.request.body) as Event
    if (!isWanted(event)) return { skipped: true }
    const outcome = outcomes.get(offer.delivery) ?? deliver(offer, event)
    outcomes.set(offer.delivery, outcome)
    evictOldest(outcomes, MAX_KEPT_OUTCOMES)
    return outcome
  }

  async function deliverAndReport(offer: StreamOffer): Promise<void> {
    const result = await resultOf(offer)
    try {
      await client.send(streamRoutes.report, { delivery: offer.delivery, ...result })
    } catch (error) {
      // An unavailable server offers the delivery again later and then gets this result.
      if (!isTransientError(error)) throw error
    }
  }

  return {
    /**
     * Sends an offered delivery and reports its outcome. If the server offers a delivery again, the function only
     * reports the first outcome again.
     */
    accept(offer: StreamOffer): Promise<void> {
      const work = deliverAndReport(offer).finally(() => running.delete(work))
      running.add(work)
      return work
    },
    /** Resolves when no delivery is running. */
    async waitUntilIdle(): Promise<void> {
      await Promise.allSettled(running)
    },
  }
}

function outcomeOfError(error: Error): DeliveryOutcome {
  return {
    ...{ http_status: null, error: 'connection', error_message: error.message, duration_ms: 0 },
    ...{ response_body: null, response_body_truncated: false, retry_after: null },
  }
}

// The additional headers may be secrets, so the record has only the headers of the offer.
function toDeliveryRecord(offer: StreamOffer, event: Event, outcome: DeliveryOutcome): DeliveryRecord {
  const { delivery: id, webhook_endpoint, attempt, trigger, fault, request } = offer
  const { retry_after: _unused, http_status, error, error_message, duration_ms, ...response } = outcome
  return {
    ...{ type: 'delivery', id, event: event.id, event_type: event.type, webhook_endpoint, url: request.url },
    ...{ attempt, trigger, fault, http_status, error, error_message, duration_ms },
    request_headers: request.headers,
    ...response,
  }
}
