import fc from 'fast-check'
import { api } from '../../src/api/index.ts'
import { isDeletedClock, timeAfter } from '../../src/domain/test-clocks.ts'
import { runs } from '../support/property.ts'
import type { Act } from '../support/random-operations.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { type Life, live, lives } from './lives.ts'
import { isRetoldAlike, retold, whole } from './retelling.ts'

const HOUR_MS = 3_600_000
const test = suite('property/simulation', {}, 4 * HOUR_MS)

const MAX_ACTS = 60

test('the same sequence makes the same history, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(lives(MAX_ACTS), async ({ dunning, script }) => {
      const [once, again] = [createSandbox({ dunning }), createSandbox({ dunning })]
      await live(once, script)
      await live(again, script)
      assert.is(JSON.stringify(await once.snapshot()), JSON.stringify(await again.snapshot()))
    }),
    runs(20),
  )
})

/** Where to stop on the way, as parts of it. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 })

/** The steps of a way of so many seconds: the last one ends it. */
function stepsOf(seconds: number, parts: readonly number[]): number[] {
  const stops = new Set([...parts.map((part) => Math.floor(part * seconds)), seconds])
  return [...stops].sort((a, b) => a - b)
}

/** The same acts, with each wait in parts. */
function inSteps(script: readonly Act[], parts: readonly number[]): Act[] {
  return script.flatMap((act): Act[] => {
    if (act.act !== 'wait') return [act]
    const stops = stepsOf(act.seconds, parts)
    return stops.map((stop, at) => ({ act: 'wait', seconds: stop - (stops[at - 1] ?? 0) }))
  })
}

/** A sandbox that advances its clocks in parts. */
function advancingInSteps(sandbox: Sandbox, parts: readonly number[]): Sandbox {
  const advanceTo = (id: string, frozen_time: number) =>
    sandbox.call(api.testClocks.advance, { id, frozen_time })
  const call = async (operation: unknown, params: never) => {
    if (operation !== api.testClocks.advance) return sandbox.call(operation as never, params)
    const { id, by } = params as { id: string; by: Parameters<typeof timeAfter>[1] }
    const clock = await sandbox.store.get('test_clocks', id)
    const isThere = clock !== null && !isDeletedClock(clock)
    const from = isThere ? clock.frozen_time : 0
    const stops = isThere ? stepsOf(timeAfter(clock, by) - from, parts).filter((stop) => stop > 0) : [1]
    for (const stop of stops.slice(0, -1)) await advanceTo(id, from + stop)
    return advanceTo(id, from + (stops.at(-1) ?? 0))
  }
  return { ...sandbox, call: call as Sandbox['call'] }
}

test('moving time in steps comes to the same as moving it at once', async () => {
  const cases = fc.record({ life: lives(MAX_ACTS, { size: 'max' }), parts: cuts })
  await fc.assert(
    fc.asyncProperty(cases, async ({ life: { dunning, script }, parts }) => {
      const [once, steps] = [createSandbox({ dunning }), createSandbox({ dunning })]
      await live(once, script)
      await live(advancingInSteps(steps, parts), inSteps(script, parts))
      isRetoldAlike(retold(await whole(once)), retold(await whole(steps)))
    }),
    runs(40),
  )
})

test('what lives on other clocks does not change when a clock advances', async () => {
  await fc.assert(
    fc.asyncProperty(lives(MAX_ACTS, { size: 'max' }), ({ dunning, script }: Life) => {
      const sandbox = createSandbox({ dunning })
      return live(watchingOthers(sandbox), script).then(() => undefined)
    }),
    runs(40),
  )
})

/** A sandbox that looks at everything beside a clock before and after it advances. */
function watchingOthers(sandbox: Sandbox): Sandbox {
  const call = async (operation: unknown, params: never) => {
    if (operation !== api.testClocks.advance) return sandbox.call(operation as never, params)
    const { id } = params as { id: string }
    const before = await beside(sandbox, id)
    const advanced = await sandbox.call(api.testClocks.advance, params)
    assert.is(await beside(sandbox, id), before)
    return advanced
  }
  return { ...sandbox, call: call as Sandbox['call'] }
}

/** All that does not live on a clock; only the invoice numbers and the deliveries are everybody's. */
async function beside(sandbox: Sandbox, clock: string): Promise<string> {
  const { records } = await whole(sandbox)
  const { webhook_deliveries: _, counters, authentications, ...others } = records
  const onIt = new Set([clock])
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
