import { type ObservedOutcome, readUntilStable } from '../../../../src/cli/explore/run/background-work.ts'
import type { ScenarioRun } from '../../../../src/cli/explore/run/run-context.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/explore/run/background-work')

/** Reads outcomes with these observations, the last one repeatedly, and returns the time of the last change. */
async function readAll(observations: readonly string[]): Promise<number> {
  let now = 0
  const run = {
    ...{ nowMs: () => (now += 250), signal: new AbortController().signal },
    recorder: { activityCount: () => 0 },
  } as unknown as ScenarioRun
  let reads = 0
  const read = async () => {
    const observation = observations[Math.min(reads, observations.length - 1)] ?? ''
    reads += 1
    return { observation, objects: {} } as ObservedOutcome
  }
  return (await readUntilStable(run, read)).settleMs
}

test('treats a changed value as background work, but not another order of fields', async () => {
  assert.ok((await readAll(['{"paid":0,"access":true}', '{"paid":5,"access":true}'])) > 0)
  assert.is(await readAll(['{"paid":5,"access":true}', '{"access":true,"paid":5}']), 0)
})

test.run()
