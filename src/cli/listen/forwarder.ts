import type { StreamOffer } from '../../api/resources/streams.ts'
import type { Client } from '../../client/client.ts'
import { isTransient } from '../../client/follow-stream.ts'
import type { DeliveryRecord } from '../../client/listen-records.ts'
import type { Event } from '../../domain/events.ts'
import { type DeliveryOutcome, MAX_KEPT_RESULTS, REPORT_RESULT } from './delivery-process.ts'
import type { DeliveryProcess } from './delivery-process-client.ts'
import { evictOldest } from './evict-oldest.ts'

export interface ForwarderOptions {
  readonly client: Client
  readonly deliveryProcess: Pick<DeliveryProcess, 'send' | 'markReported'>
  /** Additional headers of every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly isWanted: (event: Event) => boolean
  /** Called before an event is sent. */
  readonly onEvent: (event: Event) => void
  readonly onDelivery: (record: DeliveryRecord) => void
}

export interface Forwarder {
  /** Sends an offered delivery and reports its result. Reports the known result of a delivery that is offered again. */
  readonly accept: (offer: StreamOffer) => Promise<void>
  readonly isIdle: () => boolean
  /** Resolves when no delivery is running. */
  readonly waitUntilIdle: () => Promise<void>
}

/** Creates a forwarder: it sends the deliveries that the service offers, through the delivery process. */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const { client, deliveryProcess, headers, isWanted, onEvent, onDelivery } = options
  const results = new Map<string, object>()
  const running = new Map<string, Promise<void>>()

  async function report(delivery: string, result: object): Promise<void> {
    results.set(delivery, result)
    evictOldest(results, MAX_KEPT_RESULTS)
    try {
      const response = await client.send(REPORT_RESULT, { delivery, ...result })
      // Without an open offer the service may forget the result, so the delivery process reports it again at the end.
      if (Object(response).taken === true) deliveryProcess.markReported(delivery)
    } catch (error) {
      // An unavailable service offers the delivery again later and then gets this result.
      if (!isTransient(error)) throw error
    }
  }

  async function deliver(offer: StreamOffer): Promise<void> {
    const known = results.get(offer.delivery)
    if (known !== undefined) return report(offer.delivery, known)
    const event = JSON.parse(offer.request.body) as Event
    if (!isWanted(event)) return report(offer.delivery, { skipped: true })
    onEvent(event)
    const { url, body } = offer.request
    const request = { url, body, headers: { ...offer.request.headers, ...headers } }
    const outcome = await deliveryProcess.send(offer.delivery, request)
    onDelivery(toDeliveryRecord(offer, event, outcome))
    await report(offer.delivery, outcome)
  }

  return {
    accept(offer) {
      const known = running.get(offer.delivery)
      if (known !== undefined) return known
      const work = deliver(offer).finally(() => running.delete(offer.delivery))
      running.set(offer.delivery, work)
      return work
    },
    isIdle: () => running.size === 0,
    async waitUntilIdle() {
      await Promise.allSettled(running.values())
    },
  }
}

// The additional headers may be secrets, so the record has only those of the offer.
function toDeliveryRecord(offer: StreamOffer, event: Event, outcome: DeliveryOutcome): DeliveryRecord {
  const { delivery, webhook_endpoint, attempt, trigger, request } = offer
  return {
    type: 'delivery',
    id: delivery,
    event: event.id,
    event_type: event.type,
    webhook_endpoint,
    url: request.url,
    attempt,
    trigger,
    http_status: outcome.http_status,
    error: outcome.error,
    error_message: outcome.error_message,
    duration_ms: outcome.duration_ms,
    request_headers: request.headers,
    response_body: outcome.response_body,
    response_body_truncated: outcome.response_body_truncated,
  }
}
