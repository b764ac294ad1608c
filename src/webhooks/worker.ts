import { deliveryQueue, retryQueue } from '../domain/deadlines.ts'
import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import { MAX_WEBHOOK_ENDPOINTS, type WebhookEndpoint } from '../domain/webhook-endpoints.ts'
import { type DeliveryAttempt, recordAttempt } from '../engine/delivery-results.ts'
import type { Store } from '../store/port/store.ts'
import { loadDueDelivery, type MakeAttemptOptions, makeAttempt } from './delivery-attempts.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import { NotAttemptedError } from './not-attempted-error.ts'

const DUE_RECORDS_PER_ROUND = 500
const UNSHARED: EndpointLeases = { acquire: async () => {}, holds: () => true }

export interface WebhookWorkerOptions extends MakeAttemptOptions {
  readonly store: Store
  /** Returns whether an endpoint can be reached now; otherwise its deliveries stay pending (default: all). */
  readonly isReachable?: (endpoint: WebhookEndpoint) => boolean
  /** The endpoints of this process when several share a store (default: all). */
  readonly leases?: EndpointLeases
  /** Returns whether failures never disable an endpoint (default: none). */
  readonly isNeverDisabled?: (endpoint: WebhookEndpoint) => boolean
  /** Called with each attempt once it is recorded. */
  readonly onAttempt?: (delivery: WebhookDelivery) => void
  /** Called with each delivery whose result is durable or no longer needed. */
  readonly onStored?: (delivery: string) => void
  /** Called with each endpoint that an attempt disabled. */
  readonly onDisabled?: (endpoint: WebhookEndpoint) => void
  /** Called with unexpected errors and errors of the store, not with failures of endpoints. */
  readonly onError: (error: unknown) => void
}

/** The endpoints that this process may deliver to: one process per endpoint keeps the order of its events. */
export interface EndpointLeases {
  /** Leases some endpoints, and releases all others once no delivery to them is running. */
  readonly acquire: (endpoints: readonly string[], isBusy: (endpoint: string) => boolean) => Promise<void>
  readonly holds: (endpoint: string) => boolean
}

export interface WebhookWorker {
  /**
   * Starts all due deliveries and resolves before they are sent; never rejects. Call it after each commit and regularly. Each
   * endpoint has one attempt in flight, so a slow endpoint delays no other.
   */
  readonly tick: () => Promise<void>
  /** Returns whether no attempt is in flight or queued. */
  readonly isIdle: () => boolean
  /** Resolves when no attempt is in flight or queued. */
  readonly idle: () => Promise<void>
  /** Starts no further attempts; attempts in flight are still recorded. */
  readonly stop: () => void
}

/** Creates a worker that sends due deliveries, to each endpoint in the order of the events, first attempts before retries. */
export function createWebhookWorker(options: WebhookWorkerOptions): WebhookWorker {
  const { store, wallNowMs, onError, isReachable = () => true, leases = UNSHARED } = options
  let isStopped = false
  const runner = createAttemptRunner(options, () => isStopped)
  const queue = createKeyedQueue(deliverAll, onError)

  // After nearly all commits nothing is to be delivered, and a shared store knows that without a query.
  async function isNothingDue(): Promise<boolean> {
    if (store.coordinator === undefined || !queue.isIdle()) return false
    const deadline = await store.nextDeadline()
    return deadline === null || deadline > Math.ceil(wallNowMs() / 1000)
  }

  async function startEndpoints(): Promise<void> {
    if (await isNothingDue()) return
    const query = { where: { status: 'enabled' }, limit: MAX_WEBHOOK_ENDPOINTS }
    const { data } = await store.list('webhook_endpoints', query)
    const reachable = data.filter(isReachable).map(({ id }) => id)
    await leases.acquire(reachable, queue.isRunning)
    for (const id of reachable) if (leases.holds(id)) queue.start(id)
  }

  async function deliverAll(endpoint: string): Promise<void> {
    const recorder = new AttemptRecorder()
    try {
      for (;;) {
        const round = await loadNextRound(endpoint)
        // Recording an attempt may make the next delivery due, so look again after pending writes.
        if (round.length === 0 && !(await recorder.flush())) return
        for (const delivery of round) {
          await recorder.waitForCapacity()
          if (isStopped || !leases.holds(endpoint) || !(await runner.deliver(delivery, recorder))) return
        }
      }
    } finally {
      await recorder.flush()
    }
  }

  async function loadNextRound(endpoint: string): Promise<readonly WebhookDelivery[]> {
    const first = await loadDue(deliveryQueue(endpoint))
    // One retry at a time, so that slow retries do not delay new events.
    return first.length > 0 ? first : (await loadDue(retryQueue(endpoint))).slice(0, 1)
  }

  async function loadDue(queueName: string): Promise<readonly WebhookDelivery[]> {
    const now = wallNowMs() / 1000
    // Retries are due at fractions of a second, but the store caches empty queues by whole seconds.
    const records = await store.listDue(queueName, Math.ceil(now), DUE_RECORDS_PER_ROUND)
    return (records as readonly WebhookDelivery[]).filter(
      (due) => (due.next_attempt_at ?? 0) <= now && runner.canAttempt(due),
    )
  }

  return {
    tick: () => (isStopped ? Promise.resolve() : queue.track(startEndpoints())),
    isIdle: queue.isIdle,
    idle: queue.idle,
    stop() {
      isStopped = true
    },
  }
}

