import { isDeepStrictEqual } from 'node:util'
import type { StreamOffer, StreamTarget } from '../api/resources/streams.ts'
import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../domain/webhook-endpoints.ts'
import { Unanswered } from '../webhooks/not-attempted-error.ts'
import type { DeliveryRequest } from '../webhooks/request.ts'
import type { SendResult } from '../webhooks/send.ts'
import { isListener } from './listeners.ts'
import type { StreamConnection } from './stream-connection.ts'
import { createStreamOffers, type StreamOffers } from './stream-offers.ts'

/** How long an endpoint waits for a listener that went without a word. */
const ABSENCE_MS = 300_000

/** Who reads, as it came. */
interface NewReader {
  readonly connection: StreamConnection
  /** The id of the API key that opened the stream. */
  readonly key: string
  readonly targets: readonly StreamTarget[]
}

interface StreamReader extends Omit<NewReader, 'targets'> {
  /** What it sends for as it was told at last, by endpoint. */
  readonly targets: Map<string, StreamTarget>
}

/** Who reads the stream, and what is offered to listeners to send. */
export interface StreamHub {
  /** Adds a reader by an id of its own, with the targets it sends for. */
  readonly join: (id: string, reader: NewReader) => void
  /** Takes a reader away whose connection ended; its listener may still send what it took, and has its lease for that. */
  readonly lose: (id: string) => void
  /** Takes a reader away that said so: what is on offer to it is offered anew. */
  readonly leave: (id: string) => void
  /** The keys that opened the streams which are open. */
  readonly keys: () => readonly string[]
  /** Ends the streams of a key that opens nothing any more; what is on offer to them waits for its lease. */
  readonly endKey: (key: string) => void
  /** Whether a listener that sends for an endpoint is connected. */
  readonly isServed: (endpoint: string) => boolean
  /** The endpoints that connected listeners send for. */
  readonly served: () => readonly string[]
  /** Tells readers what became of their targets, given what their endpoints are now; null for one that is gone. */
  readonly tellTargets: (now: ReadonlyMap<string, WebhookEndpoint | null>) => void
  /** Has a connected listener send a delivery; rejects with Unanswered when no result comes within its lease of 30 s. */
  readonly offer: (request: DeliveryRequest, delivery: WebhookDelivery) => Promise<SendResult>
  /**
   * Takes the result of an offered delivery and resolves with true once that is kept; with false when it is not on offer, or
   * not any more. It then counts if the same is offered within 30 s: a listener may have outlived the process that made the
   * offer.
   */
  readonly settle: StreamOffers['settle']
  /** Hears that what came of a delivery is kept. */
  readonly kept: (delivery: string) => void
  /** The endpoints among these that have been without a listener for five minutes. */
  readonly abandoned: (endpoints: readonly WebhookEndpoint[]) => readonly string[]
  /** Tells every reader that there is more. */
  readonly kick: () => void
  /** Ends leases that are over, and keeps connections alive. */
  readonly tick: () => void
  readonly close: () => void
}

/** The one meeting place of readers and deliveries. */
export function createStreamHub({
  nowMs,
  onError,
}: {
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}): StreamHub {
  const readers = new Map<string, StreamReader>()
  const offers = createStreamOffers(nowMs)
  const absentSinceMs = new Map<string, number>()

  // The newest listener for an endpoint sends for it: an older one may be what it takes the place of.
  function listenerFor(endpoint: string): [id: string, reader: StreamReader] | undefined {
    return [...readers].findLast(
      ([, { connection, targets }]) => connection.isOpen() && targets.has(endpoint),
    )
  }

  return {
    join(id, { connection, key, targets }) {
      const byEndpoint = new Map(targets.map((one) => [one.webhook_endpoint, one]))
      readers.set(id, { connection, key, targets: byEndpoint })
    },
    lose(id) {
      readers.delete(id)
    },
    leave(id) {
      readers.get(id)?.connection.close('left')
      readers.delete(id)
      offers.end('the listener left', id)
    },
    keys: () => [...new Set([...readers.values()].map(({ key }) => key))],
    endKey(ended) {
      for (const { connection, key } of readers.values()) if (key === ended) connection.close('key_ended')
    },
    served: () => [...new Set([...readers.values()].flatMap(({ targets }) => [...targets.keys()]))],
    isServed: (endpoint) => listenerFor(endpoint) !== undefined,
    tellTargets(now) {
      for (const reader of readers.values()) {
        const isTaken = (endpoint: string) => listenerFor(endpoint)?.[1] !== reader
        tellReader(reader, { now, isTaken })
      }
    },
    offer(request, delivery) {
      const early = offers.early(delivery.id)
      if (early !== undefined) return Promise.resolve(early)
      const [reader, listener] = listenerFor(delivery.webhook_endpoint) ?? []
      if (reader === undefined) return Promise.reject(new Unanswered('no listener is connected'))
      const result = offers.add(delivery.id, reader)
      listener?.connection.send('offer', offerOf(request, delivery))
      return result
    },
    settle: offers.settle,
    kept: offers.kept,
    abandoned(endpoints) {
      const absent = endpoints.filter((one) => isListener(one) && listenerFor(one.id) === undefined)
      for (const id of absentSinceMs.keys())
        if (absent.every((one) => one.id !== id)) absentSinceMs.delete(id)
      for (const { id } of absent) absentSinceMs.set(id, absentSinceMs.get(id) ?? nowMs())
      return absent.map(({ id }) => id).filter((id) => nowMs() - (absentSinceMs.get(id) ?? 0) >= ABSENCE_MS)
    },
    kick() {
      for (const { connection } of readers.values()) connection.pull().catch(onError)
    },
    tick() {
      offers.tick()
      for (const { connection } of readers.values()) connection.tick()
    },
    close() {
      for (const { connection } of readers.values()) connection.close('stopping')
      readers.clear()
      offers.end('the service stops')
    },
  }
}

function offerOf(
  request: DeliveryRequest,
  { id, event, webhook_endpoint, attempt, trigger }: WebhookDelivery,
): StreamOffer {
  return { delivery: id, event, webhook_endpoint, attempt, trigger, request }
}

interface Standing {
  readonly now: ReadonlyMap<string, WebhookEndpoint | null>
  readonly isTaken: (endpoint: string) => boolean
}

function tellReader({ connection, targets }: StreamReader, { now, isTaken }: Standing): void {
  for (const [id, known] of targets) {
    const endpoint = now.get(id)
    if (endpoint === undefined) continue
    const target = standing(known, endpoint, isTaken(id))
    if (isDeepStrictEqual(target, known)) continue
    targets.set(id, target)
    connection.send('target', target)
  }
}

function standing(known: StreamTarget, endpoint: WebhookEndpoint | null, isTaken: boolean): StreamTarget {
  // One that was made an ordinary endpoint is sent to by the service itself.
  if (endpoint === null || !isListener(endpoint)) return { ...known, status: 'deleted' }
  const target = targetOf(endpoint)
  return isTaken && target.status === 'enabled' ? { ...target, status: 'taken' } : target
}

/** An endpoint as the listener that sends for it is told of it. */
export function targetOf({ id, url, enabled_events, status }: WebhookEndpoint): StreamTarget {
  return { webhook_endpoint: id, url, enabled_events, status }
}
