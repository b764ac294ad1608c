import { isListenerEndpoint } from '../../domain/events/webhook-endpoints.ts'
import { listClocksOfProcess, resumeSuspendedClocks } from '../../engine/clocks.ts'
import { runDueJobs } from '../../engine/real-time-jobs.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { StoreReader } from '../../store/port/store.ts'
import type { SendDelivery } from '../../webhooks/delivery-attempts.ts'
import { NotAttemptedError } from '../../webhooks/not-attempted-error.ts'
import { DEFAULT_SCHEDULE, parseSchedule, type RetrySchedule } from '../../webhooks/schedule.ts'
import type { Sender, SenderOptions } from '../../webhooks/send.ts'
import type { TargetGuard } from '../../webhooks/ssrf-guard.ts'
import { createWebhookWorker, type WebhookWorker } from '../../webhooks/worker.ts'
import { findDisconnectedEndpoints } from '../streams/listener-endpoints.ts'
import type { ListenerPresence } from '../streams/listener-presence.ts'
import type { StreamHub } from '../streams/stream-hub.ts'
import type { Clock } from '../system/clock.ts'
import type { Ids } from '../system/ids.ts'
import type { Log } from '../system/log.ts'
import { createSerialRunner, nextTurn, withTimeout } from '../system/task-scheduling.ts'
import { createCleanup } from './cleanup.ts'
import { formatAttempt, formatDisabledEndpoint } from './delivery-log.ts'
import { createEarlyDeliveries, type EarlyDeliveries } from './early-deliveries.ts'
import { createFaultRefresh } from './fault-refresh.ts'
import { createKeyWatch } from './key-watch.ts'
import { createLeases } from './leases.ts'
import { ALWAYS_DUE, createRoundSchedule } from './round-schedule.ts'
import { createSandboxNameLoader } from './sandbox-name.ts'
import { startTestClockWatch, type TestClockWatch } from './test-clock-watch.ts'

/** Maximum time for running requests and delivery attempts to finish when the process stops. */
export const SHUTDOWN_TIMEOUT_MS = 5000

/** The work of a sandbox apart from requests: due jobs, webhooks, streams, test clocks and retention. */
export interface BackgroundJobs {
  /** Resumes interrupted advances of test clocks. Call it once, before the first round. */
  readonly start: () => void
  /** Starts a round unless one is running. */
  readonly startRound: () => void
  /** Returns whether a round has work: after a change, for an open stream or a running delivery, or because a job is due. */
  readonly isRoundDue: () => boolean
  /** Lets the next round run also without a due job, for example because a request was logged. */
  readonly requireRound: () => void
  /** Returns when the next job is due, in Unix seconds; Infinity without one, null while jobs are running or due. */
  readonly sleepsUntil: () => number | null
  /** Returns whether no job is running and no stream is open; a round may be due. */
  readonly isIdle: () => boolean
  /** Runs one round now and resolves when no delivery attempt is in flight. */
  readonly tick: () => Promise<void>
  /**
   * Resolves when the deliveries of a request to which an `early` fault applies were attempted once, after 16 s at most; never
   * rejects.
   */
  readonly deliverEarly: (requestId: string) => Promise<void>
  /** Ends all waits of `deliverEarly`, now and later, so that every request can finish. */
  readonly endEarlyWaits: () => void
  /** Starts due deliveries and sends new events to the streams in the next turn of the event loop. */
  readonly wake: () => void
  readonly isStopped: () => boolean
  /** Stops all jobs and resolves when none is running; delivery attempts are aborted after `limitMs` (default: 5 s). */
  readonly stop: (limitMs?: number) => Promise<void>
}

interface BackgroundJobsOptions {
  readonly log: Log
  /** Retry schedule of deliveries, such as `1s,5s,30s`; `none` disables retries. */
  readonly retries: string | 'default' | 'none'
  /** Records that are written to the store in each round. */
  readonly buffers: readonly { readonly flush: () => Promise<void> }[]
  readonly clock: Clock
  readonly ids: Ids
  readonly guard: TargetGuard
  readonly hub: StreamHub
  readonly presence: ListenerPresence
  readonly monotonicMs: () => number
  /**
   * Whether this is the default sandbox: all processes have it open and share its deliveries, and each round is due.
   */
  readonly isDefault: boolean
  readonly onError: (error: unknown) => void
  /** Called after each round without an error. */
  readonly onSuccess: () => void
}

/**
 * Creates the background jobs of a sandbox. The caller starts their rounds, and calls `wake` after each change.
 */
