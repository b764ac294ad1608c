import type { Change, StoredObject } from '../domain/core/changes.ts'
import { findDeadline } from '../domain/schedule/deadlines.ts'
import type { StoreReader } from '../store/port/store.ts'
import { commit } from './commit.ts'
import { runJobLoop } from './job-loop.ts'
import { type DueJob, loadDueJob } from './load-due-job.ts'
import type { Runtime } from './runtime.ts'
import { isStoreUnavailableError } from './store-errors.ts'
import { REAL_TIME } from './time-reference.ts'

// More concurrent transactions make larger disk writes, and every other request waits for these writes.
const MAX_CONCURRENT_JOBS = 32

/** A job that threw an error; its record stays due. */
export interface FailedJob {
  readonly record: StoredObject
  readonly error: unknown
}

export interface DrainQueueOptions {
  readonly queue: string
  /** The time up to which due jobs run, in Unix seconds. */
  readonly until: number
  /** True on a test clock: after a failed job, the later jobs would run out of order. */
  readonly stopAtFailure: boolean
  /** Returns whether the next due record may run; if not, no further job runs (default: all jobs run). */
  readonly mayRun?: (next: StoredObject) => boolean
}

/** The jobs that are still due after `drainQueue`. */
export interface RemainingJobs {
  readonly failed: readonly FailedJob[]
  /**
   * The number of sessions that wait for the result of a payment, and of sandboxes that wait after a jump of the clock.
   */
  readonly waiting: number
}

/** The due records that `drainQueue` does not try again, keyed by `getDueRecordKey`. */
interface SkippedRecords {
  readonly failed: Map<string, FailedJob>
  readonly waiting: Set<string>
}

/**
 * Runs the due jobs of a queue in order, each at its own due time, and resolves with the jobs that are still due.
 * Rejects when the store cannot write; the remaining jobs then stay due.
 */
export async function drainQueue(runtime: Runtime, options: DrainQueueOptions): Promise<RemainingJobs> {
  const skipped: SkippedRecords = { failed: new Map(), waiting: new Set() }
  await runJobLoop(runtime, MAX_CONCURRENT_JOBS, async (onStart) => {
    const outcome = await runNextJob(runtime, options, skipped, onStart)
    return outcome === 'failed' ? !options.stopAtFailure : outcome !== 'idle'
  })
  return { failed: [...skipped.failed.values()], waiting: skipped.waiting.size }
}

interface JobResult {
  readonly outcome: 'done' | 'idle' | 'waiting'
  readonly finish?: () => unknown
}

async function runNextJob(
  runtime: Runtime,
  options: DrainQueueOptions,
  skipped: SkippedRecords,
  onStart: () => void,
): Promise<'done' | 'idle' | 'waiting' | 'failed'> {
  let due: StoredObject | null = null
  try {
    const { outcome, finish } = await commit<DueJob | null, JobResult>(runtime, {
      request: null,
      load: async (reader) => {
        onStart()
        due = await findNextDue(reader, options, skipped)
        return due === null ? null : loadDueJob(runtime, reader, due)
      },
      when: (job) => job?.when ?? REAL_TIME,
      decide: (job, context) => {
        if (job !== null) {
          const changes = job.decide(context)
          const finish = async () => {
            await job.finish?.(runtime)
            if (job.opensDisputes) await openImmediateDisputes(runtime, changes)
          }
          return { changes, result: { outcome: 'done', finish } }
        }
        if (due === null) return { changes: [], result: { outcome: 'idle' } }
        skipped.waiting.add(getDueRecordKey(due))
        return { changes: [], result: { outcome: 'waiting' } }
      },
    })
    await finish?.()
    return outcome
  } catch (error) {
    if (isStoreUnavailableError(error)) throw error
    // If the store rejects the transaction before `load`, the next due record counts as failed. Reads still succeed.
    const record = (due as StoredObject | null) ?? (await findNextDue(runtime.store, options, skipped))
    if (record === null) return 'idle'
    skipped.failed.set(getDueRecordKey(record), { record, error })
    return 'failed'
  }
}

async function findNextDue(
  reader: StoreReader,
  { queue, until, stopAtFailure, mayRun = () => true }: DrainQueueOptions,
  { failed, waiting }: SkippedRecords,
): Promise<StoredObject | null> {
  // Concurrent jobs in the queue must not run after the first failure.
  if (stopAtFailure && failed.size > 0) return null
  // Skipped records stay due and are listed first, so the limit must include these records.
  const due = await reader.listDue(queue, until, failed.size + waiting.size + 1)
  const next = due.find((one) => ![failed, waiting].some((skipped) => skipped.has(getDueRecordKey(one))))
  return next !== undefined && mayRun(next) ? next : null
}

/** Returns a key that is unique among due records, because a timer has the same id as its object. */
export function getDueRecordKey({ object, id }: StoredObject): string {
  return `${object} ${id}`
}

/**
 * Opens the disputes of payments that just succeeded. Otherwise, the disputes on a test clock would wait for its next
 * advance.
 */
export async function openImmediateDisputes(runtime: Runtime, changes: readonly Change[]): Promise<void> {
  for (const { event, after } of changes) {
    const due = event === 'payment.succeeded' && after !== null ? findDeadline(after) : null
    // The payment is durable. A failed job of its dispute stays due, and the next run of this job reports the error.
    if (due) await drainQueue(runtime, { ...due, until: due.at, stopAtFailure: true }).catch(() => {})
  }
}
