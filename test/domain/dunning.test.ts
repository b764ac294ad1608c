import { DEFAULT_DUNNING, nextAttemptAt, ON_EXHAUSTED, parseRetryDays } from '../../src/domain/dunning.ts'
import { StartupProblem } from '../../src/domain/startup-problem.ts'
import { DAY, START } from '../support/rule-context.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/dunning')

/** retry days, attempts so far, days until the next one; `-` for none */
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
  test(`with retries after ${days} days, attempt ${attempts} is followed by one in ${next} days`, () => {
    const dunning = { ...DEFAULT_DUNNING, retry_days: parseRetryDays(days) }
    const wanted = next === '-' ? null : START + Number(next) * DAY
    assert.is(nextAttemptAt(dunning, Number(attempts), START), wanted)
  })
}

test('a failed invoice is retried after 3, 5 and 7 days unless told otherwise, then its subscription ends', () => {
  assert.equal(DEFAULT_DUNNING, { retry_days: [3, 5, 7], on_exhausted: 'cancel' })
  assert.equal(ON_EXHAUSTED, ['cancel', 'unpaid', 'past_due'])
})

/** text, days; `!` where it is refused */
const READ: readonly (readonly [string, readonly number[] | '!'])[] = [
  ['3,5,7', [3, 5, 7]],
  ['1', [1]],
  ['30', [30]],
  [' 3 , 5 ', [3, 5]],
  ['none', []],
  ['1,1,1,1,1,1,1,1', [1, 1, 1, 1, 1, 1, 1, 1]],
  ['1,1,1,1,1,1,1,1,1', '!'],
  ['0', '!'],
  ['31', '!'],
  ['-1', '!'],
  ['1.5', '!'],
  ['3,', '!'],
  ['', '!'],
  ['3;5', '!'],
  ['3d', '!'],
  ['None', '!'],
  ['1e1', '!'],
]

for (const [text, days] of READ) {
  test(`'${text}' ${days === '!' ? 'are no retry days' : `reads as ${days.join() || 'no retry'}`}`, () => {
    if (days !== '!') return assert.equal(parseRetryDays(text), days)
    try {
      parseRetryDays(text)
    } catch (error) {
      assert.instance(error, StartupProblem)
      return assert.match(String(error), /up to 8 whole numbers from 1 to 30 such as 3,5,7/)
    }
    throw new Error('nothing was refused')
  })
}

test.run()