const MAX_UNRECORDED = 64

/** The attempts of one endpoint that are being written to the store. */
class AttemptRecorder {
  #writes: Promise<void>[] = []
  #hasFailed = false

  add(write: Promise<void>): void {
    this.#writes.push(write)
    write.catch(() => {
      this.#hasFailed = true
    })
  }

  /** Resolves when fewer than 64 writes are pending; rejects when one has failed. */
  async waitForCapacity(): Promise<void> {
    if (this.#hasFailed || this.#writes.length >= MAX_UNRECORDED) await this.flush()
  }

  /** Waits for all pending writes and returns whether there were any; rejects when one has failed. */
  async flush(): Promise<boolean> {
    const all = this.#writes
    this.#writes = []
    await Promise.all(all)
    return all.length > 0
  }
}

interface AttemptRunner {
  /** Makes and records one attempt; resolves with whether to continue with the endpoint. */
  readonly deliver: (due: WebhookDelivery, recorder: AttemptRecorder) => Promise<boolean>
  readonly canAttempt: (due: WebhookDelivery) => boolean
}

function createAttemptRunner(options: WebhookWorkerOptions, isStopped: () => boolean): AttemptRunner {
  const { store, onAttempt, onStored, onDisabled, onError, isNeverDisabled = () => false } = options
  /** Attempts that are not stored yet: after a failed write they are recorded again, never sent again. */
  const unrecorded = new Map<string, DeliveryAttempt>()
  /** Deliveries whose attempt is being written. */
  const recording = new Set<string>()
  /** Deliveries whose attempt failed with an unexpected error: reported once, then skipped. */
  const broken = new Set<string>()

  async function record(attempt: DeliveryAttempt): Promise<void> {
    unrecorded.set(attempt.delivery, attempt)
    recording.add(attempt.delivery)
    const wallNow = Math.floor(options.wallNowMs() / 1000)
    const recorded = await recordAttempt(store, attempt, { wallNow, isNeverDisabled }).finally(() =>
      recording.delete(attempt.delivery),
    )
    unrecorded.delete(attempt.delivery)
    onStored?.(attempt.delivery)
    if (recorded === null) return
    onAttempt?.(recorded.delivery)
    if (recorded.disabled) onDisabled?.(recorded.disabled)
  }

  async function attempt(
    due: WebhookDelivery,
    make: () => Promise<DeliveryAttempt>,
  ): Promise<DeliveryAttempt | NotAttemptedError | null> {
    try {
      return unrecorded.get(due.id) ?? (await make())
    } catch (error) {
      // An attempt that the closing sender aborted stays pending until the next start.
      if (isStopped()) return null
      if (error instanceof NotAttemptedError) return error
      broken.add(due.id)
      onError(error)
      return null
    }
  }

  return {
    canAttempt: ({ id }) => !broken.has(id) && !recording.has(id),
    async deliver(due, recorder) {
      const loaded = await loadDueDelivery(store, due)
      if (loaded.endpoint?.status !== 'enabled') return false
      if (loaded.delivery?.status !== 'pending') {
        // The delivery was already settled or deleted, for example by another process.
        unrecorded.delete(due.id)
        onStored?.(due.id)
        return true
      }
      const isRepeatedWrite = unrecorded.has(due.id)
      const attempted = await attempt(due, () => makeAttempt(loaded, options))
      if (attempted === null) return true
      if (attempted instanceof NotAttemptedError) return attempted.isSettled
      // A success is written in the background: a crash may repeat its event but never lose one. A failure may disable the
      // endpoint, and a repeated write means that the store has failed, so both are awaited.
      if (attempted.outcome.error === null && !isRepeatedWrite) recorder.add(record(attempted))
      else await record(attempted)
      return true
    },
  }
}
