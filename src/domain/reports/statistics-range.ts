import { DomainError } from '../core/domain-error.ts'
import { formatTimestamp } from '../text/format-timestamp.ts'

export type StatisticsInterval = 'day' | 'week' | 'month'

/** An interval in Unix seconds; `start` is inclusive and `end` is exclusive. */
export interface TimeBucket {
  readonly start: number
  readonly end: number
}

const SECONDS_PER_DAY = 86_400
const DAYS_PER_WEEK = 7
/** Day 0 of Unix time is a Thursday, three days after a Monday. */
const DAYS_AFTER_MONDAY = 3

/** The largest number of buckets. */
export const MAX_BUCKETS = 400
/** The default number of buckets of each interval. */
export const DEFAULT_BUCKET_COUNTS: Readonly<Record<StatisticsInterval, number>> = {
  day: 30,
  week: 12,
  month: 12,
}

/** Returns the start of the UTC day, ISO week or calendar month that contains a time, `offset` intervals later. */
function bucketStart(interval: StatisticsInterval, time: number, offset = 0): number {
  if (interval === 'month') {
    const date = new Date(time * 1000)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1) / 1000
  }
  const day = Math.floor(time / SECONDS_PER_DAY)
  if (interval === 'day') return (day + offset) * SECONDS_PER_DAY
  const week = Math.floor((day + DAYS_AFTER_MONDAY) / DAYS_PER_WEEK)
  return ((week + offset) * DAYS_PER_WEEK - DAYS_AFTER_MONDAY) * SECONDS_PER_DAY
}

interface RangeFields {
  readonly interval: StatisticsInterval
  readonly start?: number
  /** The exclusive end of the range in Unix seconds. */
  readonly end?: number
}

/**
 * Returns the whole buckets that contain a range, oldest first (default: the last 30 days, 12 weeks or 12 months,
 * including `now`). Throws when the range is empty or too long.
 */
export function listBuckets({ interval, start, end }: RangeFields, now: number): readonly TimeBucket[] {
  const last = bucketStart(interval, end === undefined ? now : end - 1)
  const first = bucketStart(
    interval,
    start ?? bucketStart(interval, last, 1 - DEFAULT_BUCKET_COUNTS[interval]),
  )
  if (first > last) {
    const message = `Invalid start ${formatTimestamp(start ?? first)}: it must be before the end, which is ${formatTimestamp(end ?? now)}. Use an earlier start or a later end.`
    throw new DomainError('timestamp_invalid', message, { param: 'start' })
  }
  const buckets: TimeBucket[] = []
  for (let at = first; at <= last; at = bucketStart(interval, at, 1)) {
    if (buckets.length === MAX_BUCKETS) throw tooManyBuckets(interval, first)
    // The start is at least 0, because Unix time is never negative in the API.
    buckets.push({ start: Math.max(0, at), end: bucketStart(interval, at, 1) })
  }
  return buckets
}

function tooManyBuckets(interval: StatisticsInterval, first: number): DomainError {
  const message = `The range from ${formatTimestamp(first)} has more than ${MAX_BUCKETS} intervals of one ${interval}. Use a later start, an earlier end or a longer interval.`
  return new DomainError('timestamp_invalid', message, { param: 'start' })
}

/** Returns the index of the bucket that contains a time, or -1. */
export function findBucketIndex(buckets: readonly TimeBucket[], time: number): number {
  let [low, high] = [0, buckets.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const bucket = buckets[middle]
    if (bucket === undefined || time < bucket.start) high = middle - 1
    else if (time >= bucket.end) low = middle + 1
    else return middle
  }
  return -1
}

/** Returns the range from the first to the last bucket. */
export function getBucketRange(buckets: readonly TimeBucket[]): TimeBucket {
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a range needs a bucket')
  return { start: first.start, end: last.end }
}
