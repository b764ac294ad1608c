import { type ClockState, settledAt, updateClockState } from '../../src/domain/settled-time.ts'
import { DAY, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/settled-time')

const HOUR = 3600
const TRUSTED: ClockState = { wall: START, lag: 0, since: null }
const JUMPED: ClockState = { wall: START, lag: 60 * DAY, since: START }

/** a state, how much later it is, the state after that, and how far settled time is behind the wall clock then */
const TABLE: readonly (readonly [
  title: string,
  before: ClockState,
  later: number,
  after: Partial<ClockState>,
  behind: number,
])[] = [
  ['keeps the state for an hour', TRUSTED, HOUR - 1, {}, 0],
  ['notes the time each hour', TRUSTED, HOUR, { wall: START + HOUR }, 0],
  ['takes a pause of a day as it is', TRUSTED, DAY, { wall: START + DAY }, 0],
  [
    'holds a longer pause',
    TRUSTED,
    DAY + 1,
    { wall: START + DAY + 1, lag: DAY + 1, since: START + DAY + 1 },
    DAY + 1,
  ],
  [
    'holds a jump',
    TRUSTED,
    60 * DAY,
    { wall: START + 60 * DAY, lag: 60 * DAY, since: START + 60 * DAY },
    60 * DAY,
  ],
  ['holds a jump for a day', JUMPED, DAY - 1, { wall: START + DAY - 1 }, 60 * DAY],
  ['follows a jump after a day', JUMPED, DAY, { wall: START + DAY, lag: 0, since: null }, 0],
  [
    'holds a second jump for its own day',
    JUMPED,
    40 * DAY,
    { wall: START + 40 * DAY, lag: 100 * DAY, since: START + 40 * DAY },
    100 * DAY,
  ],
  [
    'forgets a jump that is taken back',
    JUMPED,
    -60 * DAY,
    { wall: START - 60 * DAY, lag: 0, since: null },
    0,
  ],
  [
    'holds the rest of a jump that is taken back in part',
    JUMPED,
    -50 * DAY,
    { wall: START - 50 * DAY, lag: 10 * DAY, since: START - 50 * DAY },
    10 * DAY,
  ],
  ['follows a clock that is set back', TRUSTED, -60 * DAY, { wall: START - 60 * DAY }, 0],
  ['ignores a process that is behind by a day', TRUSTED, -DAY, {}, 0],
  ['keeps a jump beside a process that is behind by a day', JUMPED, -DAY, {}, 60 * DAY],
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
