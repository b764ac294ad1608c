import { createSettledTime } from '../../src/daemon/settled-time.ts'
import { START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/settled-time')

const HOUR = 3600
const DAY = 24 * HOUR

/** Both clocks of a process; `run` lets time pass in steps of a minute, `jump` sets only the wall clock. */
function clocks() {
  let [elapsed, set] = [0, START]
  const settled = createSettledTime(
    () => Math.floor(set + elapsed),
    () => elapsed * 1000,
  )
  return {
    settled,
    /** How far the settled time is behind the wall clock. */
    behind: () => Math.round(set + elapsed - settled()),
    run(seconds: number) {
      for (const end = elapsed + seconds; elapsed < end; elapsed += 60) settled()
    },
    jump(seconds: number) {
      set += seconds
    },
  }
}

test('equals the wall clock while that agrees with monotonic time', () => {
  const { run, behind } = clocks()
  for (let hour = 0; hour < 60; hour += 1) {
    run(HOUR)
    assert.is(behind(), 0)
  }
})

test('follows a jump forward once it has lasted for a day', () => {
  const { run, jump, behind } = clocks()
  run(10 * HOUR + 59 * 60)
  jump(60 * DAY)
  run(DAY - 120)
  assert.is(behind(), 60 * DAY)
  run(HOUR + 180)
  assert.is(behind(), 0)
})

test('a second jump waits for its own day', () => {
  const { run, jump, behind } = clocks()
  run(HOUR)
  jump(40 * DAY)
  run(20 * HOUR)
  jump(40 * DAY)
  run(6 * HOUR)
  assert.is(behind(), 40 * DAY)
  run(20 * HOUR)
  assert.is(behind(), 0)
})

test('follows the wall clock back at once, and a clock that stands still', () => {
  const { run, jump, behind } = clocks()
  run(HOUR)
  jump(60 * DAY)
  run(HOUR)
  jump(-60 * DAY)
  assert.is(behind(), 0)
  jump(-3 * HOUR)
  assert.is(behind(), 0)
  let elapsedMs = 0
  const frozen = createSettledTime(
    () => START,
    () => elapsedMs,
  )
  for (; elapsedMs < 3 * DAY * 1000; elapsedMs += HOUR * 1000) assert.is(frozen(), START)
})

test('a jump that was taken back before the day was over leaves nothing behind', () => {
  const { run, jump, behind } = clocks()
  run(HOUR)
  jump(60 * DAY)
  run(20 * HOUR)
  jump(-60 * DAY)
  run(2 * DAY)
  assert.is(behind(), 0)
})

test.run()
