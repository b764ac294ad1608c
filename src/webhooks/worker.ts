import { deliveryQueue, retryQueue } from '../domain/deadlines.ts'
import type { WebhookDelivery } from '../domain/webhook-deliveries.ts'
import { MAX_WEBHOOK_ENDPOINTS, type WebhookEndpoint } from '../domain/webhook-endpoints.ts'
import type { Store } from '../store/port/store.ts'
import { type Attempt, loadParcel, type Means, makeAttempt, recordAttempt } from './deliveries.ts'
import { createLoops } from './keyed-queue.ts'
import { Unanswered } from './not-attempted-error.ts'

const DUE_RECORDS_PER_ROUND = 500
const ALONE: Claims = { want: async () => {}, has: () => true }

export interface WebhookWorkerOptions extends Means {
  readonly store: Store
  /** Whether there is a way to an endpoint now; what waits for one without stays pending. All have one unless given. */
  readonly isReachable?: (endpoint: WebhookEndpoint) => boolean
  /** Which of the endpoints are this process's, where several share a store; all of them unless given. */
  readonly claims?: Claims
  /** Whether an endpoint stays enabled however often it fails; none does unless given. */
  readonly isSpared?: (endpoint: WebhookEndpoint) => boolean
  /** Called with each attempt once it is recorded. */
  readonly onAttempt?: (delivery: WebhookDelivery) => void
  /** Called with each delivery of which an attempt was made once nothing of that can be lost any more. */
  readonly onKept?: (delivery: string) => void
  /** Called with each endpoint that an attempt disabled. */
  readonly onDisabled?: (endpoint: WebhookEndpoint) => void
  /** Told of bugs and of a failing store; a failing receiver is neither. */
  readonly onError: (error: unknown) => void
}

/** Endpoints as one of several processes has them: in the order of its events, only one may send to each. */
export interface Claims {
  /** Asks for the endpoints of these ids, and gives up all others, once nothing is under way to them. */
  readonly want: (endpoints: readonly string[], isBusy: (endpoint: string) => boolean) => Promise<void>
  readonly has: (endpoint: string) => boolean
}

export interface WebhookWorker {
  /**
   * Sets to work on all that is due and resolves before it is sent: call it after each commit and from time to time.
   * Never rejects. Each endpoint has one attempt in flight, so a slow one delays no other.
   */
  readonly tick: () => Promise<void>
  /** Resolves when no attempt is in flight and none is about to be made. */
  readonly idle: () => Promise<void>
  /** Starts no further attempt; those in flight are still recorded. */
  readonly stop: () => void
}

/** Delivers what is pending, to each endpoint in the order of the events; a retry waits behind due first attempts. */
export function createWebhookWorker(options: WebhookWorkerOptions): WebhookWorker {
  const { store, wallNowMs, onError, isReachable = () => true, claims = ALONE } = options
  let isStopped = false
  const courier = createCourier(options, () => isStopped)
  const loops = createLoops(drain, onError)

  async function startLoops(): Promise<void> {
    const query = { where: { status: 'enabled' }, limit: MAX_WEBHOOK_ENDPOINTS }
    const { data } = await store.list('webhook_endpoints', query)
    const reachable = data.filter(isReachable).map(({ id }) => id)
    await claims.want(reachable, loops.isRunning)
    for (const id of reachable) if (claims.has(id)) loops.start(id)
  }

  async function drain(endpoint: string): Promise<void> {
    const records = createRecords()
    try {
      for (;;) {
        const round = await nextRound(endpoint)
        // What is recorded meanwhile may be what makes the next one due.
        if (round.length === 0 && !(await records.done())) return
        for (const delivery of round) {
          await records.checked()
          if (isStopped || !claims.has(endpoint) || !(await courier.deliver(delivery, records))) return
        }
      }
    } finally {
      await records.done()
    }
  }

  async function nextRound(endpoint: string): Promise<readonly WebhookDelivery[]> {
    const first = await dueIn(deliveryQueue(endpoint))
    // One retry, then a look for new first attempts: a receiver that is slow on one event gets the others in time.
    return first.length > 0 ? first : (await dueIn(retryQueue(endpoint))).slice(0, 1)
  }

  async function dueIn(queue: string): Promise<readonly WebhookDelivery[]> {
    const now = wallNowMs() / 1000
    // Retries are due at a fraction of a second. A whole second lets the store remember that a queue is empty.
    const records = await store.due(queue, Math.ceil(now), DUE_RECORDS_PER_ROUND)
    return (records as readonly WebhookDelivery[]).filter(
      (due) => (due.next_attempt_at ?? 0) <= now && courier.isPossible(due),
    )
  }

  return {
    tick: () => (isStopped ? Promise.resolve() : loops.track(startLoops())),
    idle: loops.idle,
    stop() {
      isStopped = true
    },
  }
}

