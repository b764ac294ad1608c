import { api } from '../../src/api/api.ts'
import { isDeleted } from '../../src/domain/core/changes.ts'
import type { TestClock } from '../../src/domain/time/test-clocks.ts'
import { decideClockDeletion } from '../../src/engine/clock-deletion.ts'
import { decideClockAdvance, finishClockAdvance, planClockAdvance } from '../../src/engine/clocks.ts'
import { commit } from '../../src/engine/commit.ts'
import { REAL_TIME } from '../../src/engine/time-reference.ts'
import type { Store, StoreReader } from '../../src/store/port/store.ts'
import { type Sandbox, START } from './sandbox.ts'

/** Creates a test clock (default time: `START`). */
export function createClock(sandbox: Sandbox, frozen_time: number = START): Promise<TestClock> {
  return sandbox.call(api.testClocks.create, { frozen_time })
}

/** Creates a customer on a test clock and returns its id. */
export async function createCustomerOn(sandbox: Sandbox, clock: string): Promise<string> {
  const { id } = await sandbox.call(api.customers.create, { email: 'ada@example.com', test_clock: clock })
  return id
}

/** Creates a customer on a new test clock and returns their ids. */
export async function newCustomerOnClock(sandbox: Sandbox, frozen_time: number = START) {
  const { id: clock } = await createClock(sandbox, frozen_time)
  return { clock, customer: await createCustomerOn(sandbox, clock) }
}

/** Advances a test clock to a time in Unix seconds. */
export function advanceClockTo(sandbox: Sandbox, clock: string, frozen_time: number): Promise<TestClock> {
  return sandbox.call(api.testClocks.advance, { id: clock, frozen_time })
}

/** The request of an interrupted procedure, which never got a response. */
const asking = { request: { id: 'req_TestStopped', idempotency_key: null }, keyed: null }

/** Leaves a test clock as a process that stopped during an advance does: advancing, with every due job pending. */
export function interruptAdvance(
  { runtime }: Pick<Sandbox, 'runtime'>,
  clock: string,
  target: number,
): Promise<TestClock> {
  return commit(runtime, {
    request: asking.request,
    load: async (reader) =>
      planClockAdvance(reader, await clockOf(reader, clock), { until: target, param: 'frozen_time' }),
    when: () => REAL_TIME,
    decide: (way) => decideClockAdvance(way, asking),
  })
}

/** Returns a runtime whose advances pause after their start until they are released. */
export function holdAdvances({ runtime }: Pick<Sandbox, 'runtime'>): {
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

/** Leaves a test clock as a process that stopped during its deletion does: deleting, with all its objects left. */
export function interruptDeletion({ runtime }: Pick<Sandbox, 'runtime'>, clock: string): Promise<TestClock> {
  return commit(runtime, {
    request: asking.request,
    load: (reader) => clockOf(reader, clock),
    when: () => REAL_TIME,
    decide: (found) => decideClockDeletion(found, asking),
  })
}

/** Advances a test clock while creating invoice lines fails, so that billing fails; returns the error. */
export async function breakDuringAdvance(sandbox: Sandbox, clock: string, target: number): Promise<unknown> {
  const { runtime } = sandbox
  const begun = await interruptAdvance(sandbox, clock, target)
  return finishClockAdvance({ ...runtime, newId: failingIds(sandbox) }, begun).catch(
    (error: unknown) => error,
  )
}

/** Creates ids as the sandbox does, but throws for invoice lines. */
export function failingIds({ runtime }: Sandbox): Sandbox['runtime']['newId'] {
  return (prefix) => {
    if (prefix === 'il_') throw new Error('out of lines')
    return runtime.newId(prefix)
  }
}

async function clockOf(reader: StoreReader, id: string): Promise<TestClock> {
  const clock = await reader.get('test_clocks', id)
  if (clock === null || isDeleted(clock)) throw new Error(`no test clock ${id}`)
  return clock
}
