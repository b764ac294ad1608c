import fc from 'fast-check'
import {
  type BillingSchedule,
  type CalendarUnit,
  getPeriodIndex,
  getPeriodStart,
  listPeriodLengthErrors,
} from '../../../src/domain/time/periods.ts'
import { propertySettings } from '../../support/property.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/time/periods')

const DAY_SECONDS = 86_400
const LONGEST: Readonly<Record<CalendarUnit, number>> = { day: 1095, week: 156, month: 36, year: 3 }
const YEAR_2100 = 4_102_444_800

const at = (text: string) => Date.parse(`${text}Z`) / 1000
const textOf = (timestamp: number) => new Date(timestamp * 1000).toISOString().slice(0, 19)
const starts = (schedule: BillingSchedule, count: number) =>
  Array.from({ length: count }, (_, k) => textOf(getPeriodStart(schedule, k)))

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

const anySchedule: fc.Arbitrary<BillingSchedule> = fc
  .constantFrom<CalendarUnit>('day', 'week', 'month', 'year')
  .chain((interval) =>
    fc.record({
      anchor: fc.integer({ min: 0, max: YEAR_2100 }),
      interval: fc.constant(interval),
      interval_count: fc.integer({ min: 1, max: LONGEST[interval] }),
    }),
  )
const anyIndex = fc.integer({ min: 0, max: 600 })

test('monthly periods from 31 January start on the last day of each month for ten years', () => {
  const schedule: BillingSchedule = {
    anchor: at('2024-01-31T13:37:42'),
    interval: 'month',
    interval_count: 1,
  }
  const expected: string[] = []
  for (let year = 2024; year < 2034; year++) {
    for (let month = 1; month <= 12; month++) {
      expected.push(`${year}-${String(month).padStart(2, '0')}-${daysInMonth(year, month)}T13:37:42`)
    }
  }
  assert.equal(starts(schedule, 120), expected)
})

test('yearly periods from 29 February start on 28 February in common years', () => {
  const schedule: BillingSchedule = { anchor: at('2024-02-29T00:00:00'), interval: 'year', interval_count: 1 }
  assert.equal(
    starts(schedule, 6).map((text) => text.slice(0, 10)),
    ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29', '2029-02-28'],
  )
  const far: BillingSchedule = { anchor: at('2096-02-29T12:00:00'), interval: 'year', interval_count: 1 }
  assert.is(textOf(getPeriodStart(far, 4)), '2100-02-28T12:00:00', '2100 is no leap year')
})

test('two-month periods from 30 December start on the 30th, or on 28 February', () => {
  const schedule: BillingSchedule = {
    anchor: at('2025-12-30T23:59:59'),
    interval: 'month',
    interval_count: 2,
  }
  assert.equal(starts(schedule, 4), [
    '2025-12-30T23:59:59',
    '2026-02-28T23:59:59',
    '2026-04-30T23:59:59',
    '2026-06-30T23:59:59',
  ])
})

test('daylight saving time of the machine does not change period boundaries', () => {
  const schedule: BillingSchedule = { anchor: at('2026-03-28T01:30:00'), interval: 'day', interval_count: 1 }
  assert.equal(starts(schedule, 3), ['2026-03-28T01:30:00', '2026-03-29T01:30:00', '2026-03-30T01:30:00'])
})

test('billing period 0 starts at the anchor', () => {
  fc.assert(
    fc.property(anySchedule, (schedule) => assert.is(getPeriodStart(schedule, 0), schedule.anchor)),
    propertySettings,
  )
})

test('the boundaries of successive periods strictly increase', () => {
  const property = fc.property(anySchedule, anyIndex, (schedule, k) => {
    assert.ok(getPeriodStart(schedule, k) < getPeriodStart(schedule, k + 1))
  })
  fc.assert(property, { ...propertySettings, numRuns: 10_000 })
})

