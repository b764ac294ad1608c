import { progressText, showWhile, wayOf } from '../../../src/cli/sessions/advance-progress.ts'
import type { TestClock } from '../../../src/domain/test-clocks.ts'
import { assert, suite } from '../../support/suite.ts'

const NEW_YEAR = 1704067200
const DAY = 86_400

const test = suite('cli/advance-progress')

test('the way of a clock ends as billing periods do, or where it is told to', () => {
  const clock = { frozen_time: NEW_YEAR + 30 * DAY } as TestClock
  assert.equal(wayOf(clock, { by: { interval: 'month', count: 1 } }), {
    from: NEW_YEAR + 30 * DAY,
    to: NEW_YEAR + 59 * DAY,
  })
  assert.equal(wayOf(clock, { frozen_time: NEW_YEAR + 31 * DAY }).to, NEW_YEAR + 31 * DAY)
})

test('progress is a percentage and a day, never outside of the way', () => {
  const way = { from: NEW_YEAR, to: NEW_YEAR + 10 * DAY }
  assert.is(progressText(way, NEW_YEAR + 4 * DAY + 5), 'Advancing  40 %  2024-01-05')
  assert.is(progressText(way, 0), 'Advancing   0 %  2024-01-01')
  assert.is(progressText(way, NEW_YEAR + 400 * DAY), 'Advancing 100 %  2024-01-11')
  assert.is(progressText({ from: NEW_YEAR, to: NEW_YEAR }, NEW_YEAR), 'Advancing 100 %  2024-01-01')
})

/** A watch that looks again at once and keeps what it showed. */
function watching(look: () => Promise<string>) {
  const shown: string[] = []
  const line = { show: (text: string) => shown.push(text), clear: () => shown.push('cleared') }
  return { shown, watch: { look, line, wait: async () => {} } }
}

test('what is under way is shown until it is done, and looking in vain does no harm', async () => {
  const work = Promise.withResolvers<string>()
  let looks = 0
  const { shown, watch } = watching(async () => {
    looks += 1
    if (looks === 2) throw new Error('not now')
    if (looks === 4) work.resolve('done')
    return `look ${looks}`
  })
  assert.is(await showWhile(work.promise, watch), 'done')
  assert.equal(shown.slice(0, 2), ['look 1', 'look 3'])
  assert.is(shown.at(-1), 'cleared')
})

test('what fails fails, and the line is cleared first', async () => {
  const { shown, watch } = watching(async () => 'never')
  const failing = showWhile(Promise.reject(new Error('broken')), watch)
  assert.is(await failing.catch((error: Error) => error.message), 'broken')
  assert.is(shown.at(-1), 'cleared')
})

test('no wait outlives the work', async () => {
  const { shown, watch } = watching(async () => 'never')
  const { wait: _wait, ...patient } = watch
  await showWhile(Promise.resolve('done'), patient)
  assert.equal(shown, ['cleared'])
})

test.run()