export function createBackgroundJobs(runtime: Runtime, options: BackgroundJobsOptions): BackgroundJobs {
  const { clock, guard, hub, buffers, presence, monotonicMs, onError, onSuccess } = options
  const { store } = runtime
  const sender = createLazySender({ nowMs: clock.nowMs, guard })
  const closeEndedKeys = createKeyWatch(hub)
  const flushBuffers = () => Promise.all(buffers.map((buffer) => buffer.flush()))
  const send = createSend(hub, sender, closeEndedKeys)
  const early = createEarly(runtime, options, { worker: () => worker, wake: () => wake() })
  const worker = createWorker(runtime, { ...options, send, early, onDeadline: () => schedule.require() })
  const isActive = () => hub.hasReaders() || !worker.isIdle() || early.isWaiting()
  const schedule = options.isDefault ? ALWAYS_DUE : createRoundSchedule(store, clock, isActive)
  const sweep = createCleanup(runtime, options)
  const faultRefresh = createFaultRefresh(runtime)
  let clocks: TestClockWatch | null = null
  // A concurrent round could send outdated targets to listeners after another round has sent newer ones.
  const rounds = createSerialRunner(async () => {
    schedule.begin()
    // First, so that heartbeats do not depend on the store.
    hub.tick()
    if (await faultRefresh.run()) await early.check()
    await closeEndedKeys()
    await presence.announce(hub.servedEndpoints())
    for (const { error } of await runDueJobs(runtime)) onError(error)
    // Not awaited: a long advance must not delay the other jobs.
    resumeSuspendedClocks(runtime).catch(onError)
    await clocks?.check()
    if (!(await sweep())) schedule.require()
    await updateTargets(store, hub)
    hub.pullAll()
    // The request log stream reads from the store, so it can continue only after the flush.
    await Promise.all([worker.tick(), flushBuffers().then(hub.pullAll)])
    await schedule.end()
    onSuccess()
  })
  const isRunning = () => rounds.isRunning() || listClocksOfProcess(store).length > 0
  let isStopped = false
  const startSoon = createNextTurnRunner(async () => {
    if (isStopped) return
    closeEndedKeys().catch(onError)
    hub.pullAll()
    await worker.tick()
  })
  const wake = () => {
    schedule.require()
    faultRefresh.require()
    startSoon()
  }

  return {
    start() {
      clocks = startTestClockWatch(runtime, monotonicMs, onError, !options.isDefault)
    },
    startRound() {
      if (!rounds.isRunning()) rounds.run().catch(onError)
    },
    ...{ isRoundDue: schedule.isDue, requireRound: schedule.require },
    sleepsUntil: () => (isRunning() ? null : schedule.sleepsUntil()),
    isIdle: () => !isRunning() && !isActive(),
    tick: () => rounds.run().then(worker.idle),
    deliverEarly: early.deliver,
    endEarlyWaits: early.stop,
    wake,
    isStopped: () => isStopped,
    async stop(limitMs = SHUTDOWN_TIMEOUT_MS) {
      isStopped = true
      worker.stop()
      await rounds.end()
      await withTimeout(worker.idle(), limitMs)
      await sender.close()
      await worker.idle()
      await flushBuffers().catch(onError)
    },
  }
}

function createEarly(
  runtime: Runtime,
  { hub, presence, onError }: BackgroundJobsOptions,
  callbacks: { readonly worker: () => WebhookWorker; readonly wake: () => void },
): EarlyDeliveries {
  return createEarlyDeliveries(runtime, {
    ...callbacks,
    findDisconnected: (endpoints) => findDisconnectedEndpoints(runtime.store, endpoints, { hub, presence }),
    onError,
  })
}

// The store commits many changes as one batch, and one query for due deliveries covers all of them.
function createNextTurnRunner(work: () => Promise<void>): () => void {
  let isStarting = false
  return () => {
    if (isStarting) return
    isStarting = true
    nextTurn().then(() => {
      isStarting = false
      return work()
    })
  }
}

interface WorkerOptions extends BackgroundJobsOptions {
  readonly send: SendDelivery
  readonly early: EarlyDeliveries
  /** Called after each attempt and each deferral: a retry and a deferred delivery have new deadlines. */
  readonly onDeadline: () => void
}

function createWorker(runtime: Runtime, options: WorkerOptions): WebhookWorker {
  const { store, faults } = runtime
  const { clock, ids, hub, log, retries, monotonicMs, send, early, isDefault, onDeadline, onError } = options
  const note = (level: 'info' | 'error', message: string) => log({ at_ms: clock.nowMs(), level, message })
  return createWebhookWorker({
    ...{ store, faults, loadSandboxName: createSandboxNameLoader(runtime) },
    // Only the process of the connected listener can deliver to its endpoint.
    leases: createLeases(store.coordinator, {
      ...{ prefix: 'deliveries:', monotonicMs, isOwn: hub.hasListener, takesAll: !isDefault },
    }),
    wallNowMs: clock.unfrozenMs ?? clock.nowMs,
    signatureMs: clock.signatureMs,
    // The developer of a listener's handler sees each failure, so failures never disable its endpoint.
    isNeverDisabled: isListenerEndpoint,
    isReachable: (endpoint) => !isListenerEndpoint(endpoint) || hub.hasListener(endpoint.id),
    send,
    schedule: toRetrySchedule(retries),
    random: ids.random,
    newId: ids.newId,
    onAttempt(delivery) {
      note('info', formatAttempt(delivery))
      onDeadline()
    },
    onStored(delivery) {
      hub.confirmStored(delivery)
      early.handleStored(delivery)
    },
    onFaultSelected: early.handleFaultSelected,
    onDeferred: onDeadline,
    onDisabled: (endpoint) => note('error', formatDisabledEndpoint(endpoint)),
    onError,
  })
}

// Loads the HTTP client with the first delivery, because most sandboxes never send one. The client needs more memory
// than all other jobs of a sandbox, and loading it would take a third of the start time.
function createLazySender(options: SenderOptions): Sender {
  let sender: Promise<Sender> | null = null
  return {
    async send(request) {
      sender ??= import('../../webhooks/send.ts').then((module) => module.createSender(options))
      return (await sender).send(request)
    },
    close: async () => (await sender)?.close(),
  }
}

/** Creates a function that sends a delivery, or offers it to the listener of its endpoint. */
function createSend(hub: StreamHub, sender: Sender, closeEndedKeys: () => Promise<void>): SendDelivery {
  return async (request, delivery, endpoint) => {
    if (!isListenerEndpoint(endpoint)) return sender.send(request)
    // A listener whose key was revoked must be disconnected before the offer. If the store is not available, the
    // delivery stays pending.
    await closeEndedKeys().catch((error: unknown) => {
      throw new NotAttemptedError(`Cannot read the API keys from the store: ${String(error)}`)
    })
    return hub.offer(request, delivery)
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
