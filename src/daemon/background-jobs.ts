import { DEFAULT_RETENTION } from '../domain/retention.ts'
import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import { resumeSuspendedClocks } from '../engine/clocks.ts'
import { runDueJobs } from '../engine/real-time.ts'
import { deleteExpiredRecords } from '../engine/retention.ts'
import type { Runtime } from '../engine/runtime.ts'
import type { StoreReader } from '../store/port/store.ts'
import type { SendDelivery } from '../webhooks/delivery-attempts.ts'
import { NotAttemptedError } from '../webhooks/not-attempted-error.ts'
import { DEFAULT_SCHEDULE, parseSchedule, type RetrySchedule } from '../webhooks/schedule.ts'
import { createSender, type Sender } from '../webhooks/send.ts'
import type { TargetGuard } from '../webhooks/ssrf-guard.ts'
import { createWebhookWorker } from '../webhooks/worker.ts'
import { formatAttempt, formatDisabledEndpoint } from './delivery-log.ts'
import { createKeyWatch } from './key-watch.ts'
import { createLeases } from './leases.ts'
import {
  disableListenerEndpoints,
  isListenerEndpoint,
  loadListenerEndpoints,
} from './streams/listener-endpoints.ts'
import type { ListenerPresence } from './streams/listener-presence.ts'
import type { StreamHub } from './streams/stream-hub.ts'
import type { Clock } from './system/clock.ts'
import type { Ids } from './system/ids.ts'
import type { Log } from './system/log.ts'
import { createSerialRunner, nextTurn, startTicker, withTimeout } from './system/ticker.ts'
import { startTestClockWatch } from './test-clock-watch.ts'

const TICK_MS = 250
const SWEEP_SECONDS = 60
/** Transactions of one sweep per tick; the next tick continues the sweep. */
const SWEEP_ROUNDS = 10

/** Maximum time for running requests and delivery attempts to finish when the process stops. */
export const SHUTDOWN_TIMEOUT_MS = 5000

/** The work of a daemon apart from requests: due jobs, webhooks, streams, test clocks and retention. */
export interface BackgroundJobs {
  /** Runs one round now and resolves when no delivery attempt is in flight. */
  readonly tick: () => Promise<void>
  /** Starts due deliveries and sends new events to the streams in the next turn of the event loop. */
  readonly wake: () => void
  /** Stops all jobs and resolves when none is running. */
  readonly stop: () => Promise<void>
}

interface BackgroundJobsOptions {
  readonly log: Log
  /** Retry schedule of deliveries, such as `1s,5s,30s`; `none` disables retries. */
  readonly retries: string | 'default' | 'none'
  /** Records that are written to the store on each tick. */
  readonly buffers: readonly { readonly flush: () => Promise<void> }[]
  readonly clock: Clock
  readonly ids: Ids
  readonly guard: TargetGuard
  readonly hub: StreamHub
  readonly presence: ListenerPresence
  readonly monotonicMs: () => number
  readonly onError: (error: unknown) => void
  /** Called after each round without an error. */
  readonly onSuccess: () => void
}

