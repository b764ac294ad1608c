import { deadlineOf, REAL_TIME } from '../domain/deadlines.ts'
import type { Reader, Store } from '../store/port/store.ts'
import { commit, commitOnce, type Happened, type Once, type Trigger } from './commit.ts'
import { carryOutDue, type FailedDeadline, keyOf } from './deadlines.ts'
import type { Runtime } from './runtime.ts'
import { isStoreTrouble } from './store-trouble.ts'

/** How often a request that was overtaken by time tries again before it happens as it is. */
const MAX_TRIES = 5

/** What is known of the real time of a store. */
interface Known {
  /** Until when all that became due was tried; Unix seconds. */
  until: number
  /** What failed then, by what it was, with what went wrong. */
  failing: ReadonlyMap<string, string>
  /** How many sessions that time has ended waited for a payment then. */
  waiting: number
  /** Whoever comes meanwhile waits for the same drain: one of their own would only find its work taken. */
  draining: { readonly until: number; readonly failed: Promise<readonly FailedDeadline[]> } | null
}

const known = new WeakMap<Store, Known>()

function knownOf(store: Store): Known {
  const found = known.get(store)
  if (found !== undefined) return found
  const fresh: Known = { until: 0, failing: new Map(), waiting: 0, draining: null }
  known.set(store, fresh)
  return fresh
}

/**
 * Does all that real time has made due, in order, each at its own due time, and resolves with what failed and had not
 * failed so before, which is told to one of those who ask at the same time. Called before every request and by the
 * ticker, so no answer depends on when the ticker last ran. When the disk takes nothing it all stays due, and reading
 * goes on.
 */
export async function drainDeadlines(runtime: Runtime): Promise<readonly FailedDeadline[]> {
  const { store } = runtime
  const state = knownOf(store)
  const until = runtime.wallNow()
  for (;;) {
    // Most requests find nothing due, and then nothing is opened for writing.
    if ((await store.due(REAL_TIME, until, 1)).length === 0) {
      state.until = Math.max(state.until, until)
      return []
    }
    const { draining } = state
    if (draining === null) break
    await draining.failed
    if (draining.until >= until) return []
  }
  const failed = drainUntil(runtime, until)
  state.draining = { until, failed }
  return failed.finally(() => {
    state.draining = null
  })
}

async function drainUntil(runtime: Runtime, until: number): Promise<readonly FailedDeadline[]> {
  const state = knownOf(runtime.store)
  try {
    const { failed, waiting } = await carryOutDue(runtime, {
      queue: REAL_TIME,
      until,
      stopsAtFailure: false,
    })
    const news = failed.filter(({ record, error }) => state.failing.get(keyOf(record)) !== String(error))
    state.failing = new Map(failed.map(({ record, error }) => [keyOf(record), String(error)]))
    state.waiting = waiting
    state.until = Math.max(state.until, until)
    return news
  } catch (error) {
    if (isStoreTrouble(error)) return []
    throw error
  }
}

/** What somebody asks for would happen after something that is due and was not done yet. */
class Overtaken extends Error {}

/** Like `commit`, for what somebody asks for: nothing that became due since the last drain happens after it. */
export function commitInTime<L, R>(runtime: Runtime, trigger: Trigger<L, R>): Promise<R> {
  return inTime(runtime, trigger, (inItsTurn) => commit(runtime, inItsTurn))
}

/** Like `commitOnce`, in the same way. */
export function commitOnceInTime<L, R>(
  runtime: Runtime,
  trigger: Trigger<L, R>,
  once: Once<R>,
): Promise<Happened<R>> {
  return inTime(runtime, trigger, (inItsTurn) => commitOnce(runtime, inItsTurn, once))
}

async function inTime<L, R, T>(
  runtime: Runtime,
  trigger: Trigger<L, R>,
  work: (trigger: Trigger<L, R>) => Promise<T>,
): Promise<T> {
  const guarded: Trigger<L, R> = {
    ...trigger,
    load: async (reader) => {
      // Mostly the drain before this request was in the same second.
      if (runtime.wallNow() > knownOf(runtime.store).until) await refuseOvertaken(runtime, reader)
      return trigger.load(reader)
    },
  }
  for (let tries = 1; tries < MAX_TRIES; tries += 1) {
    try {
      return await work(guarded)
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
      await drainDeadlines(runtime)
    }
  }
  return work(trigger)
}

async function refuseOvertaken({ store, wallNow }: Runtime, reader: Reader): Promise<void> {
  const { until, failing, waiting } = knownOf(store)
  // What failed or waits stays due, and holds up nothing.
  const due = await reader.due(REAL_TIME, wallNow(), failing.size + waiting + 1)
  if (due.some((record) => (deadlineOf(record)?.at ?? 0) > until)) throw new Overtaken()
}
