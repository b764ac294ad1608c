import type { WebhookDelivery } from '../domain/events/webhook-deliveries.ts'
import { MAX_WEBHOOK_ENDPOINTS, type WebhookEndpoint } from '../domain/events/webhook-endpoints.ts'
import { getFirstAttemptQueue, getRetryQueue } from '../domain/schedule/deadlines.ts'
import { type AttemptRunnerOptions, createAttemptRunner, type EndpointLoopStep } from './attempt-runner.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import { PendingAttemptWrites } from './pending-attempt-writes.ts'

const DUE_RECORDS_PER_ROUND = 500
const UNSHARED: EndpointLeases = { acquire: async () => {}, holds: () => true }

export interface WebhookWorkerOptions extends AttemptRunnerOptions {
  /** Returns whether an endpoint can be reached now; otherwise its deliveries stay pending. */
  readonly isReachable: (endpoint: WebhookEndpoint) => boolean
  /** The leases of endpoints, for processes that share a store (default: all endpoints). */
  readonly leases?: EndpointLeases
}

/** The endpoints that this process may deliver to: one process per endpoint keeps the order of its events. */
export interface EndpointLeases {
  /** Leases this process's share of endpoints, and releases other endpoints once no delivery to them is running. */
  readonly acquire: (endpoints: readonly string[], isBusy: (endpoint: string) => boolean) => Promise<void>
  readonly holds: (endpoint: string) => boolean
}

export type WebhookWorker = ReturnType<typeof createWebhookWorker>

/** Creates a worker that sends due deliveries, to each endpoint in the order of the events, first attempts before retries. */
export function createWebhookWorker(options: WebhookWorkerOptions) {
  const { store, wallNowMs, onError, isReachable, leases = UNSHARED } = options
  let isStopped = false
  const queue = createKeyedQueue(deliverAll, onError)
  const runner = createAttemptRunner(options, () => isStopped, queue.track)
  // The attempts to an endpoint must end before another process leases the endpoint.
  const isBusy = (endpoint: string) => queue.isRunning(endpoint) || runner.hasDetached(endpoint)

  // No delivery is due after most commits, and a shared store caches its next deadline, so a query is rare.
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
    await leases.acquire(reachable, isBusy)
    for (const id of reachable) if (leases.holds(id)) queue.start(id)
  }

  async function deliverAll(endpoint: string): Promise<void> {
    const recorder = new PendingAttemptWrites()
    try {
      for (;;) {
        const round = await loadNextRound(endpoint)
        // Recording an attempt may make the next delivery due, so list due deliveries again after pending writes.
        if (round.length === 0 && !(await recorder.flush())) return
        if ((await deliverRound(endpoint, round, recorder)) === 'stop') return
      }
    } finally {
      await recorder.flush()
    }
  }

  async function deliverRound(
    endpoint: string,
    round: readonly WebhookDelivery[],
    recorder: PendingAttemptWrites,
  ): Promise<EndpointLoopStep> {
    for (const delivery of round) {
      await recorder.waitForCapacity()
      if (isStopped || !leases.holds(endpoint)) return 'stop'
      const end = runner.canAttempt(delivery) ? await runner.deliver(delivery, recorder) : 'continue'
      if (end !== 'continue') return end
    }
    return 'continue'
  }

  async function loadNextRound(endpoint: string): Promise<readonly WebhookDelivery[]> {
    const first = await loadDue(getFirstAttemptQueue(endpoint))
    // Make one retry at a time, so that slow retries do not delay new events.
    return first.length > 0 ? first : (await loadDue(getRetryQueue(endpoint))).slice(0, 1)
  }

  async function loadDue(queueName: string): Promise<readonly WebhookDelivery[]> {
    const now = wallNowMs() / 1000
    // Round up: retries are due at fractions of a second, but the store caches empty queues by whole seconds.
    const records = await store.listDue(queueName, Math.ceil(now), DUE_RECORDS_PER_ROUND)
    return (records as readonly WebhookDelivery[]).filter(
      (due) => (due.next_attempt_at ?? 0) <= now && runner.canAttempt(due),
    )
  }

  return {
    /**
     * Starts all due deliveries and resolves before they are sent; never rejects. Call it after each commit and regularly.
     * Each endpoint has one attempt in flight, so a slow endpoint delays no other. Faults may cause overlapping attempts.
     */
    tick: () => (isStopped ? Promise.resolve() : queue.track(startEndpoints())),
    /** Returns whether no attempt is in flight or queued. */
    isIdle: queue.isIdle,
    /** Resolves when no attempt is in flight or queued. */
    idle: queue.idle,
    /** Returns the fault that was chosen for an attempt that is not recorded yet, or null; undefined before the choice. */
    faultOf: runner.faultOf,
    /** Lets the loop of an endpoint continue while its current attempt is in flight. */
    detach: runner.detach,
    /** Starts no further attempts; attempts in flight are still recorded. */
    stop(): void {
      isStopped = true
    },
  }
}
