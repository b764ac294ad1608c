import fc from 'fast-check'
import {
  boundary,
  type Interval,
  isSpanAllowed,
  periodIndexAt,
  type Schedule,
} from '../../src/domain/periods.ts'
import { chance } from '../support/property.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/periods')

const DAY_SECONDS = 86_400
const LONGEST: Readonly<Record<Interval, number>> = { day: 1095, week: 156, month: 36, year: 3 }
const YEAR_2100 = 4_102_444_800

const at = (text: string) => Date.parse(`${text}Z`) / 1000
const textOf = (timestamp: number) => new Date(timestamp * 1000).toISOString().slice(0, 19)
const starts = (schedule: Schedule, count: number) =>
  Array.from({ length: count }, (_, k) => textOf(boundary(schedule, k)))

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

const anySchedule: fc.Arbitrary<Schedule> = fc
  .constantFrom<Interval>('day', 'week', 'month', 'year')
  .chain((interval) =>
    fc.record({
      anchor: fc.integer({ min: 0, max: YEAR_2100 }),
      interval: fc.constant(interval),
      interval_count: fc.integer({ min: 1, max: LONGEST[interval] }),
    }),
  )
const anyIndex = fc.integer({ min: 0, max: 600 })

test('31 January monthly is the last day of every month for ten years, and never drifts', () => {
  const schedule: Schedule = { anchor: at('2024-01-31T13:37:42'), interval: 'month', interval_count: 1 }
  const expected: string[] = []
  for (let year = 2024; year < 2034; year++) {
    for (let month = 1; month <= 12; month++) {
      expected.push(`${year}-${String(month).padStart(2, '0')}-${daysInMonth(year, month)}T13:37:42`)
    }
  }
  assert.equal(starts(schedule, 120), expected)
})

test('29 February yearly is 28 February in common years and 29 in leap years', () => {
  const schedule: Schedule = { anchor: at('2024-02-29T00:00:00'), interval: 'year', interval_count: 1 }
  assert.equal(
    starts(schedule, 6).map((text) => text.slice(0, 10)),
    ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29', '2029-02-28'],
  )
  const far: Schedule = { anchor: at('2096-02-29T12:00:00'), interval: 'year', interval_count: 1 }
  assert.is(textOf(boundary(far, 4)), '2100-02-28T12:00:00', '2100 is no leap year')
})

test('30 January every second month skips February and keeps the 30th', () => {
  const schedule: Schedule = { anchor: at('2025-12-30T23:59:59'), interval: 'month', interval_count: 2 }
  assert.equal(starts(schedule, 4), [
    '2025-12-30T23:59:59',
    '2026-02-28T23:59:59',
    '2026-04-30T23:59:59',
    '2026-06-30T23:59:59',
  ])
})

test('a clock change of some country moves no boundary', () => {
  const schedule: Schedule = { anchor: at('2026-03-28T01:30:00'), interval: 'day', interval_count: 1 }
  assert.equal(starts(schedule, 3), ['2026-03-28T01:30:00', '2026-03-29T01:30:00', '2026-03-30T01:30:00'])
})

test('period 0 begins at the anchor', () => {
  fc.assert(
    fc.property(anySchedule, (schedule) => assert.is(boundary(schedule, 0), schedule.anchor)),
    chance,
  )
})

test('boundaries strictly increase', () => {
  const property = fc.property(anySchedule, anyIndex, (schedule, k) => {
    assert.ok(boundary(schedule, k) < boundary(schedule, k + 1))
  })
  fc.assert(property, { ...chance, numRuns: 10_000 })
})

test('in months and years the day is the anchor day or the last of the month, and the time of day is kept', () => {
  const property = fc.property(anySchedule, anyIndex, (schedule, k) => {
    if (schedule.interval === 'day' || schedule.interval === 'week') return
    const anchor = new Date(schedule.anchor * 1000)
    const start = new Date(boundary(schedule, k) * 1000)
    const days = daysInMonth(start.getUTCFullYear(), start.getUTCMonth() + 1)
    assert.is(start.getUTCDate(), Math.min(anchor.getUTCDate(), days))
    assert.is(boundary(schedule, k) % DAY_SECONDS, schedule.anchor % DAY_SECONDS)
    const months = k * schedule.interval_count * (schedule.interval === 'year' ? 12 : 1)
    const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
    assert.is(monthOf(start) - monthOf(anchor), months)
  })
  fc.assert(property, { ...chance, numRuns: 10_000 })
})

test('days and weeks are multiples of 86 400 seconds from the anchor', () => {
  const property = fc.property(anySchedule, anyIndex, (schedule, k) => {
    const days = { day: 1, week: 7, month: null, year: null }[schedule.interval]
    if (days === null) return
    assert.is(boundary(schedule, k), schedule.anchor + k * schedule.interval_count * days * DAY_SECONDS)
  })
  fc.assert(property, { ...chance, numRuns: 10_000 })
})

test('an anchor moved by whole days moves the boundaries of days and weeks equally', () => {
  const property = fc.property(
    anySchedule,
    anyIndex,
    fc.integer({ min: 0, max: 400 }),
    (schedule, k, days) => {
      if (schedule.interval === 'month' || schedule.interval === 'year') return
      const moved = { ...schedule, anchor: schedule.anchor + days * DAY_SECONDS }
      assert.is(boundary(moved, k), boundary(schedule, k) + days * DAY_SECONDS)
    },
  )
  fc.assert(property, chance)
})

test('every moment of a period, its first and its last second too, has the index of that period', () => {
  const property = fc.property(anySchedule, anyIndex, fc.nat(), (schedule, k, offset) => {
    const start = boundary(schedule, k)
    const end = boundary(schedule, k + 1)
    assert.is(periodIndexAt(schedule, start), k)
    assert.is(periodIndexAt(schedule, end - 1), k)
    assert.is(periodIndexAt(schedule, end), k + 1)
    assert.is(periodIndexAt(schedule, start + (offset % (end - start))), k)
  })
  fc.assert(property, { ...chance, numRuns: 20_000 })
})

test('before the anchor there is no period', () => {
  const schedule: Schedule = { anchor: 1_000_000, interval: 'month', interval_count: 1 }
  assert.is(periodIndexAt(schedule, 999_999), -1)
  assert.is(periodIndexAt(schedule, 0), -1)
  assert.is(periodIndexAt(schedule, 1_000_000), 0)
})

test('a daily period since 1970 is found at once', () => {
  const daily: Schedule = { anchor: 0, interval: 'day', interval_count: 1 }
  assert.is(periodIndexAt(daily, at('2026-11-21T12:00:00')), 20_778)
  for (let now = 0; now < 1_000_000; now++) periodIndexAt(daily, YEAR_2100 + now)
  const monthly: Schedule = { anchor: 0, interval: 'month', interval_count: 1 }
  assert.is(periodIndexAt(monthly, at('2026-11-21T12:00:00')), 56 * 12 + 10)
})

test('a boundary outside the calendar throws', () => {
  assert.throws(() => boundary({ anchor: 0, interval: 'year', interval_count: 3 }, 1_000_000), RangeError)
})

test('a period is at least one interval and at most three years', () => {
  for (const [interval, longest] of Object.entries(LONGEST) as [Interval, number][]) {
    assert.ok(isSpanAllowed(interval, 1) && isSpanAllowed(interval, longest), interval)
    for (const count of [0, -1, longest + 1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.not(isSpanAllowed(interval, count), `${interval} ${count}`)
    }
  }
})

test.run()
