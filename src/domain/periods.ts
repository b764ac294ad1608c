export type Interval = 'day' | 'week' | 'month' | 'year'

export interface Schedule {
  readonly anchor: number
  readonly interval: Interval
  readonly interval_count: number
}

interface Step {
  readonly unit: 'seconds' | 'months'
  readonly length: number
}

const SECONDS_PER_DAY = 86_400
const MONTHS_PER_YEAR = 12
const EPOCH_YEAR = 1970

// Three years each, as Stripe allows.
const MAX_INTERVAL_COUNT: Readonly<Record<Interval, number>> = {
  day: 1095,
  week: 156,
  month: 36,
  year: 3,
}

function stepOf({ interval, interval_count }: Schedule): Step {
  switch (interval) {
    case 'day':
      return { unit: 'seconds', length: interval_count * SECONDS_PER_DAY }
    case 'week':
      return { unit: 'seconds', length: interval_count * 7 * SECONDS_PER_DAY }
    case 'month':
      return { unit: 'months', length: interval_count }
    case 'year':
      return { unit: 'months', length: interval_count * MONTHS_PER_YEAR }
  }
}

function monthsSinceEpoch(timestamp: number): number {
  const date = new Date(timestamp * 1000)
  return (date.getUTCFullYear() - EPOCH_YEAR) * MONTHS_PER_YEAR + date.getUTCMonth()
}

function addMonths(timestamp: number, months: number): number {
  const month = monthsSinceEpoch(timestamp) + months
  // Day 0 of the next month is the last day of this one.
  const lastDay = new Date(Date.UTC(EPOCH_YEAR, month + 1, 0)).getUTCDate()
  const day = Math.min(new Date(timestamp * 1000).getUTCDate(), lastDay)
  const timeOfDay = timestamp - Math.floor(timestamp / SECONDS_PER_DAY) * SECONDS_PER_DAY
  return Date.UTC(EPOCH_YEAR, month, day) / 1000 + timeOfDay
}

/** Gives the start of period k in Unix seconds, counted from the anchor in UTC, following Stripe's billing cycle. */
export function boundary(schedule: Schedule, k: number): number {
  const { unit, length } = stepOf(schedule)
  const start = unit === 'seconds' ? schedule.anchor + k * length : addMonths(schedule.anchor, k * length)
  if (!Number.isSafeInteger(start)) throw new RangeError('a period lies outside the calendar')
  return start
}

/** Gives the index of the period that a moment in Unix seconds falls in; -1 before the anchor. */
export function periodIndexAt(schedule: Schedule, now: number): number {
  const { anchor } = schedule
  if (now < anchor) return -1
  const { unit, length } = stepOf(schedule)
  if (unit === 'seconds') return Math.floor((now - anchor) / length)
  // Each boundary lies in its own month, so only the boundary in the month of `now` can still be ahead.
  const k = Math.floor((monthsSinceEpoch(now) - monthsSinceEpoch(anchor)) / length)
  return boundary(schedule, k) <= now ? k : k - 1
}

/** Tells whether a billing period is a whole number of intervals from one to about three years, as Stripe allows. */
export function isSpanAllowed(interval: Interval, count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= MAX_INTERVAL_COUNT[interval]
}
