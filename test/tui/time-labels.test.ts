import { formatEventTime, formatRetry } from '../../src/tui/time-labels.ts'
import { assert, suite } from '../support/suite.ts'
import { NOON_MS } from './test-screen.ts'

const test = suite('tui/time-labels')

test('shows the time of an event from today, and the date of any other event', () => {
  const now = NOON_MS / 1000
  assert.is(formatEventTime(now - 3600, NOON_MS), '11:05:09')
  assert.is(formatEventTime(now - 86_400, NOON_MS), '2026-01-30')
  assert.is(formatEventTime(now + 366 * 86_400, NOON_MS), '2027-02-01')
})

test('shows the time until the next attempt', () => {
  for (const [seconds, text] of [
    [-5, 'retry is due'],
    [0, 'retry is due'],
    [0.4, 'retry in 1 s'],
    [59, 'retry in 59 s'],
    [60, 'retry in 1 m'],
    [119, 'retry in 1 m'],
    [240, 'retry in 4 m'],
    [3599, 'retry in 59 m'],
    [7200, 'retry in 2 h'],
    [259_200, 'retry in 3 d'],
  ] as const)
    assert.is(formatRetry(NOON_MS / 1000 + seconds, NOON_MS), text)
})

test.run()
