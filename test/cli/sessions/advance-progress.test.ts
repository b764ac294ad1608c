import {
  computeAdvanceRange,
  formatAdvanceProgress,
  waitWithProgress,
} from '../../../src/cli/sessions/advance-progress.ts'
import type { TestClock } from '../../../src/domain/time/test-clocks.ts'
import { assert, suite } from '../../support/suite.ts'

const NEW_YEAR = 1704067200
const DAY = 86_400

const test = suite('cli/advance-progress')

test('computes the end of an advance by a calendar month, or of an advance to a timestamp', () => {
  const clock = { frozen_time: NEW_YEAR + 30 * DAY } as TestClock
  assert.equal(computeAdvanceRange(clock, { by: { interval: 'month', count: 1 } }), {
    from: NEW_YEAR + 30 * DAY,
    to: NEW_YEAR + 59 * DAY,
  })
  assert.equal(computeAdvanceRange(clock, { frozen_time: NEW_YEAR + 31 * DAY }).to, NEW_YEAR + 31 * DAY)
})

test('formats the progress of an advance as a percentage and a date within its range', () => {
  const range = { from: NEW_YEAR, to: NEW_YEAR + 10 * DAY }
  assert.is(formatAdvanceProgress(range, NEW_YEAR + 4 * DAY + 5), 'Advancing  40 %  2024-01-05')
  assert.is(formatAdvanceProgress(range, 0), 'Advancing   0 %  2024-01-01')
  assert.is(formatAdvanceProgress(range, NEW_YEAR + 400 * DAY), 'Advancing 100 %  2024-01-11')
  assert.is(formatAdvanceProgress({ from: NEW_YEAR, to: NEW_YEAR }, NEW_YEAR), 'Advancing 100 %  2024-01-01')
})

/** Creates a status line that records the texts that it shows. */
function createLine() {
  const shown: string[] = []
  return { shown, show: (text: string) => shown.push(text), clear: () => shown.push('cleared') }
}

const noWait = async () => {}

test('shows progress until the work is done, and skips failed reads', async () => {
  const work = Promise.withResolvers<string>()
  const line = createLine()
  let reads = 0
  const readProgress = async () => {
    reads += 1
    if (reads === 2) throw new Error('failed')
    if (reads === 4) work.resolve('done')
    return `read ${reads}`
  }
  assert.is(await waitWithProgress(work.promise, readProgress, line, noWait), 'done')
  assert.equal(line.shown.slice(0, 2), ['read 1', 'read 3'])
  assert.is(line.shown.at(-1), 'cleared')
})

test('clears the status line and rejects when the work fails', async () => {
  const line = createLine()
  const failing = waitWithProgress(Promise.reject(new Error('broken')), async () => 'never', line, noWait)
  assert.is(await failing.catch((error: Error) => error.message), 'broken')
  assert.is(line.shown.at(-1), 'cleared')
})

test('clears the status line as soon as the promise resolves', async () => {
  const line = createLine()
  await waitWithProgress(Promise.resolve('done'), async () => 'never', line)
  assert.equal(line.shown, ['cleared'])
})

test.run()