/** Starts the background jobs: one round every 250 ms, and deliveries and streams also after each change. */
export function startBackgroundJobs(runtime: Runtime, options: BackgroundJobsOptions): BackgroundJobs {
  const { clock, ids, guard, hub, log, retries, buffers, presence, monotonicMs, onError, onSuccess } = options
  const sender = createSender({ nowMs: clock.nowMs, guard })
  const note = (level: 'info' | 'error', message: string) => log({ at_ms: clock.nowMs(), level, message })
  const { coordinator } = runtime.store
  const closeEndedKeys = createKeyWatch(runtime, hub)
  const flushBuffers = () => Promise.all(buffers.map((buffer) => buffer.flush()))
  const clocks = startTestClockWatch(runtime, monotonicMs, onError)
  const worker = createWebhookWorker({
    store: runtime.store,
    // Only the process of the connected listener can deliver to its endpoint.
    leases: createLeases(coordinator, { prefix: 'deliveries:', monotonicMs, isOwn: hub.hasListener }),
    wallNowMs: clock.nowMs,
    // The developer of a listener's handler sees each failure, so failures never disable its endpoint.
    isNeverDisabled: isListenerEndpoint,
    isReachable: (endpoint) => !isListenerEndpoint(endpoint) || hub.hasListener(endpoint.id),
    send: createSend(runtime.store, hub, sender, closeEndedKeys),
    schedule: toRetrySchedule(retries),
    random: ids.random,
    newId: ids.newId,
    onAttempt: (delivery) => note('info', formatAttempt(delivery)),
    onStored: hub.confirmStored,
    onDisabled: (endpoint) => note('error', formatDisabledEndpoint(endpoint)),
    onError,
  })
  let sweptAt = 0
  // Concurrent rounds could send targets to listeners that another round read earlier.
  const rounds = createSerialRunner(async () => {
    // First, so that heartbeats do not depend on the store.
    hub.tick()
    await closeEndedKeys()
    await presence.announce(hub.servedEndpoints())
    for (const { error } of await runDueJobs(runtime)) onError(error)
    // Not awaited: a long advance must not delay the other jobs.
    resumeSuspendedClocks(runtime).catch(onError)
    await clocks.check()
    // Math.abs() also covers a wall clock that was set back.
    if (Math.abs(runtime.wallNow() - sweptAt) >= SWEEP_SECONDS) {
      const abandoned = hub.findAbandoned(await loadListenerEndpoints(runtime.store))
      await disableListenerEndpoints(runtime, await presence.withoutListenerElsewhere(abandoned))
      const dropped = await deleteExpiredRecords(runtime, DEFAULT_RETENTION, SWEEP_ROUNDS)
      // The remaining records wait for the next tick, because deliveries and due jobs have priority.
      if (dropped === 0) sweptAt = runtime.wallNow()
    }
    await updateTargets(runtime.store, hub)
    hub.pullAll()
    // The request log stream reads from the store, so it can continue only after the flush.
    await Promise.all([worker.tick(), flushBuffers().then(hub.pullAll)])
    onSuccess()
  })
  let isWaking = false
  const ticker = startTicker(rounds.run, { everyMs: TICK_MS, onError })
  return {
    tick: async () => {
      await rounds.run()
      await worker.idle()
    },
    wake() {
      if (isWaking) return
      isWaking = true
      // The store commits many changes as one batch, and one query for due deliveries covers all of them.
      nextTurn().then(() => {
        isWaking = false
        closeEndedKeys().catch(onError)
        hub.pullAll()
        return worker.tick()
      })
    },
    async stop() {
      worker.stop()
      await Promise.all([rounds.end(), ticker.stop()])
      await withTimeout(worker.idle(), SHUTDOWN_TIMEOUT_MS)
      await sender.close()
      await worker.idle()
      await flushBuffers().catch(onError)
    },
  }
}

/** Creates a function that sends a delivery, or offers it to the listener of its endpoint. */
function createSend(
  store: StoreReader,
  hub: StreamHub,
  sender: Sender,
  closeEndedKeys: () => Promise<void>,
): SendDelivery {
  return async (request, delivery) => {
    const isOffered = await isForListener(delivery)
    return isOffered ? hub.offer(request, delivery) : sender.send(request)
  }

  async function isForListener({ webhook_endpoint }: WebhookDelivery): Promise<boolean> {
    try {
      const endpoint = await store.get('webhook_endpoints', webhook_endpoint)
      const isOffered = endpoint !== null && isListenerEndpoint(endpoint)
      // Disconnects a listener whose key is revoked before the offer.
      if (isOffered) await closeEndedKeys()
      return isOffered
    } catch (error) {
      // The delivery stays pending and is sent once the store is available again.
      throw new NotAttemptedError(`Cannot read the endpoint from the store: ${String(error)}`)
    }
  }
}

// API clients may disable, change or delete the endpoint of a listener.
async function updateTargets(store: StoreReader, hub: StreamHub): Promise<void> {
  const ids = hub.servedEndpoints()
  const endpoints = await Promise.all(ids.map((id) => store.get('webhook_endpoints', id)))
  hub.updateTargets(new Map(ids.map((id, index) => [id, endpoints[index] ?? null])))
}

function toRetrySchedule(retries: BackgroundJobsOptions['retries']): RetrySchedule {
  if (retries === 'default') return DEFAULT_SCHEDULE
  return retries === 'none' ? [0] : parseSchedule(retries)
}
