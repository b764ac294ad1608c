import { findDeadline, REAL_TIME_QUEUE } from '../domain/schedule/deadlines.ts'
import type { Store, StoreReader } from '../store/port/store.ts'
import {
  runTransaction,
  type TransactionIdempotency,
  type TransactionPlan,
  type TransactionResult,
  unwrapTransactionResult,
} from './commit.ts'
import { drainQueue, type FailedJob, getDueRecordKey, openImmediateDisputes } from './due-jobs.ts'
import type { Runtime } from './runtime.ts'
import { isStoreUnavailableError } from './store-errors.ts'

/** Maximum number of attempts; the last attempt commits without the check for due jobs. */
const MAX_ATTEMPTS = 5

interface RealTimeState {
  /** The time, in Unix seconds, up to which every due job has been tried. */
  until: number
  /** Error messages of the jobs that failed in the last run, by record key. */
  failing: ReadonlyMap<string, string>
  /** Number of sessions and sandboxes that could not expire in the last run. */
  waiting: number
  /** The current run. Concurrent callers wait for this run instead of starting another run. */
  running: { readonly until: number; readonly failed: Promise<readonly FailedJob[]> } | null
}

const states = new WeakMap<Store, RealTimeState>()

function stateOf(store: Store): RealTimeState {
  const state = states.get(store) ?? { until: 0, failing: new Map(), waiting: 0, running: null }
  states.set(store, state)
  return state
}

/**
 * Runs the due jobs of real time in order, each at its own due time. Resolves with new failures: jobs that did not fail
 * with the same error in the last run. Only one of several concurrent callers gets these failures. Runs before every
 * request, so that no response depends on the timer. When the store cannot write, the jobs stay due and nothing is
 * thrown.
 */
export async function runDueJobs(runtime: Runtime): Promise<readonly FailedJob[]> {
  const { store } = runtime
  const state = stateOf(store)
  const until = runtime.wallNow()
  for (;;) {
    // Most requests find no due jobs and need no transaction.
    if ((await store.listDue(REAL_TIME_QUEUE, until, 1)).length === 0) {
      state.until = Math.max(state.until, until)
      return []
    }
    const { running } = state
    if (running === null) break
    await running.failed
    if (running.until >= until) return []
  }
  const failed = runJobsUntil(runtime, until)
  state.running = { until, failed }
  return failed.finally(() => {
    state.running = null
  })
}

async function runJobsUntil(runtime: Runtime, until: number): Promise<readonly FailedJob[]> {
  const state = stateOf(runtime.store)
  try {
    const { failed, waiting } = await drainQueue(runtime, {
      queue: REAL_TIME_QUEUE,
      until,
      stopAtFailure: false,
    })
    const newFailures = failed.filter(
      ({ record, error }) => state.failing.get(getDueRecordKey(record)) !== String(error),
    )
    state.failing = new Map(failed.map(({ record, error }) => [getDueRecordKey(record), String(error)]))
    state.waiting = waiting
    state.until = Math.max(state.until, until)
    return newFailures
  } catch (error) {
    if (isStoreUnavailableError(error)) return []
    throw error
  }
}

/**
 * Runs the transaction of a request after all due jobs. If jobs became due since the last `runDueJobs`, runs them first
 * and starts again.
 */
export async function runTransactionAfterDueJobs<L, R>(
  runtime: Runtime,
  plan: TransactionPlan<L, R>,
  idempotency: TransactionIdempotency<R> | null,
): Promise<TransactionResult<R>> {
  const mustWait = (reader: StoreReader) => hasNewDueJobs(runtime, reader)
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === MAX_ATTEMPTS
    const ended = await runTransaction(runtime, plan, idempotency, isLast ? undefined : mustWait)
    // Most requests create no succeeded payment, and an unnecessary `await` would delay their responses.
    if (
      ended?.kind === 'decided' &&
      ended.decision.changes.some(({ event }) => event === 'payment.succeeded')
    )
      await openImmediateDisputes(runtime, ended.decision.changes)
    if (ended !== null) return ended
    await runDueJobs(runtime)
  }
}

/**
 * Like `commit`, but first runs the jobs that became due since the last `runDueJobs`. Hosted pages use this function.
 */
export async function commitAfterDueJobs<L, R>(runtime: Runtime, plan: TransactionPlan<L, R>): Promise<R> {
  return unwrapTransactionResult(await runTransactionAfterDueJobs(runtime, plan, null))
}

async function hasNewDueJobs({ store, wallNow }: Runtime, reader: StoreReader): Promise<boolean> {
  const { until, failing, waiting } = stateOf(store)
  // Return early, because the due jobs have usually run within the same second.
  if (wallNow() <= until) return false
  // Failed and waiting jobs stay due, but must not block requests.
  const due = await reader.listDue(REAL_TIME_QUEUE, wallNow(), failing.size + waiting + 1)
  return due.some((record) => (findDeadline(record)?.at ?? 0) > until)
}
