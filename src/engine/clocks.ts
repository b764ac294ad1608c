import { type Asking, endOfAdvance, noteAdvance } from '../domain/advances.ts'
import type { Decision } from '../domain/changes.ts'
import { deadlineOf, timeQueue } from '../domain/deadlines.ts'
import { periodsUntil } from '../domain/subscriptions.ts'
import {
  beginAdvance,
  breakClock,
  type DeletedTestClock,
  endAdvance,
  isDeletedClock,
  requireTarget,
  type Target,
  type TestClock,
  timeOn,
  tooFar,
} from '../domain/test-clocks.ts'
import type { Reader, Store } from '../store/port/store.ts'
import { deleteOn } from './clock-deletion.ts'
import { commit } from './commit.ts'
import { carryOutDue } from './deadlines.ts'
import { loadAll } from './load-related.ts'
import type { Runtime } from './runtime.ts'
import { isStoreTrouble } from './store-trouble.ts'
import { realTime } from './time-source.ts'

const MAX_PERIODS_PER_ADVANCE = 100_000

/** A clock, where it goes, and about how much is to do on the way. */
export interface Way {
  readonly clock: TestClock
  readonly target: Target
  readonly periods: number
}

/** Looks how much becomes due on a clock until a moment; refuses one it cannot go to, and a clock that cannot go. */
export async function loadWay(reader: Reader, clock: TestClock, target: Target): Promise<Way> {
  timeOn(clock, clock.id)
  // Counting periods to a moment outside the calendar would be no refusal but a bug.
  requireTarget(clock, target)
  const live = await loadAll(reader, 'subscriptions', { where: { live_test_clock: clock.id } })
  const periods = live.reduce((sum, subscription) => sum + periodsUntil(subscription, target.until), 0)
  return { clock, target, periods }
}

/** Sets a clock on its way; what becomes due on it is done by `finishAdvance`. */
export function setOut({ clock, target, periods }: Way, asking: Asking): Decision<TestClock> {
  const begun = beginAdvance(clock, target.until)
  if (periods > MAX_PERIODS_PER_ADVANCE) {
    const why = `about ${periods} billing periods, and ${MAX_PERIODS_PER_ADVANCE} can be done at once; advance in smaller steps`
    throw tooFar(clock, { why, param: target.param })
  }
  return { changes: [begun, noteAdvance(clock, asking)], result: begun.after }
}

/**
 * Goes on with every advance and every deletion of a clock that a stop of the process interrupted. When all clocks stand
 * still it resolves, or rejects with what went wrong first.
 */
export async function resumeClocks(runtime: Runtime): Promise<void> {
  const errors: unknown[] = []
  for (const clock of await movingClocks(runtime.store)) {
    // One clock that breaks holds up no other.
    await goOnWith(runtime, clock).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0) throw errors[0]
}

/** The clocks that are on their way, or being deleted, whoever is at it. */
export async function movingClocks(reader: Reader): Promise<readonly TestClock[]> {
  const where = { status: ['advancing', 'deleting'] }
  const found = await loadAll(reader, 'test_clocks', { where })
  return found.filter((clock): clock is TestClock => !isDeletedClock(clock))
}

// Clocks that this process is at, by how many callers.
const atWork = new WeakMap<Store, Map<string, number>>()

/** The clocks that this process is moving or deleting. */
export function clocksAtWork(store: Store): readonly string[] {
  return [...(atWork.get(store)?.keys() ?? [])]
}

// Clocks that a disk which took nothing held up.
const heldUp = new WeakMap<Store, Set<string>>()

/** Goes on with the clocks that a disk which took nothing held up; rejects with what went wrong, but for the disk. */
export async function resumeHeldUp(runtime: Runtime): Promise<void> {
  const ids = heldUp.get(runtime.store) ?? []
  heldUp.delete(runtime.store)
  for (const id of ids) {
    const clock = await runtime.store.get('test_clocks', id)
    if (clock === null || isDeletedClock(clock)) continue
    await goOnWith(runtime, clock).catch((error: unknown) => {
      if (!isStoreTrouble(error)) throw error
    })
  }
}

/** Goes on with a clock that was left on its way or amid its deletion; rejects with what went wrong. */
export async function goOnWith(runtime: Runtime, clock: TestClock): Promise<void> {
  if (clock.status === 'advancing') await finishAdvance(runtime, clock)
  if (clock.status === 'deleting') await finishDeletion(runtime, clock)
}

/**
 * Does all that becomes due on a clock that set out, each at its own time, and resolves with the clock at its new time.
 * When something cannot be done the clock is marked as broken, and it rejects with what went wrong; when the disk takes
 * nothing the clock stays on its way, for `resumeHeldUp`.
 */
export function finishAdvance(runtime: Runtime, clock: TestClock): Promise<TestClock> {
  return untilHeldUp(runtime, clock, advanceOn)
}

/**
 * Deletes what is on a clock that is being deleted, and at last the clock. When something cannot be done it rejects and
 * stays so: asking again goes on with it, as the next start does, and `resumeHeldUp` where the disk took nothing.
 */
export function finishDeletion(runtime: Runtime, clock: TestClock): Promise<DeletedTestClock> {
  return untilHeldUp(runtime, clock, deleteOn)
}

async function untilHeldUp<R>(
  runtime: Runtime,
  clock: TestClock,
  work: (runtime: Runtime, clock: TestClock) => Promise<R>,
): Promise<R> {
  const { store } = runtime
  const own = atWork.get(store) ?? new Map<string, number>()
  atWork.set(store, own.set(clock.id, (own.get(clock.id) ?? 0) + 1))
  try {
    return await work(runtime, clock)
  } catch (error) {
    if (isStoreTrouble(error)) heldUp.set(store, (heldUp.get(store) ?? new Set()).add(clock.id))
    throw error
  } finally {
    const others = (own.get(clock.id) ?? 1) - 1
    if (others > 0) own.set(clock.id, others)
    else own.delete(clock.id)
  }
}

async function advanceOn(runtime: Runtime, { id, status_details }: TestClock): Promise<TestClock> {
  const until = status_details.advancing?.target_frozen_time ?? 0
  const left = await carryOutDue(runtime, { queue: timeQueue(id), until, stopsAtFailure: true })
  const [failed] = left.failed
  const advance = await runtime.store.get('advances', id)
  const clock = await commit(runtime, {
    request: advance?.request ?? null,
    load: (reader) => loadClock(reader, id),
    when: () => realTime,
    decide: (current) => {
      // Where several processes share a store, another one may have been faster, and the clock on its next way.
      if (current.status_details.advancing?.target_frozen_time !== until)
        return { changes: [], result: current }
      const ended = failed ? breakClock(current, deadlineOf(failed.record)?.at) : endAdvance(current, until)
      const told = endOfAdvance(advance, failed ? null : ended.after)
      return { changes: [ended, ...told], result: ended.after }
    },
  })
  if (failed) throw failed.error
  return clock
}

async function loadClock(reader: Reader, id: string): Promise<TestClock> {
  const clock = await reader.get('test_clocks', id)
  if (clock === null || isDeletedClock(clock)) throw new Error(`test clock ${id} went away while it advanced`)
  return clock
}
