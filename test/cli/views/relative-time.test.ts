import { formatRelativeTime } from '../../../src/cli/views/relative-time.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/relative-time')

const NOW = 1_767_225_600
const CASES: readonly (readonly [seconds: number, text: string | null])[] = [
  [0, 'now'],
  [-2, 'now'],
  [2, 'now'],
  [-3, '3 s ago'],
  [-59, '59 s ago'],
  [-60, '1 min ago'],
  [-3599, '59 min ago'],
  [-3600, '1 h ago'],
  [-86_400, '1 d ago'],
  [-30 * 86_400, '30 d ago'],
  [-31 * 86_400, null],
  [3, 'in 3 s'],
  [90, 'in 1 min'],
  [86_400 * 2, 'in 2 d'],
  [86_400 * 31, null],
]

for (const [seconds, text] of CASES) {
  test(`${seconds} s from now is ${text ?? 'too far away'}`, () => {
    assert.is(formatRelativeTime(NOW + seconds, NOW), text)
  })
}

test.run()
