import { api } from '../../src/api/index.ts'
import type { TestClock } from '../../src/domain/test-clocks.ts'
import { isDeletedClock } from '../../src/domain/test-clocks.ts'
import { beginToDelete } from '../../src/engine/clock-deletion.ts'
import { finishAdvance, loadWay, setOut } from '../../src/engine/clocks.ts'
import { commit } from '../../src/engine/commit.ts'
import { realTime } from '../../src/engine/time-source.ts'
import type { Reader, Store } from '../../src/store/port/store.ts'
import { type Sandbox, START } from './sandbox.ts'

/** Creates a test clock that stands at `START` unless told otherwise. */
export function newClock(sandbox: Sandbox, frozen_time: number = START): Promise<TestClock> {
  return sandbox.call(api.testClocks.create, { frozen_time })
}

/** Creates a customer on a test clock and gives its id. */
export async function customerOn(sandbox: Sandbox, clock: string): Promise<string> {
  const { id } = await sandbox.call(api.customers.create, { email: 'ada@example.com', test_clock: clock })
  return id
}

/** Moves a test clock to a moment, in Unix seconds. */
export function advanceTo(sandbox: Sandbox, clock: string, frozen_time: number): Promise<TestClock> {
  return sandbox.call(api.testClocks.advance, { id: clock, frozen_time })
}

/** A request that was never answered. */
const asking = { request: { id: 'req_TestStopped', idempotency_key: null }, keyed: null }

/** Leaves a test clock as a process does that stops while it advances it: on its way, with nothing done. */
export function stopAmidAdvance(
  { runtime }: Pick<Sandbox, 'runtime'>,
  clock: string,
  target: number,
): Promise<TestClock> {
  return commit(runtime, {
    request: asking.request,
    load: async (reader) =>
      loadWay(reader, await clockOf(reader, clock), { until: target, param: 'frozen_time' }),
    when: () => realTime,
    decide: (way) => setOut(way, asking),
  })
}

/** A runtime whose advances wait once they have begun, until they are released. */
export function heldAdvances({ runtime }: Pick<Sandbox, 'runtime'>): {
  readonly runtime: Sandbox['runtime']
  readonly begun: Promise<void>
  readonly release: () => void
} {
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const get: Store['get'] = async (collection, key) => {
    if (collection === 'advances') {
      begun.resolve()
      await released.promise
    }
    return runtime.store.get(collection, key)
  }
  const held = { ...runtime, store: { ...runtime.store, get } }
  return { runtime: held, begun: begun.promise, release: released.resolve }
}

/** Leaves a test clock as a process does that stops while it deletes it: with all that is on it still there. */
export function stopAmidDeletion({ runtime }: Pick<Sandbox, 'runtime'>, clock: string): Promise<TestClock> {
  return commit(runtime, {
    request: asking.request,
    load: (reader) => clockOf(reader, clock),
    when: () => realTime,
    decide: (found) => beginToDelete(found, asking),
  })
}

/** Advances a test clock while no invoice line can be made, so that whatever is billed fails; gives what went wrong. */
export async function breakAmidAdvance(sandbox: Sandbox, clock: string, target: number): Promise<unknown> {
  const { runtime } = sandbox
  const begun = await stopAmidAdvance(sandbox, clock, target)
  return finishAdvance({ ...runtime, newId: failingIds(sandbox) }, begun).catch((error: unknown) => error)
}

/** Gives out the ids of a sandbox, but none for the line of an invoice. */
export function failingIds({ runtime }: Sandbox): Sandbox['runtime']['newId'] {
  return (prefix) => {
    if (prefix === 'il_') throw new Error('out of lines')
    return runtime.newId(prefix)
  }
}

async function clockOf(reader: Reader, id: string): Promise<TestClock> {
  const clock = await reader.get('test_clocks', id)
  if (clock === null || isDeletedClock(clock)) throw new Error(`no test clock ${id}`)
  return clock
}
