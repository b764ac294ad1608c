import { spawnSync } from 'node:child_process'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { assert, suite } from '../support/suite.ts'
import { isFullRun } from '../support/test-level.ts'
import { exploreHandler, HANDLER_PAIRS, integrationOf } from './handler-pairs.ts'
import { openReplays } from './replays.ts'

/** The last test may wait for all runs. */
const TIMEOUT_MS = 230_000
/** A run mostly waits for the processes of its app and scenario. */
const RUNS_AT_ONCE = 4
const FINDING = 8
/** A pair whose bug an exploration finds after few faults; `npm run bench -- explore` searches for all of them. */
const SOON_FOUND = 'charge-without-key'
/** Pairs with the same kind of fault as another pair; only a full run explores them. */
const REPEATED: ReadonlySet<string> = new Set([SOON_FOUND, 'error-on-duplicate', 'marked-before-done'])

const test = suite('explore/handlers', {}, TIMEOUT_MS)
const hasPython = spawnSync('python3', ['--version']).status === 0
const waiting: (() => Promise<void>)[] = []

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon()
  const work = async () => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) await run()
  }
  for (let index = 0; index < RUNS_AT_ONCE; index += 1) void work()
})

test.after(() => daemon?.stop())

/** Queues a function; returns a function that waits for the result. */
function queue<T>(run: () => Promise<T>): () => Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  // The test that waits for the result reports its error.
  promise.catch(() => {})
  waiting.push(async () => {
    const running = run()
    resolve(running)
    await running.catch(() => null)
  })
  return () => promise
}

for (const pair of HANDLER_PAIRS) {
  if (REPEATED.has(pair.name) && !isFullRun()) continue
  const title = `the faults of ${pair.name} show its bug, and nothing in its correction`
  if (pair.language === 'python' && !hasPython) {
    test.skip(title, () => {})
    continue
  }
  const wrong = queue(async () => {
    const { changesBy, close } = await openReplays(daemon, integrationOf(pair, 'wrong'))
    return changesBy(pair.schedule).finally(close)
  })
  const correct = queue(async () => {
    const { lastingChangesBy, close } = await openReplays(daemon, integrationOf(pair, 'correct'))
    return lastingChangesBy(pair.schedule).finally(close)
  })

  test(title, async () => {
    assert.is.not((await wrong()).length, 0)
    assert.equal(await correct(), [])
  })

  if (pair.name !== SOON_FOUND) continue

  test(`explore finds the bug of ${pair.name}`, async () => {
    // The exploration ends with its first finding, after a time that depends on the machine.
    const { code, stdout, stderr } = await exploreHandler(pair, 'wrong', ['--time', '10m'])
    assert.is(code, FINDING, stdout + stderr)
  })
}

test.run()
