import type { Unvalidated, ValidationError } from '../core/domain-error.ts'

export type CalendarUnit = 'day' | 'week' | 'month' | 'year'

interface PeriodLength {
  readonly interval: CalendarUnit
  readonly interval_count: number
}

export interface BillingSchedule extends PeriodLength {
  readonly anchor: number
}

interface Step {
  readonly unit: 'seconds' | 'months'
  readonly length: number
}

const SECONDS_PER_DAY = 86_400
const MONTHS_PER_YEAR = 12
const EPOCH_YEAR = 1970

/** The length of each interval, and the number of intervals in a period of at most three years, as at Stripe. */
const INTERVALS: Readonly<Record<CalendarUnit, Step & { readonly maxCount: number }>> = {
  day: { unit: 'seconds', length: SECONDS_PER_DAY, maxCount: 1095 },
  week: { unit: 'seconds', length: 7 * SECONDS_PER_DAY, maxCount: 156 },
  month: { unit: 'months', length: 1, maxCount: 36 },
  year: { unit: 'months', length: MONTHS_PER_YEAR, maxCount: 3 },
}

function stepOf({ interval, interval_count }: BillingSchedule): Step {
  const { unit, length } = INTERVALS[interval]
  return { unit, length: interval_count * length }
}

function monthsSinceEpoch(timestamp: number): number {
  const date = new Date(timestamp * 1000)
  return (date.getUTCFullYear() - EPOCH_YEAR) * MONTHS_PER_YEAR + date.getUTCMonth()
}

function addMonths(timestamp: number, months: number): number {
  const month = monthsSinceEpoch(timestamp) + months
  // Day 0 of the next month is the last day of this month.
  const lastDay = new Date(Date.UTC(EPOCH_YEAR, month + 1, 0)).getUTCDate()
  const day = Math.min(new Date(timestamp * 1000).getUTCDate(), lastDay)
  const timeOfDay = timestamp - Math.floor(timestamp / SECONDS_PER_DAY) * SECONDS_PER_DAY
  return Date.UTC(EPOCH_YEAR, month, day) / 1000 + timeOfDay
}

/** Returns the start of period k in Unix seconds, computed from the anchor in UTC, following Stripe's billing cycle. */
export function getPeriodStart(schedule: BillingSchedule, k: number): number {
  const { unit, length } = stepOf(schedule)
  const start = unit === 'seconds' ? schedule.anchor + k * length : addMonths(schedule.anchor, k * length)
  if (!Number.isSafeInteger(start)) throw new RangeError('a period is outside the range of dates')
  return start
}

/** Returns the index of the period that contains `now`, in Unix seconds; -1 before the anchor. */
export function getPeriodIndex(schedule: BillingSchedule, now: number): number {
  const { anchor } = schedule
  if (now < anchor) return -1
  const { unit, length } = stepOf(schedule)
  if (unit === 'seconds') return Math.floor((now - anchor) / length)
  // Each period starts in a different month, so only the period that starts in the month of `now` can be in the future.
  const k = Math.floor((monthsSinceEpoch(now) - monthsSinceEpoch(anchor)) / length)
  return getPeriodStart(schedule, k) <= now ? k : k - 1
}

/**
 * Returns an error unless a billing period is a whole number of intervals and lasts at most three years, as at Stripe.
 * `param` is the path of the count.
 */
export function listPeriodLengthErrors(
  { interval, interval_count: count = 1 }: Unvalidated<PeriodLength>,
  param: string,
): ValidationError[] {
  if (!interval || count === null) return []
  if (Number.isInteger(count) && count >= 1 && count <= INTERVALS[interval].maxCount) return []
  const message = `Invalid interval_count ${count} with interval '${interval}': a period lasts at most 3 years (1095 days, 156 weeks, 36 months or 3 years).`
  return [{ code: 'interval_count_out_of_range', param, message }]
}