/** Attempts of one endpoint on their way to disk. */
interface Records {
  readonly add: (recording: Promise<void>) => void
  /** Resolves at once, or when there is room for more; rejects when one is known to have failed. */
  readonly checked: () => Promise<void>
  /** Resolves when all are on disk, with whether there were any; rejects when one of them could not be stored. */
  readonly done: () => Promise<boolean>
}

const MAX_RECORDS = 64

function createRecords(): Records {
  let recordings: Promise<void>[] = []
  let hasFailed = false

  async function done(): Promise<boolean> {
    const all = recordings
    recordings = []
    await Promise.all(all)
    return all.length > 0
  }

  return {
    add(recording) {
      recordings.push(recording)
      recording.catch(() => {
        hasFailed = true
      })
    },
    async checked() {
      if (hasFailed || recordings.length >= MAX_RECORDS) await done()
    },
    done,
  }
}

interface Courier {
  /** Makes one attempt and has it recorded; resolves with whether the endpoint wants more. */
  readonly deliver: (due: WebhookDelivery, records: Records) => Promise<boolean>
  readonly isPossible: (due: WebhookDelivery) => boolean
}

function createCourier(options: WebhookWorkerOptions, isStopped: () => boolean): Courier {
  const { store, onAttempt, onKept, onDisabled, onError, isSpared = () => false } = options
  /** Attempts the store did not take yet: they are not made again, and recorded next time if it fails to. */
  const unrecorded = new Map<string, Attempt>()
  /** Those of them that it is taking now. */
  const recording = new Set<string>()
  /** Deliveries that no attempt can be made of, because of a bug: told once, then passed over. */
  const impossible = new Set<string>()

  async function record(attempt: Attempt): Promise<void> {
    unrecorded.set(attempt.delivery, attempt)
    recording.add(attempt.delivery)
    const wallNow = Math.floor(options.wallNowMs() / 1000)
    const recorded = await recordAttempt(store, attempt, { wallNow, isSpared }).finally(() =>
      recording.delete(attempt.delivery),
    )
    unrecorded.delete(attempt.delivery)
    onKept?.(attempt.delivery)
    if (recorded === null) return
    onAttempt?.(recorded.delivery)
    if (recorded.disabled) onDisabled?.(recorded.disabled)
  }

  async function attempt(
    due: WebhookDelivery,
    make: () => Promise<Attempt>,
  ): Promise<Attempt | Unanswered | null> {
    try {
      return unrecorded.get(due.id) ?? (await make())
    } catch (error) {
      // What a closing sender broke off stays pending and is sent after the next start.
      if (isStopped()) return null
      if (error instanceof Unanswered) return error
      impossible.add(due.id)
      onError(error)
      return null
    }
  }

  return {
    isPossible: ({ id }) => !impossible.has(id) && !recording.has(id),
    async deliver(due, records) {
      const parcel = await loadParcel(store, due)
      if (parcel.endpoint?.status !== 'enabled') return false
      if (parcel.delivery?.status !== 'pending') {
        // Another process has recorded one meanwhile.
        unrecorded.delete(due.id)
        onKept?.(due.id)
        return true
      }
      const isLate = unrecorded.has(due.id)
      const made = await attempt(due, () => makeAttempt(parcel, options))
      if (made === null) return true
      if (made instanceof Unanswered) return made.isOver
      // The next one need not wait for the disk: after a crash an event comes again, but none is left out. A failure is
      // waited for, because it may have been the endpoint's last, and so is a store that failed before.
      if (made.outcome.error === null && !isLate) records.add(record(made))
      else await record(made)
      return true
    },
  }
}