test('monthly and yearly periods start at the time and day of the anchor, or on the last day of a shorter month', () => {
  const property = fc.property(anySchedule, anyIndex, (schedule, k) => {
    if (schedule.interval === 'day' || schedule.interval === 'week') return
    const anchor = new Date(schedule.anchor * 1000)
    const start = new Date(getPeriodStart(schedule, k) * 1000)
    const days = daysInMonth(start.getUTCFullYear(), start.getUTCMonth() + 1)
    assert.is(start.getUTCDate(), Math.min(anchor.getUTCDate(), days))
    assert.is(getPeriodStart(schedule, k) % DAY_SECONDS, schedule.anchor % DAY_SECONDS)
    const months = k * schedule.interval_count * (schedule.interval === 'year' ? 12 : 1)
    const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
    assert.is(monthOf(start) - monthOf(anchor), months)
  })
  fc.assert(property, { ...propertySettings, numRuns: 10_000 })
})

test('daily and weekly periods start at multiples of 86,400 seconds from the anchor', () => {
  const property = fc.property(anySchedule, anyIndex, (schedule, k) => {
    const days = { day: 1, week: 7, month: null, year: null }[schedule.interval]
    if (days === null) return
    assert.is(getPeriodStart(schedule, k), schedule.anchor + k * schedule.interval_count * days * DAY_SECONDS)
  })
  fc.assert(property, { ...propertySettings, numRuns: 10_000 })
})

test('moving the anchor by whole days moves the boundaries of daily and weekly periods by the same time', () => {
  const property = fc.property(
    anySchedule,
    anyIndex,
    fc.integer({ min: 0, max: 400 }),
    (schedule, k, days) => {
      if (schedule.interval === 'month' || schedule.interval === 'year') return
      const moved = { ...schedule, anchor: schedule.anchor + days * DAY_SECONDS }
      assert.is(getPeriodStart(moved, k), getPeriodStart(schedule, k) + days * DAY_SECONDS)
    },
  )
  fc.assert(property, propertySettings)
})

test('getPeriodIndex returns the index of the period for every second of that period', () => {
  const property = fc.property(anySchedule, anyIndex, fc.nat(), (schedule, k, offset) => {
    const start = getPeriodStart(schedule, k)
    const end = getPeriodStart(schedule, k + 1)
    assert.is(getPeriodIndex(schedule, start), k)
    assert.is(getPeriodIndex(schedule, end - 1), k)
    assert.is(getPeriodIndex(schedule, end), k + 1)
    assert.is(getPeriodIndex(schedule, start + (offset % (end - start))), k)
  })
  fc.assert(property, { ...propertySettings, numRuns: 20_000 })
})

test('getPeriodIndex returns -1 before the anchor', () => {
  const schedule: BillingSchedule = { anchor: 1_000_000, interval: 'month', interval_count: 1 }
  assert.is(getPeriodIndex(schedule, 999_999), -1)
  assert.is(getPeriodIndex(schedule, 0), -1)
  assert.is(getPeriodIndex(schedule, 1_000_000), 0)
})

test('getPeriodIndex takes constant time', () => {
  const daily: BillingSchedule = { anchor: 0, interval: 'day', interval_count: 1 }
  assert.is(getPeriodIndex(daily, at('2026-11-21T12:00:00')), 20_778)
  for (let now = 0; now < 1_000_000; now++) getPeriodIndex(daily, YEAR_2100 + now)
  const monthly: BillingSchedule = { anchor: 0, interval: 'month', interval_count: 1 }
  assert.is(getPeriodIndex(monthly, at('2026-11-21T12:00:00')), 56 * 12 + 10)
})

test('getPeriodStart throws RangeError outside the range of dates', () => {
  assert.throws(
    () => getPeriodStart({ anchor: 0, interval: 'year', interval_count: 3 }, 1_000_000),
    RangeError,
  )
})

test('accepts billing periods from one interval to three years', () => {
  for (const [interval, longest] of Object.entries(LONGEST) as [CalendarUnit, number][]) {
    const isValid = (interval_count: number) =>
      listPeriodLengthErrors({ interval, interval_count }, 'interval_count').length === 0
    assert.ok(isValid(1) && isValid(longest), interval)
    for (const count of [0, -1, longest + 1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.not(isValid(count), `${interval} ${count}`)
    }
  }
})

test.run()
