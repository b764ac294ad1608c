import { isListenerEndpoint } from '../../domain/events/webhook-endpoints.ts'
import { listOwnBusyClockIds, resumeSuspendedClocks } from '../../engine/clocks.ts'
import { runDueJobs } from '../../engine/real-time-jobs.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { StoreReader } from '../../store/port/store.ts'
import type { LoadSandboxName, SendDelivery } from '../../webhooks/delivery-attempts.ts'
import { NotAttemptedError } from '../../webhooks/not-attempted-error.ts'
import { DEFAULT_SCHEDULE, parseRetrySchedule, type RetrySchedule } from '../../webhooks/schedule.ts'
import type { Sender, SenderOptions } from '../../webhooks/send.ts'
import type { TargetGuard } from '../../webhooks/ssrf-guard.ts'
import { createWebhookWorker, type WebhookWorker } from '../../webhooks/worker.ts'
import type { ListenerPresence } from '../streams/listener-presence.ts'
import type { StreamHub } from '../streams/stream-hub.ts'
import type { Clock } from '../system/clock.ts'
import type { IdGenerators } from '../system/ids.ts'
import type { Log } from '../system/log.ts'
import { createSerialRunner, waitAtMost, waitForNextTurn } from '../system/task-scheduling.ts'
import { createCleanup } from './cleanup.ts'
import { formatAttempt, formatDisabledEndpoint } from './delivery-log.ts'
import { createEarlyDeliveryBarrier, type EarlyDeliveryBarrier } from './early-delivery-barrier.ts'
import { createInvalidStreamCloser } from './invalid-streams.ts'
import { createLeases } from './leases.ts'
import { ALWAYS_DUE, createRoundSchedule } from './round-schedule.ts'
import { startTestClockWatch } from './test-clock-watch.ts'

/** Maximum time for running requests and delivery attempts to finish when the process stops. */
export const SHUTDOWN_TIMEOUT_MS = 5000

/** The background jobs of a sandbox: due jobs, webhooks, streams, test clocks and retention. */
export type BackgroundJobs = ReturnType<typeof createBackgroundJobs>

export interface BackgroundJobsOptions {
  readonly log: Log
  /** Retry schedule of deliveries, such as `1s,5s,30s`; `none` disables retries. */
  readonly retries: string | 'default' | 'none'
  /** The buffers that each round writes to the store. */
  readonly buffers: readonly { readonly flush: () => Promise<void> }[]
  readonly clock: Clock
  readonly ids: IdGenerators
  readonly guard: TargetGuard
  readonly hub: StreamHub
  readonly presence: ListenerPresence
  readonly monotonicMs: () => number
  /**
   * Whether this is the default sandbox: all processes have it open and share its deliveries, and no round is skipped.
   */
  readonly isDefault: boolean
  readonly onError: (error: unknown) => void
  /** Called after each round without an error. */
  readonly onSuccess: () => void
}

/**
 * Creates the background jobs of a sandbox. The caller starts their rounds, and calls `wake` after each change.
 */
