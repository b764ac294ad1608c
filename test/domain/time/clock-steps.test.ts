import {
  type CalendarDuration,
  findMonthStepsStart,
  getTimeAfterStep,
  type SteppedClock,
} from '../../../src/domain/time/clock-steps.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/time/clock-steps')

const unix = (date: string) => Date.parse(date) / 1000

/** Columns: start, unit, count, end. */
const DURATIONS = `
  2024-01-31T10:00:00Z hour  1   2024-01-31T11:00:00Z
  2024-01-31T10:00:00Z hour  24  2024-02-01T10:00:00Z
  2024-01-31T10:00:00Z day   1   2024-02-01T10:00:00Z
  2024-01-31T10:00:00Z week  2   2024-02-14T10:00:00Z
  2024-01-31T10:00:00Z month 1   2024-02-29T10:00:00Z
  2023-01-31T10:00:00Z month 1   2023-02-28T10:00:00Z
  2024-01-31T10:00:00Z month 13  2025-02-28T10:00:00Z
  2024-02-29T10:00:00Z year  1   2025-02-28T10:00:00Z
  2024-02-29T10:00:00Z year  4   2028-02-29T10:00:00Z
`

for (const line of DURATIONS.trim().split('\n')) {
  const [from = '', interval, count, to = ''] = line.trim().split(/\s+/)
  test(`an advance from ${from} by ${count} ${interval} ends at ${to}`, () => {
    const span = { interval, count: Number(count) } as CalendarDuration
    assert.is(getTimeAfterStep({ frozen_time: unix(from), month_steps_start: null }, span), unix(to))
  })
}

/** Columns: start, then each step and its end. */
const STEPS = `
  2027-01-31: 1 month 2027-02-28, 1 month 2027-03-31, 1 month 2027-04-30
  2027-01-31: 1 month 2027-02-28, 2 month 2027-04-30, 1 month 2027-05-31
  2027-01-30: 1 month 2027-02-28, 1 month 2027-03-30
  2028-01-31: 1 month 2028-02-29, 1 year  2029-02-28, 1 month 2029-03-31
  2028-02-29: 1 year  2029-02-28, 3 year  2032-02-29
  2027-01-31: 1 month 2027-02-28, 3 day   2027-03-03, 1 month 2027-04-03
  2027-01-31: 1 month 2027-02-28, 4 week  2027-03-28, 1 month 2027-04-28
  2027-01-31: 28 day  2027-02-28, 1 month 2027-03-28
  2027-01-31: 1 month 2027-02-28, 1 hour  2027-02-28T01:00:00Z, 1 month 2027-03-28T01:00:00Z
`

for (const line of STEPS.trim().split('\n')) {
  test(`steps in months keep the day on which they began: ${line.trim()}`, () => {
    const [start = '', steps = ''] = line.trim().split(': ')
    let clock: SteppedClock = { frozen_time: unix(start), month_steps_start: null }
    for (const text of steps.split(', ')) {
      const [count, interval, end = ''] = text.split(/\s+/)
      const step = { interval, count: Number(count) } as CalendarDuration
      clock = {
        frozen_time: getTimeAfterStep(clock, step),
        month_steps_start: findMonthStepsStart(clock, step),
      }
      assert.is(clock.frozen_time, unix(end), text)
    }
  })
}

test.run()
