import fc from 'fast-check'
import { api } from '../../src/api/api.ts'
import { isDeleted } from '../../src/domain/core/changes.ts'
import {
  type CalendarDuration,
  findMonthStepsStart,
  getTimeAfterStep,
} from '../../src/domain/time/clock-steps.ts'
import { runCount } from '../support/property.ts'
import type { RandomOperation } from '../support/random-operations.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'
import { releaseStoresAfterEachCase } from '../support/store-per-case.ts'
import { assert, suite } from '../support/suite.ts'
import { assertSameHistory, normalizeSnapshot, readSnapshot } from './normalized-snapshot.ts'
import { executeRun, type RandomRun, randomRuns } from './random-runs.ts'

const HOUR_MS = 3_600_000
const test = suite('property/simulation', {}, 4 * HOUR_MS)

releaseStoresAfterEachCase()

const MAX_ACTS = 60

test('two runs of the same script create the same history, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(randomRuns(MAX_ACTS), async ({ dunning, script }) => {
      const [once, again] = [createSandbox({ dunning }), createSandbox({ dunning })]
      await executeRun(once, script)
      await executeRun(again, script)
      assert.is(JSON.stringify(await once.snapshot()), JSON.stringify(await again.snapshot()))
    }),
    runCount(20),
  )
})

/** Fractions of a duration at which it is split. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 })

/** Returns the end times of the parts of a duration in seconds, the whole duration last. */
function splitDuration(seconds: number, parts: readonly number[]): number[] {
  const stops = new Set([...parts.map((part) => Math.floor(part * seconds)), seconds])
  return [...stops].sort((a, b) => a - b)
}

/** Returns the script with each wait split into parts. */
function splitWaits(script: readonly RandomOperation[], parts: readonly number[]): RandomOperation[] {
  return script.flatMap((act): RandomOperation[] => {
    if (act.act !== 'wait') return [act]
    const stops = splitDuration(act.seconds, parts)
    return stops.map((stop, at) => ({ act: 'wait', seconds: stop - (stops[at - 1] ?? 0) }))
  })
}

/** Returns a sandbox that splits each advance into parts. */
function withSplitAdvances(sandbox: Sandbox, parts: readonly number[]): Sandbox {
  // The parts are advances to a time, which record no start of month steps, so this map records the start.
  const starts = new Map<string, number | null>()
  const advanceTo = (id: string, frozen_time: number) =>
    sandbox.call(api.testClocks.advance, { id, frozen_time })
  const call = async (operation: unknown, params: never) => {
    if (operation !== api.testClocks.advance) return sandbox.call(operation as never, params)
    const { id, by } = params as { id: string; by: CalendarDuration }
    const clock = await sandbox.store.get('test_clocks', id)
    const isThere = clock !== null && !isDeleted(clock)
    const from = isThere ? clock.frozen_time : 0
    const whole = { frozen_time: from, month_steps_start: starts.get(id) ?? null }
    const stops = isThere
      ? splitDuration(getTimeAfterStep(whole, by) - from, parts).filter((stop) => stop > 0)
      : [1]
    for (const stop of stops.slice(0, -1)) await advanceTo(id, from + stop)
    const advanced = await advanceTo(id, from + (stops.at(-1) ?? 0))
    starts.set(id, findMonthStepsStart(whole, by))
    return advanced
  }
  return { ...sandbox, call: call as Sandbox['call'] }
}

test('many short time steps create the same records and events as one long step', async () => {
  const cases = fc.record({ life: randomRuns(MAX_ACTS, { size: 'max' }), parts: cuts })
  await fc.assert(
    fc.asyncProperty(cases, async ({ life: { dunning, script }, parts }) => {
      const [once, steps] = [createSandbox({ dunning }), createSandbox({ dunning })]
      await executeRun(once, script)
      await executeRun(withSplitAdvances(steps, parts), splitWaits(script, parts))
      assertSameHistory(
        normalizeSnapshot(await readSnapshot(once)),
        normalizeSnapshot(await readSnapshot(steps)),
      )
    }),
    runCount(40),
  )
})

test('advancing a clock does not change objects on other clocks', async () => {
  await fc.assert(
    fc.asyncProperty(randomRuns(MAX_ACTS, { size: 'max' }), ({ dunning, script }: RandomRun) => {
      const sandbox = createSandbox({ dunning })
      return executeRun(checkOtherObjects(sandbox), script)
    }),
    runCount(40),
  )
})

/** Returns a sandbox that compares all objects outside of the advanced clock before and after each advance. */
function checkOtherObjects(sandbox: Sandbox): Sandbox {
  const call = async (operation: unknown, params: never) => {
    if (operation !== api.testClocks.advance) return sandbox.call(operation as never, params)
    const { id } = params as { id: string }
    const onClock = new Set([id])
    const before = await readOtherObjects(sandbox, onClock)
    const advanced = await sandbox.call(api.testClocks.advance, params)
    assert.is(await readOtherObjects(sandbox, onClock), before)
    return advanced
  }
  return { ...sandbox, call: call as Sandbox['call'] }
}

/**
 * Returns all objects that are not on a clock, except the shared invoice counter and deliveries. Adds the objects on
 * the clock to `onIt`, because a deleted invoice item no longer names its customer.
 */
async function readOtherObjects(sandbox: Sandbox, onIt: Set<string>): Promise<string> {
  const { records } = await readSnapshot(sandbox)
  const { webhook_deliveries: _, counters, authentications, ...others } = records
  const isOnIt = (record: object) =>
    Object.entries(record).some(([field, value]) =>
      ['id', 'test_clock', 'customer'].includes(field) ? onIt.has(value) : false,
    )
  for (const record of Object.values(others).flat()) if (isOnIt(record)) onIt.add(record.id)
  const isPrivate = ({ id }: { readonly id: string }) => onIt.has(id.replace('every_other:', ''))
  return JSON.stringify([
    ...Object.values(others)
      .flat()
      .filter((record) => !onIt.has(record.id) && !('data' in record && onIt.has(record.data.object.id))),
    ...authentications.filter((record) => !isPrivate(record)),
    ...counters.filter((record) => record.id !== 'invoice_number' && !isPrivate(record)),
  ])
}

test.run()
