import { isDeepStrictEqual } from 'node:util'
import type { StreamClose, StreamOffer, StreamTarget } from '../../api/resources/stream-messages.ts'
import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import { isListenerEndpoint, type WebhookEndpoint } from '../../domain/events/webhook-endpoints.ts'
import type { DeliveryRequest } from '../../webhooks/delivery-request.ts'
import { NotAttemptedError } from '../../webhooks/not-attempted-error.ts'
import type { SendResult } from '../../webhooks/send.ts'
import type { StreamConnection, StreamCredential } from './stream-connection.ts'
import { createStreamOffers } from './stream-offers.ts'

/** Time for which an endpoint stays enabled after its listener lost its connection. */
const LISTENER_TIMEOUT_MS = 300_000

export interface StreamReaderOptions {
  readonly connection: StreamConnection
  readonly credential: StreamCredential
  readonly targets: readonly StreamTarget[]
}

interface StreamReader extends Omit<StreamReaderOptions, 'targets'> {
  /** The targets by endpoint, as last sent to the reader. */
  readonly targets: Map<string, StreamTarget>
}

/** The open streams of a sandbox, and the deliveries that the sandbox offers to listeners. */
export type StreamHub = ReturnType<typeof createStreamHub>

/** Creates a hub without readers. */
export function createStreamHub(nowMs: () => number, onError: (error: unknown) => void) {
  const readers = new Map<string, StreamReader>()
  const offers = createStreamOffers(nowMs)
  const absentSinceMs = new Map<string, number>()

  const listenerFor = (endpoint: string) => findListener(readers, endpoint)

  /** Removes a reader whose connection closed; its deliveries are offered again. */
  function removeReader(id: string): void {
    readers.delete(id)
    offers.withdraw('the listener disconnected', id)
  }

  return {
    /** Adds a reader under a unique id, with the targets that it forwards to. */
    addReader(id: string, { connection, credential, targets }: StreamReaderOptions): void {
      const byEndpoint = new Map(targets.map((one) => [one.webhook_endpoint, one]))
      readers.set(id, { connection, credential, targets: byEndpoint })
    },
    removeReader,
    disconnectReader(id: string): void {
      readers.get(id)?.connection.close('left')
      removeReader(id)
    },
    hasReaders: () => readers.size > 0,
    openCredentials: (): readonly StreamCredential[] => [
      ...new Map(Array.from(readers.values(), ({ credential }) => [credential.id, credential])).values(),
    ],
    /** Closes the streams of a credential that is no longer valid, and sends the reason. */
    closeStreamsOf(ended: string, reason: StreamClose['reason']): void {
      for (const { connection, credential } of readers.values())
        if (credential.id === ended) connection.close(reason)
    },
    /** Returns the endpoints that have a connected listener. */
    servedEndpoints: (): readonly string[] => [
      ...new Set([...readers.values()].flatMap(({ targets }) => [...targets.keys()])),
    ],
    hasListener: (endpoint: string) => listenerFor(endpoint) !== undefined,
    /** Sends changed targets to their readers, given the current endpoints by id; null for a deleted endpoint. */
    updateTargets(endpoints: ReadonlyMap<string, WebhookEndpoint | null>): void {
      for (const reader of readers.values()) {
        const isTaken = (endpoint: string) => listenerFor(endpoint)?.[1] !== reader
        updateReaderTargets(reader, endpoints, isTaken)
      }
    },
    /** Offers a delivery to a listener; rejects with NotAttemptedError if the listener leaves or needs over 30 s. */
    offer(request: DeliveryRequest, delivery: WebhookDelivery): Promise<SendResult> {
      const [reader, listener] = listenerFor(delivery.webhook_endpoint) ?? []
      if (reader === undefined) return Promise.reject(new NotAttemptedError('no listener is connected'))
      const result = offers.add(delivery.id, reader)
      listener?.connection.send('offer', toOffer(request, delivery))
      return result
    },
    reportResult: offers.reportResult,
    confirmStored: offers.confirmStored,
    /** Returns the endpoints that have had no listener for at least five minutes. */
    findAbandoned(endpoints: readonly WebhookEndpoint[]): readonly string[] {
      const absent = endpoints.filter((one) => isListenerEndpoint(one) && listenerFor(one.id) === undefined)
      for (const id of absentSinceMs.keys())
        if (absent.every((one) => one.id !== id)) absentSinceMs.delete(id)
      for (const { id } of absent) absentSinceMs.set(id, absentSinceMs.get(id) ?? nowMs())
      return absent
        .map(({ id }) => id)
        .filter((id) => nowMs() - (absentSinceMs.get(id) ?? 0) >= LISTENER_TIMEOUT_MS)
    },
    /** Sends new records to every reader. */
    pullAll(): void {
      for (const { connection } of readers.values()) connection.pull().catch(onError)
    },
    /** Expires leases, sends heartbeats and closes stalled connections; must be called regularly. */
    tick(): void {
      offers.expireLeases()
      for (const { connection } of readers.values()) connection.tick()
    },
    /** Withdraws all offers, so that their deliveries end without a result. */
    withdrawOffers: (reason: string) => offers.withdraw(reason),
    /**
     * Notifies every reader of a reset of the sandbox, and closes the streams. `sequence` is the newest sequence number
     * after the reset.
     */
    closeAfterReset(sequence: number): void {
      for (const { connection } of readers.values()) connection.closeAfterReset(sequence)
      readers.clear()
    },
    close(): void {
      for (const { connection } of readers.values()) connection.close('stopping')
      readers.clear()
      offers.withdraw('the server stops')
    },
  }
}

// The newest listener replaces older listeners, which may be stale connections of the same process.
function findListener(
  readers: ReadonlyMap<string, StreamReader>,
  endpoint: string,
): [id: string, reader: StreamReader] | undefined {
  return [...readers].findLast(([, { connection, targets }]) => connection.isOpen() && targets.has(endpoint))
}

function toOffer(
  request: DeliveryRequest,
  { id, event, webhook_endpoint, attempt, trigger, fault }: WebhookDelivery,
): StreamOffer {
  return { delivery: id, event, webhook_endpoint, attempt, trigger, fault, request }
}

function updateReaderTargets(
  { connection, targets }: StreamReader,
  endpoints: ReadonlyMap<string, WebhookEndpoint | null>,
  isTaken: (endpoint: string) => boolean,
): void {
  for (const [id, sent] of targets) {
    const endpoint = endpoints.get(id)
    if (endpoint === undefined) continue
    const target = currentTarget(sent, endpoint, isTaken(id))
    if (isDeepStrictEqual(target, sent)) continue
    targets.set(id, target)
    connection.send('target', target)
  }
}

function currentTarget(sent: StreamTarget, endpoint: WebhookEndpoint | null, isTaken: boolean): StreamTarget {
  // When the description of an endpoint no longer marks it as an endpoint of a listener, the server itself sends its
  // deliveries.
  if (endpoint === null || !isListenerEndpoint(endpoint)) return { ...sent, status: 'deleted' }
  const target = formatEndpointAsTarget(endpoint)
  return isTaken && target.status === 'enabled' ? { ...target, status: 'taken' } : target
}

/** Returns an endpoint in the format of stream targets. */
export function formatEndpointAsTarget({ id, url, enabled_events, status }: WebhookEndpoint): StreamTarget {
  return { webhook_endpoint: id, url, enabled_events, status: status === 'enabled' ? status : 'disabled' }
}
