import type { StreamOffer } from '../../api/resources/streams.ts'
import type { Client } from '../../client/client.ts'
import { isPassing } from '../../client/follow.ts'
import type { DeliveryRecord } from '../../client/listen-records.ts'
import type { Event } from '../../domain/events.ts'
import { type Outcome, RESULTS, RESULTS_REMEMBERED } from './delivery-process.ts'
import type { DeliveryProcess } from './delivery-process-client.ts'

export interface ForwarderOptions {
  readonly client: Client
  readonly carrier: Pick<DeliveryProcess, 'send' | 'reported'>
  /** Headers to send besides. */
  readonly headers: Readonly<Record<string, string>>
  readonly isWanted: (event: Event) => boolean
  /** Called before an event is sent. */
  readonly onEvent: (event: Event) => void
  readonly onDelivery: (record: DeliveryRecord) => void
}

export interface Forwarder {
  /** Sends an offered delivery and reports what came of it; one that was offered before is not sent again. */
  readonly take: (offer: StreamOffer) => Promise<void>
  /** Whether nothing is on its way. */
  readonly isIdle: () => boolean
  /** Resolves when nothing is on its way. */
  readonly idle: () => Promise<void>
}

/** Has what the service offers sent, and reports what came of it. */
export function createForwarder(options: ForwarderOptions): Forwarder {
  const { client, carrier, headers, isWanted, onEvent, onDelivery } = options
  const results = new Map<string, object>()
  const underway = new Map<string, Promise<void>>()

  async function report(delivery: string, result: object): Promise<void> {
    results.set(delivery, result)
    const [eldest] = results.keys()
    if (results.size > RESULTS_REMEMBERED && eldest !== undefined) results.delete(eldest)
    try {
      const answer = await client.send(RESULTS, { delivery, ...result })
      // What was not on offer is only remembered for a while.
      if (Object(answer).taken === true) carrier.reported(delivery)
    } catch (error) {
      // The service is away: it will offer the delivery again, and is then told what came of it.
      if (!isPassing(error)) throw error
    }
  }

  async function make(offer: StreamOffer): Promise<void> {
    const known = results.get(offer.delivery)
    if (known !== undefined) return report(offer.delivery, known)
    const event = JSON.parse(offer.request.body) as Event
    if (!isWanted(event)) return report(offer.delivery, { skipped: true })
    onEvent(event)
    const { url, body } = offer.request
    const request = { url, body, headers: { ...offer.request.headers, ...headers } }
    const outcome = await carrier.send(offer.delivery, request)
    onDelivery(recordOf(offer, event, outcome))
    await report(offer.delivery, outcome)
  }

  return {
    take(offer) {
      const known = underway.get(offer.delivery)
      if (known !== undefined) return known
      const work = make(offer).finally(() => underway.delete(offer.delivery))
      underway.set(offer.delivery, work)
      return work
    },
    isIdle: () => underway.size === 0,
    async idle() {
      await Promise.allSettled(underway.values())
    },
  }
}

function recordOf(offer: StreamOffer, event: Event, outcome: Outcome): DeliveryRecord {
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
