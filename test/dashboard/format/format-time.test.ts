import {
  formatDate,
  formatDateTime,
  formatMilliseconds,
  formatTimeDistance,
  formatTimeOfDay,
} from '../../../src/dashboard/format/format-time.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('dashboard/format/format-time')

const NOON = Date.UTC(2026, 0, 31, 12) / 1000

test('formats durations in milliseconds, then in seconds', () => {
  assert.equal([0, 999, 1000, 1254, 30_000].map(formatMilliseconds), [
    '0 ms',
    '999 ms',
    '1 s',
    '1.25 s',
    '30 s',
  ])
})

test('formats times in UTC', () => {
  assert.is(formatDateTime(NOON), '2026-01-31 12:00:00')
  assert.is(formatDate(NOON), '2026-01-31')
  assert.is(formatTimeOfDay(NOON), '12:00:00')
})

for (const [seconds, expected] of [
  [0, 'just now'],
  [-59, 'just now'],
  [59, 'in less than a minute'],
  [60, 'in 1 min'],
  [-3599, '59 min ago'],
  [3600, 'in 1 h'],
  [-86_400, '1 day ago'],
  [30 * 86_400, 'in 30 days'],
] as const) {
  test(`returns ${expected} for ${seconds} seconds`, () => {
    assert.is(formatTimeDistance(NOON + seconds, NOON), expected)
  })
}

test.run()