export function createBackgroundJobs(runtime: Runtime, options: BackgroundJobsOptions) {
  const { clock, guard, hub, buffers, presence, monotonicMs, onError, onSuccess } = options
  const sender = createLazySender({ nowMs: clock.nowMs, guard })
  const closeEndedKeys = createInvalidStreamCloser(hub)
  const flushBuffers = () => Promise.all(buffers.map((buffer) => buffer.flush()))
  const send = createSend(hub, sender, closeEndedKeys)
  const early = createEarlyDeliveryBarrier(runtime, { ...options, worker: () => worker, wake: () => wake() })
  const worker = createWorker(runtime, { ...options, send, early, onDeadline: () => schedule.require() })
  const isActive = () => hub.hasReaders() || !worker.isIdle() || early.isWaiting()
  const schedule = options.isDefault ? ALWAYS_DUE : createRoundSchedule(runtime.store, clock, isActive)
  const sweep = createCleanup(runtime, hub, presence, options.isDefault)
  const faultRefresh = createFaultRefresh(runtime)
  let checkClocks = async () => {}
  // A concurrent round could send outdated targets to listeners after another round has sent newer targets.
  const rounds = createSerialRunner(async () => {
    schedule.begin()
    // Run this first, because heartbeats must not depend on the store.
    hub.tick()
    if (await faultRefresh.run()) await early.check()
    await closeEndedKeys()
    await presence.announce(hub.servedEndpoints())
    for (const { error } of await runDueJobs(runtime)) onError(error)
    // Do not await this call, because a long advance must not delay the other jobs.
    resumeSuspendedClocks(runtime).catch(onError)
    await checkClocks()
    if (!(await sweep())) schedule.require()
    await updateTargets(runtime.store, hub)
    hub.pullAll()
    // The request log stream reads from the store, so it can send new logs only after the flush.
    await Promise.all([worker.tick(), flushBuffers().then(hub.pullAll)])
    await schedule.end()
    onSuccess()
  })
  const isRunning = () => rounds.isRunning() || listOwnBusyClockIds(runtime.store).length > 0
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
    /** Resumes interrupted advances of test clocks. Call this method once, before the first round. */
    start(): void {
      checkClocks = startTestClockWatch(runtime, monotonicMs, onError, !options.isDefault)
    },
    /** Starts a round unless one is running. */
    startRound(): void {
      if (!rounds.isRunning()) rounds.run().catch(onError)
    },
    /** Returns whether a round has work: after a change, for an open stream or a running delivery, or because a job is due. */
    isRoundDue: schedule.isDue,
    /** Makes the next round run even if no job is due, for example after a request was logged. */
    requireRound: schedule.require,
    /** Returns the time of the next job in Unix seconds; Infinity without a job, null while jobs are running or due. */
    sleepsUntil: () => (isRunning() ? null : schedule.sleepsUntil()),
    /** Returns whether no job is running and no stream is open; a round may be due. */
    isIdle: () => !isRunning() && !isActive(),
    /** Runs one round now and resolves when no delivery attempt is in flight. */
    tick: () => rounds.run().then(worker.idle),
    deliverEarly: early.deliver,
    /** Ends all current and future waits of `deliverEarly`, so that every request can finish. */
    endEarlyWaits: early.stop,
    /** Starts due deliveries and sends new events to the streams in the next turn of the event loop. */
    wake,
    isStopped: () => isStopped,
    /** Stops all jobs and resolves when none is running; delivery attempts are aborted after `limitMs` (default: 5 s). */
    async stop(limitMs = SHUTDOWN_TIMEOUT_MS): Promise<void> {
      isStopped = true
      worker.stop()
      await rounds.end()
      await waitAtMost(worker.idle(), limitMs)
      await sender.close()
      await worker.idle()
      await flushBuffers().catch(onError)
    },
  }
}

/** Creates the job that reads the fault rules again after changes by other processes that share the store. */
function createFaultRefresh({ store, faults }: Runtime) {
  let isRequired = false
  return {
    /** Requires a refresh in the next round; must be called after each change of the store. */
    require(): void {
      isRequired = store.coordinator !== undefined
    },
    /** Reads the fault rules if a change may affect them; resolves with whether the rules were read. */
    async run(): Promise<boolean> {
      if (!isRequired) return false
      isRequired = false
      await faults.refresh().catch((error: unknown) => {
        isRequired = true
        throw error
      })
      return true
    },
  }
}

// The store commits many changes as one batch, and one query for due deliveries covers all of them.
function createNextTurnRunner(work: () => Promise<void>): () => void {
  let isStarting = false
  return () => {
    if (isStarting) return
    isStarting = true
    waitForNextTurn().then(() => {
      isStarting = false
      return work()
    })
  }
}

interface WorkerOptions extends BackgroundJobsOptions {
  readonly send: SendDelivery
  readonly early: EarlyDeliveryBarrier
  /** Called after each attempt and each deferral, because a retry and a deferred delivery have new deadlines. */
  readonly onDeadline: () => void
}

function createWorker(runtime: Runtime, options: WorkerOptions): WebhookWorker {
  const { store, faults } = runtime
  const { clock, ids, hub, log, retries, monotonicMs, send, early, isDefault, onDeadline, onError } = options
  const note = (level: 'info' | 'error', message: string) => log({ at_ms: clock.nowMs(), level, message })
  // Only the process of the connected listener can deliver to its endpoint.
  const leasing = { prefix: 'deliveries:', monotonicMs, isOwn: hub.hasListener, takesAll: !isDefault }
  return createWebhookWorker({
    ...{ store, faults, loadSandboxName: createSandboxNameLoader(runtime) },
    ...(store.coordinator && { leases: createLeases(store.coordinator, leasing) }),
    wallNowMs: clock.unfrozenMs ?? clock.nowMs,
    signatureMs: clock.signatureMs,
    // The developer of a handler sees each failure in the listener, so failures never disable its endpoint.
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

// Returns undefined for the default sandbox, whose deliveries name no sandbox.
function createSandboxNameLoader({ registry, sandboxes }: Runtime): LoadSandboxName | undefined {
  if (registry === undefined || sandboxes === undefined) return undefined
  const { current } = sandboxes
  // Read the name for each delivery, because another process may have changed it.
  return async () => (await registry.store.get('sandboxes', current))?.name ?? current
}

// Loads the HTTP client for the first delivery, because most sandboxes never send a delivery. The client needs more
// memory than all other jobs of a sandbox, and loading it would take a third of the start time.
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
  return retries === 'none' ? [0] : parseRetrySchedule(retries)
}
