import { countPeriodStartsUntil, type Subscription } from '../domain/billing/subscriptions.ts'
import { type Decision, isDeleted } from '../domain/core/changes.ts'
import {
  finishClockRequest,
  type OriginatingRequest,
  storeUnfinishedClockRequest,
} from '../domain/schedule/clock-procedures.ts'
import { findDeadline, getClockQueue } from '../domain/schedule/deadlines.ts'
import { formatTimestamp } from '../domain/text/format-timestamp.ts'
import {
  type AdvanceTarget,
  beginAdvance,
  createAdvanceTooFarError,
  type DeletedTestClock,
  endAdvance,
  getReadyClockTime,
  markClockFailed,
  requireValidAdvanceTarget,
  type TestClock,
} from '../domain/time/test-clocks.ts'
import type { Store, StoreReader } from '../store/port/store.ts'
import { runClockDeletion } from './clock-deletion.ts'
import { commit } from './commit.ts'
import { drainQueue } from './due-jobs.ts'
import { loadMatching } from './load-related.ts'
import type { Runtime } from './runtime.ts'
import { isStoreUnavailableError } from './store-errors.ts'
import { REAL_TIME } from './time-reference.ts'

// Limits one advance: a billing period takes about 2 ms and 25 kB, and other advances of the sandbox wait.
const MAX_PERIODS_PER_ADVANCE = 10_000
const MAX_ESTIMATES = 3
const MAX_DUE_RECORDS = 1000

/** An advance of a test clock, with the approximate number of billing periods until its target. */
export interface PlannedClockAdvance {
  readonly clock: TestClock
  readonly target: AdvanceTarget
  readonly periods: number
  /** The latest possible target of one advance, in Unix seconds. */
  readonly furthest: number
}

/** Counts the billing periods until a target time. Rejects when the target is invalid or the clock is not ready. */
export async function planClockAdvance(
  reader: StoreReader,
  clock: TestClock,
  target: AdvanceTarget,
): Promise<PlannedClockAdvance> {
  getReadyClockTime(clock, clock.id)
  // Check the target before counting, which fails for times outside the calendar.
  requireValidAdvanceTarget(clock, target)
  const live = await loadRenewing(reader, clock, target.until)
  const periods = countPeriods(live, target.until)
  const isShort = periods <= MAX_PERIODS_PER_ADVANCE
  const furthest = isShort ? target.until : findFurthest(clock, live, target.until)
  return { clock, target, periods, furthest }
}

/** Loads at least the live subscriptions of a clock whose next period starts by a time in Unix seconds. */
async function loadRenewing(
  reader: StoreReader,
  clock: TestClock,
  until: number,
): Promise<readonly Subscription[]> {
  // Read only due records if possible: a period starts no earlier than the next job of its subscription.
  const due = await reader.listDue(getClockQueue(clock.id), until, MAX_DUE_RECORDS + 1)
  if (due.length <= MAX_DUE_RECORDS)
    return due.filter((record): record is Subscription => record.object === 'subscription')
  return loadMatching(reader, 'subscriptions', { where: { live_test_clock: clock.id } })
}

function countPeriods(live: readonly Subscription[], until: number): number {
  return live.reduce((sum, subscription) => sum + countPeriodStartsUntil(subscription, until), 0)
}

/**
 * Returns the end of an advance that has about as many periods as the limit allows. The end is never before the next
 * job of a subscription, so that a clock can always be advanced, even when too many periods start in one second.
 */
function findFurthest(clock: TestClock, live: readonly Subscription[], until: number): number {
  const first = live.reduce((min, one) => Math.min(min, findDeadline(one)?.at ?? until), until)
  let furthest = until
  for (let estimates = 0; estimates < MAX_ESTIMATES; estimates += 1) {
    const share = MAX_PERIODS_PER_ADVANCE / countPeriods(live, furthest)
    if (share >= 1) return Math.max(first, furthest)
    furthest = clock.frozen_time + Math.floor((furthest - clock.frozen_time) * share)
  }
  return countPeriods(live, furthest) <= MAX_PERIODS_PER_ADVANCE ? Math.max(first, furthest) : first
}

/** Marks a clock as advancing, so that `finishClockAdvance` runs its due jobs. Throws when the target is too far away. */
export function decideClockAdvance(
  { clock, target, periods, furthest }: PlannedClockAdvance,
  request: OriginatingRequest,
): Decision<TestClock> {
  const begun = beginAdvance(clock, target.until, target.monthStepsStart)
  if (target.until > furthest) {
    const reason = `it has about ${periods} billing periods, and the limit is ${MAX_PERIODS_PER_ADVANCE}. Advance in steps, the first one at most to ${formatTimestamp(furthest)}`
    throw createAdvanceTooFarError(clock, reason, target.param)
  }
  return { changes: [begun, storeUnfinishedClockRequest(clock, request)], result: begun.after }
}

/**
 * Resumes every advance and every deletion that a stop of the process interrupted. Resolves after the last clock, or
 * rejects with the first error.
 */
