import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ended } from '../commands/paycli.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { exploreHandler, HANDLER_PAIRS, type HandlerPair, type HandlerVariant } from './handler-pairs.ts'

/** The last test may wait for all runs. */
const TIMEOUT_MS = 230_000
const FINDING = 8
/** Two pairs at a time: a run mostly waits for the processes of its app and scenario. */
const RUNS_AT_ONCE = 4
/** A pair whose bug an exploration finds after few faults; `npm run bench -- explore` searches for all of them. */
const SOON_FOUND = 'charge-without-key'
/** The exploration ends with its first finding; how soon depends on the machine. */
const SEARCH_FLAGS = ['--time', '10m']

/** Tests the pairs whose first fault is of this kind. All pairs in one file would take as long as the runner allows a file. */
export function testHandlerPairs(kind: 'delivery' | 'request'): void {
  const test = suite(`explore/handlers.${kind}`, {}, TIMEOUT_MS)
  const hasPython = spawnSync('python3', ['--version']).status === 0
  const waiting: (() => Promise<void>)[] = []

  test.before(() => {
    const work = async () => {
      for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) await run()
    }
    for (let index = 0; index < RUNS_AT_ONCE; index += 1) void work()
  })

  /** Queues a run; the function that it returns waits for the result. */
  function queue(pair: HandlerPair, variant: HandlerVariant, flags: readonly string[]): () => Promise<Ended> {
    const { promise, resolve } = Promise.withResolvers<Ended>()
    waiting.push(async () => {
      const run = exploreHandler(pair, variant, flags)
      resolve(run)
      await run.catch(() => null)
    })
    return () => promise
  }

  for (const pair of HANDLER_PAIRS.filter(({ schedule }) => schedule[0]?.at.kind === kind)) {
    const title = `the faults of ${pair.name} show its bug, and nothing in its correction`
    if (pair.language === 'python' && !hasPython) {
      test.skip(title, () => {})
      continue
    }
    const file = join(newFolder(), 'schedule.json')
    writeFileSync(file, JSON.stringify({ version: 1, schedule: pair.schedule }))
    const runs = (['wrong', 'correct'] as const).map((variant) => queue(pair, variant, ['--replay', file]))

    test(title, async () => {
      const [wrong, correct] = await Promise.all(runs.map((ended) => ended()))
      assert.is(wrong?.code, FINDING, `${wrong?.stdout}${wrong?.stderr}`)
      assert.is(correct?.code, 0, `${correct?.stdout}${correct?.stderr}`)
    })

    if (pair.name !== SOON_FOUND) continue
    const search = queue(pair, 'wrong', SEARCH_FLAGS)

    test(`explore finds the bug of ${pair.name}`, async () => {
      const { code, stdout, stderr } = await search()
      assert.is(code, FINDING, stdout + stderr)
    })
  }

  test.run()
}
