import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import { matchesFault } from '../../domain/faults/fault-matching.ts'
import type { Fault } from '../../domain/faults/faults.ts'
import { loadFaults } from '../../engine/fault-rule-cache.ts'
import { loadEventDeliveries } from '../../engine/load-related.ts'
import type { Runtime } from '../../engine/runtime.ts'
import { createDeliveryFaultTarget } from '../../webhooks/attempt-faults.ts'
import type { WebhookWorker } from '../../webhooks/worker.ts'
import { listDisconnectedEndpoints } from '../streams/listener-endpoints.ts'
import type { ListenerPresence } from '../streams/listener-presence.ts'
import type { StreamHub } from '../streams/stream-hub.ts'
import { waitAtMost } from '../system/task-scheduling.ts'

/** Number of newest events that are searched for the events of a request that just ended. */
const MAX_EVENTS = 100
/**
 * Time in milliseconds until attempts in flight to the endpoint no longer delay later deliveries. Otherwise a handler
 * that sends an API request would deadlock: the response waits for a delivery that is queued behind the attempt of this
 * handler.
 */
const ORDERED_MS = 1000
const LIMIT_MS = 15_000

/** Barrier that delays responses to API requests until the first attempts that an `early` fault selects. */
export type EarlyDeliveryBarrier = ReturnType<typeof createEarlyDeliveryBarrier>

interface EarlyDeliveryBarrierOptions {
  readonly worker: () => Pick<WebhookWorker, 'faultOf' | 'detach'>
  readonly hub: StreamHub
  readonly presence: ListenerPresence
  /** Starts due deliveries. */
  readonly wake: () => void
  readonly onError: (error: unknown) => void
}

/** Creates the barrier of a sandbox; no response waits yet. */
export function createEarlyDeliveryBarrier(runtime: Runtime, options: EarlyDeliveryBarrierOptions) {
  const { store } = runtime
  /** The responses that wait for a delivery, by delivery id. */
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  let isStopped = false

  function end(delivery: string): void {
    waiting.get(delivery)?.resolve()
    waiting.delete(delivery)
  }

  async function checkOne(id: string): Promise<void> {
    const delivery = await store.get('webhook_deliveries', id)
    const claimed = options.worker().faultOf(id)
    const isOther = claimed !== undefined && claimed?.type !== 'early'
    // A pending delivery with a stored fault was deferred, so the response does not wait for it.
    if (delivery?.status !== 'pending' || delivery.fault !== null || isOther) end(id)
  }

  /** Looks for attempts that another process has made; must be called regularly. */
  const check = async () => {
    await Promise.all([...waiting.keys()].map(checkOne))
  }

  async function loadReachable(requestId: string): Promise<readonly WebhookDelivery[]> {
    const deliveries = await loadEarlyDeliveries(runtime, requestId)
    const endpoints = new Set(deliveries.map(({ webhook_endpoint }) => webhook_endpoint))
    if (endpoints.size === 0) return []
    // An endpoint without a connected listener does not receive an attempt soon.
    const disconnected = await listDisconnectedEndpoints(store, [...endpoints], options)
    return deliveries.filter(({ webhook_endpoint }) => !disconnected.includes(webhook_endpoint))
  }

  async function deliver(requestId: string): Promise<void> {
    const deliveries = await loadReachable(requestId)
    if (deliveries.length === 0 || isStopped) return
    for (const { id } of deliveries) waiting.set(id, Promise.withResolvers<void>())
    const ends = Promise.all(deliveries.map(({ id }) => waiting.get(id)?.promise)).then(() => true)
    try {
      options.wake()
      await check()
      if (await waitAtMost(ends, ORDERED_MS)) return
      const endpoints = new Set(deliveries.map(({ webhook_endpoint }) => webhook_endpoint))
      for (const endpoint of endpoints) options.worker().detach(endpoint)
      await waitAtMost(ends, LIMIT_MS)
    } finally {
      for (const { id } of deliveries) end(id)
    }
  }

  return {
    /** Resolves when the `early` attempts of the events of a request are recorded, after 16 s at most; never rejects. */
    deliver: (requestId: string) => deliver(requestId).catch(options.onError),
    /** Ends the wait for a delivery whose fault is not `early`; must be called with each chosen fault. */
    handleFaultSelected(delivery: string, fault: Fault | null): void {
      if (fault?.type !== 'early') end(delivery)
    },
    /** Ends the wait for a delivery; must be called when the delivery attempt is stored. */
    handleStored: end,
    check,
    isWaiting: () => waiting.size > 0,
    /** Ends all current and future waits. */
    stop(): void {
      isStopped = true
      for (const id of [...waiting.keys()]) end(id)
    },
  }
}

/** Loads the pending deliveries of a request's events that match an `early` fault. */
async function loadEarlyDeliveries(runtime: Runtime, requestId: string): Promise<readonly WebhookDelivery[]> {
  const { store, wallNow } = runtime
  const faults = await loadFaults(store)
  if (faults.length === 0) await runtime.faults.refresh()
  const early = faults.filter(
    ({ type, times, applied }) => type === 'early' && (times === null || applied < times),
  )
  if (early.length === 0) return []
  const { data } = await store.list('events', { limit: MAX_EVENTS })
  const events = data.filter(({ request }) => request?.id === requestId)
  const found = await Promise.all(
    events.map(async (event) => {
      const deliveries = await loadEventDeliveries(store, event.id)
      return deliveries.filter(({ status, webhook_endpoint }) => {
        const target = createDeliveryFaultTarget(event, webhook_endpoint)
        return status === 'pending' && early.some((fault) => matchesFault(fault, target, wallNow()))
      })
    }),
  )
  return found.flat()
}
