import { type ClockState, settledAt, updateClockState } from '../../../src/domain/time/settled-time.ts'
import { DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/time/settled-time')

const HOUR = 3600
const TRUSTED: ClockState = { wall: START, lag: 0, since: null }
const JUMPED: ClockState = { wall: START, lag: 60 * DAY, since: START }

/** title, state, seconds later, new state, lag of settled time in seconds */
const TABLE: readonly (readonly [
  title: string,
  before: ClockState,
  later: number,
  after: Partial<ClockState>,
  behind: number,
])[] = [
  ['keeps the clock state unchanged for an hour', TRUSTED, HOUR - 1, {}, 0],
  ['stores the current time every hour', TRUSTED, HOUR, { wall: START + HOUR }, 0],
  ['settled time follows the clock after a pause of one day', TRUSTED, DAY, { wall: START + DAY }, 0],
  [
    'settled time stops after a pause of more than one day',
    TRUSTED,
    DAY + 1,
    { wall: START + DAY + 1, lag: DAY + 1, since: START + DAY + 1 },
    DAY + 1,
  ],
  [
    'settled time stops after the clock jumps 60 days ahead',
    TRUSTED,
    60 * DAY,
    { wall: START + 60 * DAY, lag: 60 * DAY, since: START + 60 * DAY },
    60 * DAY,
  ],
  [
    'settled time stays behind a clock jump for almost a day',
    JUMPED,
    DAY - 1,
    { wall: START + DAY - 1 },
    60 * DAY,
  ],
  [
    'settled time follows a clock jump after one day',
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
    'settled time has no lag after the clock is set back by the whole jump',
    JUMPED,
    -60 * DAY,
    { wall: START - 60 * DAY, lag: 0, since: null },
    0,
  ],
  [
    'settled time keeps the remaining lag after the clock is set back by part of the jump',
    JUMPED,
    -50 * DAY,
    { wall: START - 50 * DAY, lag: 10 * DAY, since: START - 50 * DAY },
    10 * DAY,
  ],
  [
    'settled time follows a clock that is set back by 60 days',
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
    const state = updateClockState(before, now)
    assert.equal(state, { ...before, ...after })
    assert.is(now - settledAt(before, now), behind)
    assert.is(now - settledAt(state, now), behind)
    assert.is(updateClockState(state, now), state)
  })
}

test.run()
