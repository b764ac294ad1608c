import {
  computeRetentionTime,
  type RetentionClockState,
  updateRetentionClockState,
} from '../../../src/domain/time/retention-clock.ts'
import { DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/time/retention-clock')

const HOUR = 3600
const TRUSTED: RetentionClockState = { wall: START, lag: 0, since: null }
const JUMPED: RetentionClockState = { wall: START, lag: 60 * DAY, since: START }

/** Columns: title, state, seconds later, new state, lag of retention time in seconds. */
const TABLE: readonly (readonly [
  title: string,
  before: RetentionClockState,
  later: number,
  after: Partial<RetentionClockState>,
  behind: number,
])[] = [
  ['keeps the clock state unchanged for an hour', TRUSTED, HOUR - 1, {}, 0],
  ['stores the current time every hour', TRUSTED, HOUR, { wall: START + HOUR }, 0],
  ['retention time follows the clock after a pause of one day', TRUSTED, DAY, { wall: START + DAY }, 0],
  [
    'retention time stops after a pause of more than one day',
    TRUSTED,
    DAY + 1,
    { wall: START + DAY + 1, lag: DAY + 1, since: START + DAY + 1 },
    DAY + 1,
  ],
  [
    'retention time stops after the clock jumps 60 days ahead',
    TRUSTED,
    60 * DAY,
    { wall: START + 60 * DAY, lag: 60 * DAY, since: START + 60 * DAY },
    60 * DAY,
  ],
  [
    'retention time stays behind a clock jump for almost a day',
    JUMPED,
    DAY - 1,
    { wall: START + DAY - 1 },
    60 * DAY,
  ],
  [
    'retention time follows a clock jump after one day',
    JUMPED,
    DAY,
    { wall: START + DAY, lag: 0, since: null },
    0,
  ],
  [
    'a second clock jump restarts the wait of one day',
    JUMPED,
    40 * DAY,
    { wall: START + 40 * DAY, lag: 100 * DAY, since: START + 40 * DAY },
    100 * DAY,
  ],
  [
    'retention time has no lag after the clock is set back by the whole jump',
    JUMPED,
    -60 * DAY,
    { wall: START - 60 * DAY, lag: 0, since: null },
    0,
  ],
  [
    'retention time keeps the remaining lag after the clock is set back by part of the jump',
    JUMPED,
    -50 * DAY,
    { wall: START - 50 * DAY, lag: 10 * DAY, since: START - 50 * DAY },
    10 * DAY,
  ],
  [
    'retention time follows a clock that is set back by 60 days',
    TRUSTED,
    -60 * DAY,
    { wall: START - 60 * DAY },
    0,
  ],
  ['ignores a process whose clock is one day behind', TRUSTED, -DAY, {}, 0],
  ['keeps the lag of a clock jump when another process is one day behind', JUMPED, -DAY, {}, 60 * DAY],
]

for (const [title, before, later, after, behind] of TABLE) {
  test(title, () => {
    const now = START + later
    const state = updateRetentionClockState(before, now)
    assert.equal(state, { ...before, ...after })
    assert.is(now - computeRetentionTime(before, now), behind)
    assert.is(now - computeRetentionTime(state, now), behind)
    assert.is(updateRetentionClockState(state, now), state)
  })
}

test.run()
