import { isDeepStrictEqual } from 'node:util'
import type { StreamClose, StreamOffer, StreamTarget } from '../../api/resources/stream-messages.ts'
import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import { isListenerEndpoint, type WebhookEndpoint } from '../../domain/events/webhook-endpoints.ts'
import type { DeliveryRequest } from '../../webhooks/delivery-request.ts'
import { NotAttemptedError } from '../../webhooks/not-attempted-error.ts'
import type { SendResult } from '../../webhooks/send.ts'
import type { StreamConnection, StreamCredential } from './stream-connection.ts'
import { createStreamOffers, type StreamOffers } from './stream-offers.ts'

/** Time for which an endpoint stays enabled after its listener disconnected without leaving. */
const LISTENER_TIMEOUT_MS = 300_000

interface StreamReaderOptions {
  readonly connection: StreamConnection
  readonly credential: StreamCredential
  readonly targets: readonly StreamTarget[]
}

interface StreamReader extends Omit<StreamReaderOptions, 'targets'> {
  /** The targets by endpoint, as last sent to the reader. */
  readonly targets: Map<string, StreamTarget>
}

/** The open streams of a sandbox and the deliveries that it offers to listeners. */
export interface StreamHub {
  /** Adds a reader under a unique id, with the targets that it forwards to. */
  readonly addReader: (id: string, reader: StreamReaderOptions) => void
  /** Removes a reader whose connection closed; its deliveries are offered again. */
  readonly removeReader: (id: string) => void
  /** Closes the connection of a reader and removes it. */
  readonly disconnectReader: (id: string) => void
  readonly hasReaders: () => boolean
  /** Returns the credentials that have open streams. */
  readonly openCredentials: () => readonly StreamCredential[]
  /** Closes the streams of a credential that is no longer valid, with the reason. */
  readonly closeStreamsOf: (credential: string, reason: StreamClose['reason']) => void
  /** Returns whether a listener for an endpoint is connected. */
  readonly hasListener: (endpoint: string) => boolean
  /** Returns the endpoints that have a connected listener. */
  readonly servedEndpoints: () => readonly string[]
  /** Sends changed targets to their readers, given the current endpoints by id; null for a deleted endpoint. */
  readonly updateTargets: (endpoints: ReadonlyMap<string, WebhookEndpoint | null>) => void
  /** Offers a delivery to a listener; rejects with NotAttemptedError when it disconnects or reports no result within 30 s. */
  readonly offer: (request: DeliveryRequest, delivery: WebhookDelivery) => Promise<SendResult>
  readonly reportResult: StreamOffers['reportResult']
  readonly confirmStored: StreamOffers['confirmStored']
  /** Returns the endpoints without a listener for at least five minutes. */
  readonly findAbandoned: (endpoints: readonly WebhookEndpoint[]) => readonly string[]
  /** Sends new records to every reader. */
  readonly pullAll: () => void
  /** Expires leases, sends heartbeats and closes stalled connections; call it regularly. */
  readonly tick: () => void
  /** Withdraws all offers, so that their deliveries end without a result. */
  readonly withdrawOffers: (reason: string) => void
  /** Notifies every reader that the sandbox was reset to contents with this newest sequence number, and closes the streams. */
  readonly closeAfterReset: (sequence: number) => void
  readonly close: () => void
}

/** Creates a hub without readers. */
export function createStreamHub(nowMs: () => number, onError: (error: unknown) => void): StreamHub {
  const readers = new Map<string, StreamReader>()
  const offers = createStreamOffers(nowMs)
  const absentSinceMs = new Map<string, number>()

  // The newest listener replaces older ones, which may be stale connections of the same process.
  function listenerFor(endpoint: string): [id: string, reader: StreamReader] | undefined {
    return [...readers].findLast(
      ([, { connection, targets }]) => connection.isOpen() && targets.has(endpoint),
    )
  }

  function removeReader(id: string): void {
    readers.delete(id)
    offers.withdraw('the listener disconnected', id)
  }

  return {
    addReader(id, { connection, credential, targets }) {
      const byEndpoint = new Map(targets.map((one) => [one.webhook_endpoint, one]))
      readers.set(id, { connection, credential, targets: byEndpoint })
    },
    removeReader,
    disconnectReader(id) {
      readers.get(id)?.connection.close('left')
      removeReader(id)
    },
    hasReaders: () => readers.size > 0,
    openCredentials: () => [
      ...new Map(Array.from(readers.values(), ({ credential }) => [credential.id, credential])).values(),
    ],
    closeStreamsOf(ended, reason) {
      for (const { connection, credential } of readers.values())
        if (credential.id === ended) connection.close(reason)
    },
    servedEndpoints: () => [...new Set([...readers.values()].flatMap(({ targets }) => [...targets.keys()]))],
    hasListener: (endpoint) => listenerFor(endpoint) !== undefined,
    updateTargets(endpoints) {
      for (const reader of readers.values()) {
        const isTaken = (endpoint: string) => listenerFor(endpoint)?.[1] !== reader
        updateReaderTargets(reader, endpoints, isTaken)
      }
    },
    offer(request, delivery) {
      const [reader, listener] = listenerFor(delivery.webhook_endpoint) ?? []
      if (reader === undefined) return Promise.reject(new NotAttemptedError('no listener is connected'))
      const result = offers.add(delivery.id, reader)
      listener?.connection.send('offer', toOffer(request, delivery))
      return result
    },
    reportResult: offers.reportResult,
    confirmStored: offers.confirmStored,
    findAbandoned(endpoints) {
      const absent = endpoints.filter((one) => isListenerEndpoint(one) && listenerFor(one.id) === undefined)
      for (const id of absentSinceMs.keys())
        if (absent.every((one) => one.id !== id)) absentSinceMs.delete(id)
      for (const { id } of absent) absentSinceMs.set(id, absentSinceMs.get(id) ?? nowMs())
      return absent
        .map(({ id }) => id)
        .filter((id) => nowMs() - (absentSinceMs.get(id) ?? 0) >= LISTENER_TIMEOUT_MS)
    },
    pullAll() {
      for (const { connection } of readers.values()) connection.pull().catch(onError)
    },
    tick() {
      offers.expireLeases()
      for (const { connection } of readers.values()) connection.tick()
    },
    withdrawOffers: (reason) => offers.withdraw(reason),
    closeAfterReset(sequence) {
      for (const { connection } of readers.values()) connection.closeAfterReset(sequence)
      readers.clear()
    },
    close() {
      for (const { connection } of readers.values()) connection.close('stopping')
      readers.clear()
      offers.withdraw('the server stops')
    },
  }
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
  // The server itself delivers to an endpoint whose description no longer marks it as a listener's.
  if (endpoint === null || !isListenerEndpoint(endpoint)) return { ...sent, status: 'deleted' }
  const target = toStreamTarget(endpoint)
  return isTaken && target.status === 'enabled' ? { ...target, status: 'taken' } : target
}

/** Returns an endpoint in the form that streams send to listeners. */
export function toStreamTarget({ id, url, enabled_events, status }: WebhookEndpoint): StreamTarget {
  return { webhook_endpoint: id, url, enabled_events, status }
}
