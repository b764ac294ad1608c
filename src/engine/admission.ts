import { DomainError } from '../domain/core/domain-error.ts'

/**
 * The kinds of expensive work. Each kind has its own queue, so that a report does not wait for an advance of several
 * seconds. Work on the contents of a sandbox may wait until its other requests have ended.
 */
export type ExpensiveWorkKind = 'report' | 'clock' | 'contents'

interface WorkLimit {
  /** The number of sandboxes that may work at the same time; each runs one request. */
  readonly running: number
  /** The number of requests of one sandbox that may wait. */
  readonly waiting: number
}

/** Few reports run at a time, because they hold records in memory. Other work waits mostly for the disk. */
const LIMITS: Readonly<Record<ExpensiveWorkKind, WorkLimit>> = {
  report: { running: 2, waiting: 16 },
  clock: { running: 4, waiting: 100 },
  contents: { running: 4, waiting: 100 },
}

/** Expensive work of one request. */
export interface ExpensiveWork<R> {
  readonly kind: ExpensiveWorkKind
  /** Returns whether the client that waits for the result has disconnected. */
  readonly isCanceled: () => boolean
  readonly run: () => Promise<R>
}

/**
 * Runs expensive work of one sandbox when its queue admits it. Rejects immediately when too many requests of the
 * sandbox wait.
 */
export type RunWhenAdmitted = <R>(work: ExpensiveWork<R>) => Promise<R>

/** A request that starts when its promise resolves. */
interface WaitingRequest extends PromiseWithResolvers<void> {
  readonly isCanceled: () => boolean
}

/**
 * Creates a function that returns the `RunWhenAdmitted` function of a sandbox. Each sandbox runs one request of a kind at a
 * time. All sandboxes share a limit, and waiting sandboxes take turns.
 */
export function createWorkAdmission(limits = LIMITS): (sandbox: string) => RunWhenAdmitted {
  const queues = {
    report: createWorkQueue(limits.report),
    clock: createWorkQueue(limits.clock),
    contents: createWorkQueue(limits.contents),
  }
  return (sandbox) =>
    async ({ kind, isCanceled, run }) => {
      const { enter, leave } = queues[kind]
      await enter(sandbox, isCanceled)
      try {
        return await run()
      } finally {
        leave(sandbox)
      }
    }
}

function createWorkQueue({ running: mostRunning, waiting: mostWaiting }: WorkLimit) {
  const running = new Set<string>()
  // The waiting sandbox that started a request least recently comes first.
  const waiting = new Map<string, WaitingRequest[]>()

  function startNext(): void {
    for (const [sandbox, requests] of waiting) {
      if (running.size >= mostRunning) return
      if (!running.has(sandbox)) startOne(sandbox, requests)
    }
  }

  function startOne(sandbox: string, requests: readonly WaitingRequest[]): void {
    const [next, ...others] = dropCanceled(requests)
    waiting.delete(sandbox)
    if (others.length > 0) waiting.set(sandbox, others)
    if (next === undefined) return
    running.add(sandbox)
    next.resolve()
  }

  return {
    async enter(sandbox: string, isCanceled: () => boolean): Promise<void> {
      const others = dropCanceled(waiting.get(sandbox) ?? [])
      if (others.length >= mostWaiting) throw createBusyError(others.length)
      const request = { isCanceled, ...Promise.withResolvers<void>() }
      waiting.set(sandbox, [...others, request])
      startNext()
      return request.promise
    },
    leave(sandbox: string): void {
      running.delete(sandbox)
      startNext()
    },
  }
}

// Requests of disconnected clients must not use the capacity for other requests.
function dropCanceled(requests: readonly WaitingRequest[]): WaitingRequest[] {
  return requests.filter(({ isCanceled, reject }) => {
    if (!isCanceled()) return true
    reject(createCanceledError())
    return false
  })
}

function createBusyError(waiting: number): DomainError {
  return new DomainError(
    'concurrency_limit',
    `Too many expensive requests at once: ${waiting} of this sandbox are waiting, which is the limit. Wait for the responses of earlier requests, or use several sandboxes.`,
    { retryAfterSeconds: 1 },
  )
}

/** Returns the error that ends the work for a disconnected client, which receives no response. */
export function createCanceledError(): DomainError {
  return new DomainError('unavailable', 'The client disconnected before the response was computed.')
}
