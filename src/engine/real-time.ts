import { deadlineOf, REAL_TIME } from '../domain/deadlines.ts'
import type { Store, StoreReader } from '../store/port/store.ts'
import { type CommitOnceOptions, type CommitOnceResult, commit, commitOnce, type Trigger } from './commit.ts'
import { drainQueue, type FailedJob, recordKey } from './due-jobs.ts'
import type { Runtime } from './runtime.ts'
import { isStoreUnavailable } from './store-errors.ts'

/** The last attempt commits without the check for due jobs. */
const MAX_ATTEMPTS = 5

/** The due jobs of a store in real time. */
interface RealTimeState {
  /** Every job that was due at this time has been tried; Unix seconds. */
  until: number
  /** Error messages of the jobs that failed in the last run, by record key. */
  failing: ReadonlyMap<string, string>
  /** How many sessions could not expire in the last run because their payments are processing. */
  waiting: number
  /** The current run. Concurrent callers wait for it instead of starting their own. */
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
 * with the same error in the last run. Only one of several concurrent callers gets them. Runs before every request, so
 * that no response depends on the ticker. When the store cannot write, the jobs stay due and nothing is thrown.
 */
export async function runDueJobs(runtime: Runtime): Promise<readonly FailedJob[]> {
  const { store } = runtime
  const state = stateOf(store)
  const until = runtime.wallNow()
  for (;;) {
    // Most requests find no due jobs and need no transaction.
    if ((await store.listDue(REAL_TIME, until, 1)).length === 0) {
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
    const { failed, waiting } = await drainQueue(runtime, { queue: REAL_TIME, until, stopAtFailure: false })
    const newFailures = failed.filter(
      ({ record, error }) => state.failing.get(recordKey(record)) !== String(error),
    )
    state.failing = new Map(failed.map(({ record, error }) => [recordKey(record), String(error)]))
    state.waiting = waiting
    state.until = Math.max(state.until, until)
    return newFailures
  } catch (error) {
    if (isStoreUnavailable(error)) return []
    throw error
  }
}

class DueJobsPendingError extends Error {}

/** Like `commit`, but first runs the jobs that became due since the last `runDueJobs`. Requests and pages use it. */
export function commitAfterDueJobs<L, R>(runtime: Runtime, trigger: Trigger<L, R>): Promise<R> {
  return retryAfterDueJobs(runtime, trigger, (guarded) => commit(runtime, guarded))
}

/** Like `commitOnce`, but first runs the jobs that became due since the last `runDueJobs`. */
export function commitOnceAfterDueJobs<L, R>(
  runtime: Runtime,
  trigger: Trigger<L, R>,
  options: CommitOnceOptions<R>,
): Promise<CommitOnceResult<R>> {
  return retryAfterDueJobs(runtime, trigger, (guarded) => commitOnce(runtime, guarded, options))
}

async function retryAfterDueJobs<L, R, T>(
  runtime: Runtime,
  trigger: Trigger<L, R>,
  work: (trigger: Trigger<L, R>) => Promise<T>,
): Promise<T> {
  const guarded: Trigger<L, R> = {
    ...trigger,
    load: async (reader) => {
      // Mostly the due jobs ran within the same second.
      if (runtime.wallNow() > stateOf(runtime.store).until) await requireNoDueJobs(runtime, reader)
      return trigger.load(reader)
    },
  }
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
    try {
      return await work(guarded)
    } catch (error) {
      if (!(error instanceof DueJobsPendingError)) throw error
      await runDueJobs(runtime)
    }
  }
  return work(trigger)
}

async function requireNoDueJobs({ store, wallNow }: Runtime, reader: StoreReader): Promise<void> {
  const { until, failing, waiting } = stateOf(store)
  // Failed and waiting jobs stay due, but must not block requests.
  const due = await reader.listDue(REAL_TIME, wallNow(), failing.size + waiting + 1)
  if (due.some((record) => (deadlineOf(record)?.at ?? 0) > until)) throw new DueJobsPendingError()
}
