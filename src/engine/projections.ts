import type { Subscription } from '../domain/billing/subscriptions.ts'
import type { StoredObject } from '../domain/core/changes.ts'
import type { Event } from '../domain/events/events.ts'
import type { ProjectedEvents, ProjectionRange } from '../domain/reports/projections.ts'
import { type Deadline, findDeadline, getClockQueue } from '../domain/schedule/deadlines.ts'
import type { Commit, Store, StoreReader } from '../store/port/store.ts'
import { drainQueue, getDueRecordKey } from './due-jobs.ts'
import {
  loadClockProjectionRecords,
  loadSubscriptionProjectionRecords,
  type ProjectionRecords,
} from './load-projection.ts'
import { createLoadedRecordCounter, isProjectionTooLargeError } from './projection-limit.ts'
import { createSubscriptionTracker, type ProjectionTracker } from './projection-subject.ts'
import type { Runtime } from './runtime.ts'
import { createScratchRuntime } from './scratch-runtime.ts'

/** A projection stops after this number of jobs, because jobs of other subscriptions of the customer add no event. */
const MAX_JOBS = 5000
/** A projection stops when its events have this number of characters as JSON, because the response is one string. */
const MAX_EVENT_CHARACTERS = 4 * 1024 * 1024
/** The largest number of due records of a test clock that a projection loads. */
const MAX_DUE = 4000
const DUE_GROWTH = 4

/** Runs the future jobs of a subscription in a scratch copy, and returns its events. Changes nothing in the store. */
export async function projectSubscription(
  runtime: Runtime,
  subscription: Subscription,
  range: ProjectionRange,
): Promise<ProjectedEvents> {
  const records = await readOnce(runtime.store, (reader) =>
    loadSubscriptionProjectionRecords(reader, subscription, createLoadedRecordCounter(runtime)),
  )
  const subject = createSubscriptionTracker(subscription, records)
  const { events, end } = await runScratchJobs(runtime, {
    ...{ records, subject, range },
    testClock: subscription.test_clock,
    isLoaded: () => true,
  })
  return { events, hasMore: end !== 'complete' }
}

/** Runs the future jobs of all objects on a test clock in a scratch copy, and returns their events. Changes nothing in the store. */
export async function projectClock(
  runtime: Runtime,
  testClock: string,
  range: ProjectionRange,
): Promise<ProjectedEvents> {
  let count = range.limit + 1
  for (;;) {
    const loaded = await loadFirstDue(runtime, testClock, range, count)
    const { events, end } = await runScratchJobs(runtime, {
      ...loaded,
      subject: EVERYTHING,
      range,
      testClock,
    })
    const isReduced = loaded.count < count
    // The first due records may have jobs without events, such as a retry of an invoice that is already paid.
    if (end !== 'unloaded' || isReduced || count >= MAX_DUE) return { events, hasMore: end !== 'complete' }
    count *= DUE_GROWTH
  }
}

const EVERYTHING: ProjectionTracker = { owns: () => true, applyWrites: () => {}, hasJobs: () => true }

/** Loads the first due records of a test clock and the records that their jobs need, as many as the limit permits. */
async function loadFirstDue(
  runtime: Runtime,
  testClock: string,
  { until }: ProjectionRange,
  wanted: number,
): Promise<Pick<ScratchRun, 'records' | 'isLoaded'> & { readonly count: number }> {
  for (let count = wanted; ; count = Math.ceil(count / DUE_GROWTH)) {
    try {
      const { due, records } = await readOnce(runtime.store, async (reader) => {
        const due = await reader.listDue(getClockQueue(testClock), until, count)
        return {
          due,
          records: await loadClockProjectionRecords(reader, due, createLoadedRecordCounter(runtime)),
        }
      })
      return { records, count, isLoaded: due.length < count ? () => true : createHorizon(due) }
    } catch (error) {
      // Retry with fewer records. Two due records are enough to run the job of the first record.
      if (!isProjectionTooLargeError(error) || count <= 2) throw error
    }
  }
}

/**
 * Creates a function that returns whether a record is due before all records that were not loaded. Records that were
 * not loaded are due after the last loaded record.
 */
function createHorizon(due: readonly StoredObject[]): (next: StoredObject) => boolean {
  const last = due.at(-1)
  const end = last === undefined ? null : findDeadline(last)
  const loaded = new Set(due.slice(0, -1).map(getDueRecordKey))
  return (next) => {
    const order = compareDeadlines(findDeadline(next), end)
    return order < 0 || (order === 0 && loaded.has(getDueRecordKey(next)))
  }
}

function compareDeadlines(a: Deadline | null, b: Deadline | null): number {
  if (a === null || b === null) throw new Error('a due record has no deadline')
  return a.at - b.at || a.rank - b.rank
}

interface ScratchRun {
  readonly records: ProjectionRecords
  readonly testClock: string | null
  readonly range: ProjectionRange
  readonly subject: ProjectionTracker
  /** Returns whether all earlier due records were loaded. */
  readonly isLoaded: (next: StoredObject) => boolean
}

/** The reason why a projection ended: no further jobs, enough events, a limit, or a record that was not loaded. */
type ProjectionEnd = 'complete' | 'enough' | 'limit' | 'unloaded'

async function runScratchJobs(
  runtime: Runtime,
  { records, testClock, range, subject, isLoaded }: ScratchRun,
): Promise<{ readonly events: readonly Event[]; readonly end: ProjectionEnd }> {
  const { until, limit } = range
  const events: Event[] = []
  let characters = 0
  let jobs = 0
  let end: ProjectionEnd | null = null

  // Each job is one transaction. If an event of the job belongs to the subject, all events of the job count, such as a
  // change of credit.
  function collect({ writes }: Commit<unknown>, created: readonly Event[]): void {
    subject.applyWrites(writes)
    if (!created.some(({ data }) => subject.owns(data.object))) return
    events.push(...created)
    for (const { data } of created) characters += JSON.stringify(data).length
  }

  function endBefore(next: StoredObject): ProjectionEnd | null {
    if (events.length > limit) return 'enough'
    if (!subject.hasJobs(until)) return 'complete'
    if (jobs >= MAX_JOBS || characters > MAX_EVENT_CHARACTERS) return 'limit'
    return isLoaded(next) ? null : 'unloaded'
  }

  const { failed } = await drainQueue(await createScratchRuntime(runtime, records, collect), {
    queue: getClockQueue(testClock),
    until,
    stopAtFailure: true,
    mayRun: (next) => {
      end ??= endBefore(next)
      jobs += 1
      return end === null
    },
  })
  const [first] = failed
  if (first !== undefined) throw first.error
  return { events: events.slice(0, limit), end: events.length > limit ? 'enough' : (end ?? 'complete') }
}

// Reads in one transaction, so that no change happens between the reads.
async function readOnce<T>(store: Store, load: (reader: StoreReader) => Promise<T>): Promise<T> {
  const { result } = await store.transact(async (reader) => ({
    result: await load(reader),
    writes: [],
    events: [],
  }))
  return result
}