export async function resumeInterruptedClocks(runtime: Runtime): Promise<void> {
  const errors: unknown[] = []
  for (const clock of await listAdvancingOrDeletingClocks(runtime.store)) {
    // A clock whose job fails must not block the other clocks.
    await resumeInterruptedClock(runtime, clock).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw errors[0]
}

/** Returns the clocks that are advancing or being deleted, by any process. */
export async function listAdvancingOrDeletingClocks(reader: StoreReader): Promise<readonly TestClock[]> {
  const where = { status: ['advancing', 'deleting'] }
  const clocks = await loadMatching(reader, 'test_clocks', { where })
  return clocks.filter((clock): clock is TestClock => !isDeleted(clock))
}

// The number of running jobs by clock id, for each store of this process.
const runningJobs = new WeakMap<Store, Map<string, number>>()

/** Returns the ids of the clocks that this process advances or deletes. */
export function listOwnBusyClockIds(store: Store): readonly string[] {
  return [...(runningJobs.get(store)?.keys() ?? [])]
}

// The ids of the clocks whose job stopped because the store could not write, for each store of this process.
const suspendedClocks = new WeakMap<Store, Set<string>>()

/** Resumes the clocks that stopped because the store could not write. Rejects with any other error. */
export async function resumeSuspendedClocks(runtime: Runtime): Promise<void> {
  const ids = suspendedClocks.get(runtime.store) ?? []
  suspendedClocks.delete(runtime.store)
  for (const id of ids) {
    const clock = await runtime.store.get('test_clocks', id)
    if (clock === null || isDeleted(clock)) continue
    await resumeInterruptedClock(runtime, clock).catch((error: unknown) => {
      if (!isStoreUnavailableError(error)) throw error
    })
  }
}

/** Resumes an interrupted advance or deletion of a clock. */
export async function resumeInterruptedClock(runtime: Runtime, clock: TestClock): Promise<void> {
  if (clock.status === 'advancing') await finishClockAdvance(runtime, clock)
  if (clock.status === 'deleting') await finishClockDeletion(runtime, clock)
}

/**
 * Runs the due jobs of an advancing clock, each at its own time, and resolves with the clock at its new time. When a
 * job fails, marks the clock as `internal_failure` and rejects. When the store cannot write, the clock stays
 * `advancing` until `resumeSuspendedClocks`.
 */
export function finishClockAdvance(runtime: Runtime, clock: TestClock): Promise<TestClock> {
  return runClockJob(runtime, clock, runAdvance)
}

/**
 * Deletes the customers of a clock that is being deleted, and finally the clock. Rejects on an error, and the clock
 * stays `deleting`. Another deletion request, the next start of the daemon, or `resumeSuspendedClocks` then continues.
 */
export function finishClockDeletion(runtime: Runtime, clock: TestClock): Promise<DeletedTestClock> {
  return runClockJob(runtime, clock, runClockDeletion)
}

async function runClockJob<R>(
  runtime: Runtime,
  clock: TestClock,
  work: (runtime: Runtime, clock: TestClock) => Promise<R>,
): Promise<R> {
  const { store } = runtime
  const counts = runningJobs.get(store) ?? new Map<string, number>()
  runningJobs.set(store, counts.set(clock.id, (counts.get(clock.id) ?? 0) + 1))
  try {
    return await work(runtime, clock)
  } catch (error) {
    if (isStoreUnavailableError(error))
      suspendedClocks.set(store, (suspendedClocks.get(store) ?? new Set()).add(clock.id))
    throw error
  } finally {
    const remaining = (counts.get(clock.id) ?? 1) - 1
    if (remaining > 0) counts.set(clock.id, remaining)
    else counts.delete(clock.id)
  }
}

async function runAdvance(runtime: Runtime, { id, status_details }: TestClock): Promise<TestClock> {
  const until = status_details.advancing?.target_frozen_time ?? 0
  const result = await drainQueue(runtime, { queue: getClockQueue(id), until, stopAtFailure: true })
  const [failed] = result.failed
  const advance = await runtime.store.get('advances', id)
  const clock = await commit(runtime, {
    request: advance?.request ?? null,
    load: (reader) => loadClock(reader, id),
    when: () => REAL_TIME,
    decide: (current) => {
      // Change nothing if another process has finished this advance and started the next advance.
      if (current.status_details.advancing?.target_frozen_time !== until)
        return { changes: [], result: current }
      const ended = failed
        ? markClockFailed(current, findDeadline(failed.record)?.at)
        : endAdvance(current, until)
      const finished = finishClockRequest(advance, failed ? null : ended.after)
      return { changes: [ended, ...finished], result: ended.after }
    },
  })
  if (failed) throw failed.error
  return clock
}

async function loadClock(reader: StoreReader, id: string): Promise<TestClock> {
  const clock = await reader.get('test_clocks', id)
  if (clock === null || isDeleted(clock)) throw new Error(`test clock ${id} was deleted during its advance`)
  return clock
}
