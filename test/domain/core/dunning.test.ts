import {
  DEFAULT_DUNNING_POLICY,
  EXHAUSTION_POLICIES,
  findNextAttemptTime,
  parseRetryDays,
} from '../../../src/domain/core/dunning.ts'
import { DAY, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/core/dunning')

/** Columns: retry days, earlier attempts, days until the next attempt or `-`. */
const NEXT = `
  3,5,7    1 3
  3,5,7    2 5
  3,5,7    3 7
  3,5,7    4 -
  3,5,7    9 -
  none     1 -
  30       1 30
  30       2 -
  1,1,1,1  4 1
  1,1,1,1  5 -
`

for (const line of NEXT.trim().split('\n')) {
  const [days = '', attempts, next] = line.trim().split(/\s+/)
  test(`retry days ${days} schedule ${next === '-' ? 'no attempt' : `an attempt in ${next} days`} after ${attempts} attempts`, () => {
    const dunning = { ...DEFAULT_DUNNING_POLICY, retry_days: parseRetryDays(days) ?? [] }
    const wanted = next === '-' ? null : START + Number(next) * DAY
    assert.is(findNextAttemptTime(dunning, Number(attempts), START), wanted)
  })
}

test('the default policy retries after 3, 5 and 7 days and then cancels the subscription', () => {
  assert.equal(DEFAULT_DUNNING_POLICY, { retry_days: [3, 5, 7], on_exhausted: 'cancel' })
  assert.equal(EXHAUSTION_POLICIES, ['cancel', 'unpaid', 'past_due'])
})

/** Columns: text, retry days or null when invalid. */
const RETRY_DAYS: readonly (readonly [string, readonly number[] | null])[] = [
  ['3,5,7', [3, 5, 7]],
  ['1', [1]],
  ['30', [30]],
  [' 3 , 5 ', [3, 5]],
  ['none', []],
  ['1,1,1,1,1,1,1,1', [1, 1, 1, 1, 1, 1, 1, 1]],
  ['1,1,1,1,1,1,1,1,1', null],
  ['0', null],
  ['31', null],
  ['-1', null],
  ['1.5', null],
  ['3,', null],
  ['', null],
  ['3;5', null],
  ['3d', null],
  ['None', null],
  ['1e1', null],
]

for (const [text, days] of RETRY_DAYS) {
  test(`parses the retry days '${text}' as ${JSON.stringify(days)}`, () =>
    assert.equal(parseRetryDays(text), days))
}

test.run()
