import type { StoredObject } from '../domain/changes.ts'
import { type Deadline, deadlineOf, timeQueue } from '../domain/deadlines.ts'
import type { Event } from '../domain/events.ts'
import type { ProjectedEvents, ProjectionRange } from '../domain/projections.ts'
import type { Subscription } from '../domain/subscriptions.ts'
import { buildRecords } from '../store/memory/build-records.ts'
import { createMemoryStore } from '../store/memory/memory-store.ts'
import type { Store, StoreReader } from '../store/port/store.ts'
import { drainQueue, recordKey } from './due-jobs.ts'
import type { FaultRules } from './fault-rules.ts'
import { loadClockRecords, loadSubscriptionRecords, type ProjectedRecords } from './load-projection.ts'
import type { Runtime } from './runtime.ts'
import { EMPTY_CONTENTS } from './sandbox-copies.ts'

/** A projection stops after this number of jobs, because jobs of other subscriptions of the customer add no event to it. */
const MAX_JOBS = 10_000

const NO_FAULTS: FaultRules = {
  has: () => false,
  load: async () => [],
  claim: async () => null,
  refresh: async () => {},
}

/** Runs the future jobs of a subscription in a scratch copy, and returns its events. Changes nothing in the store. */
export async function projectSubscription(
  runtime: Runtime,
  subscription: Subscription,
  range: ProjectionRange,
): Promise<ProjectedEvents> {
  const records = await readOnce(runtime.store, (reader) => loadSubscriptionRecords(reader, subscription))
  // Each job is one transaction. That of the subscription may also change the credit of its customer.
  const isOwn = (events: readonly Event[]) => events.some(({ data }) => belongsTo(data.object, subscription))
  return runScratchJobs(runtime, {
    records,
    isOwn,
    range,
    testClock: subscription.test_clock,
    mayRun: () => true,
  })
}

/** Runs the future jobs of everything on a test clock in a scratch copy, and returns their events. Changes nothing in the store. */
export async function projectClock(
  runtime: Runtime,
  testClock: string,
  range: ProjectionRange,
): Promise<ProjectedEvents> {
  const { limit, until } = range
  const { due, records } = await readOnce(runtime.store, async (reader) => {
    const due = await reader.listDue(timeQueue(testClock), until, limit + 1)
    return { due, records: await loadClockRecords(reader, due) }
  })
  const mayRun = due.length > limit ? createHorizon(due) : () => true
  return runScratchJobs(runtime, { records, isOwn: () => true, range, testClock, mayRun })
}

/**
 * Returns whether a record is due before all records that were not loaded, which are due after the last of the loaded ones.
 */
function createHorizon(due: readonly StoredObject[]): (next: StoredObject) => boolean {
  const last = due.at(-1)
  const end = last === undefined ? null : deadlineOf(last)
  const loaded = new Set(due.slice(0, -1).map(recordKey))
  return (next) => {
    const order = compareDeadlines(deadlineOf(next), end)
    return order < 0 || (order === 0 && loaded.has(recordKey(next)))
  }
}

function compareDeadlines(a: Deadline | null, b: Deadline | null): number {
  if (a === null || b === null) throw new Error('a due record has no deadline')
  return a.at - b.at || a.rank - b.rank
}

interface ScratchRun {
  readonly records: ProjectedRecords
  readonly testClock: string | null
  readonly range: ProjectionRange
  /** Returns whether the events of a job are part of the projection. */
  readonly isOwn: (events: readonly Event[]) => boolean
  readonly mayRun: (next: StoredObject) => boolean
}

async function runScratchJobs(
  runtime: Runtime,
  { records, testClock, range, isOwn, mayRun }: ScratchRun,
): Promise<ProjectedEvents> {
  const { until, limit } = range
  const events: Event[] = []
  let jobs = 0
  let isStopped = false
  const store = await createScratchStore(runtime, records, (created) => {
    if (isOwn(created)) events.push(...created)
  })
  const { failed } = await drainQueue(createScratchRuntime(runtime, store), {
    queue: timeQueue(testClock),
    until,
    stopAtFailure: true,
    mayRun: (next) => {
      jobs += 1
      isStopped ||= events.length > limit || jobs > MAX_JOBS || !mayRun(next)
      return !isStopped
    },
  })
  const [first] = failed
  if (first !== undefined) throw first.error
  const sorted = events.toSorted((a, b) => a.sequence - b.sequence)
  return { events: sorted.slice(0, limit), hasMore: isStopped || events.length > limit }
}

/** Creates a store in memory with some records, which it shares with the real store. Calls `onEvents` after each transaction. */
async function createScratchStore(
  { yieldToEventLoop }: Runtime,
  records: ProjectedRecords,
  onEvents: (events: readonly Event[]) => void,
): Promise<Store> {
  const contents = { ...EMPTY_CONTENTS, records: { ...EMPTY_CONTENTS.records, ...records } }
  const scheduling = { yieldToEventLoop, monotonicMs: () => 0 }
  const store = createMemoryStore(await buildRecords(contents, scheduling), scheduling)
  return {
    ...store,
    async transact(work) {
      const result = await store.transact(work)
      onEvents(result.events)
      return result
    },
  }
}

/** Returns the runtime of a scratch store: no faults, no other sandboxes, and placeholders as ids of new objects. */
function createScratchRuntime(runtime: Runtime, store: Store): Runtime {
  const { sandboxes: _sandboxes, registry: _registry, ...shared } = runtime
  const counts = new Map<string, number>()
  return {
    ...shared,
    store,
    faults: NO_FAULTS,
    newId: (prefix) => {
      const count = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, count)
      return `${prefix}projected_${count}`
    },
  }
}

function belongsTo(object: StoredObject, { id }: Subscription): boolean {
  return object.id === id || ('subscription' in object && object.subscription === id)
}

// A transaction, so that no change happens between the reads.
async function readOnce<T>(store: Store, load: (reader: StoreReader) => Promise<T>): Promise<T> {
  const { result } = await store.transact(async (reader) => ({
    result: await load(reader),
    writes: [],
    events: [],
  }))
  return result
}
