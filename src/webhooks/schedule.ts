import { DomainError } from '../domain/core/domain-error.ts'
import type { DeliveryError } from '../domain/events/webhook-deliveries.ts'
import { parseDurationToSeconds } from '../domain/time/durations.ts'

/** The delay before each attempt in seconds; the first delay is 0. */
export type RetrySchedule = readonly number[]

const MAX_DELIVERY_RETRIES = 30
const MAX_WAIT_SECONDS = 7 * 86_400
const OVERLOAD_STATUSES = [429, 502, 503, 504]
const OVERLOAD_WAIT_SECONDS = 60
const MAX_RETRY_AFTER_CHARACTERS = 64
// Matches the three date formats of RFC 9110. All formats are in GMT, which the asctime format does not state.
const HTTP_DATE =
  /^(?:[A-Z][a-z]+, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/

/** The default retry schedule: 8 attempts in about 28 hours. */
export const DEFAULT_SCHEDULE: RetrySchedule = parseRetrySchedule('0,5s,5m,30m,2h,5h,10h,10h')

/** Parses delays between attempts, such as `1s,5s,30m,2h`; the leading `0` for the first attempt is optional. */
export function parseRetrySchedule(text: string): RetrySchedule {
  const parts = text.split(',').map((part) => part.trim())
  const delays = parts.map((part) => parseDelay(part, text))
  const schedule = parts[0] === '0' ? delays : [0, ...delays]
  const retries = schedule.length - 1
  if (retries > MAX_DELIVERY_RETRIES)
    throw invalidSchedule(
      `Invalid retry schedule '${text}': expected at most ${MAX_DELIVERY_RETRIES} delays, got ${retries}.`,
    )
  return schedule
}

function parseDelay(part: string, text: string): number {
  const seconds = parseDurationToSeconds(part === '0' ? '0s' : part)
  if (seconds !== null && seconds <= MAX_WAIT_SECONDS) return seconds
  throw invalidSchedule(
    `Invalid delay '${part}' in retry schedule '${text}': expected comma-separated whole numbers with s, m, h or d, each at most 7d, such as 5s,5m,2h.`,
  )
}

function invalidSchedule(message: string): DomainError {
  return new DomainError('parameter_invalid_string', message, { param: 'retry_schedule' })
}

export interface FailedAttempt {
  readonly schedule: RetrySchedule
  /** The number of the attempt that failed; 0 before the first attempt. */
  readonly attempt: number
  /** The time of the failure, in Unix milliseconds. */
  readonly nowMs: number
  readonly failure: { readonly error: DeliveryError | null; readonly http_status: number | null }
  /** The `Retry-After` header of the response, or null. */
  readonly retryAfter: string | null
  /** Returns a random number from 0 to less than 1. */
  readonly random: () => number
}

/**
 * Returns the retry time in Unix milliseconds, or null when the schedule is exhausted. The delay is the scheduled delay ± 20 %
 * in whole seconds, or the `Retry-After` delay, limited to between one and two scheduled delays. An overloaded endpoint gets
 * at least 60 s. The delay counts from the end of the failed attempt in milliseconds, so no retry is early.
 */
export function computeNextAttemptMs(failed: FailedAttempt): number | null {
  const { schedule, attempt, nowMs, failure, retryAfter, random } = failed
  const scheduled = schedule[attempt]
  if (scheduled === undefined) return null
  const isOverloaded = failure.error === 'timeout' || OVERLOAD_STATUSES.includes(failure.http_status ?? 0)
  const minimum = isOverloaded ? OVERLOAD_WAIT_SECONDS : 0
  const base = Math.max(scheduled, minimum)
  const requestedMs = parseRetryAfterMs(retryAfter, nowMs)
  if (requestedMs !== null) return nowMs + Math.min(Math.max(requestedMs, base * 1000), 2 * base * 1000)
  const earliest = Math.max(Math.ceil((base * 4) / 5), minimum)
  const latest = Math.floor((base * 6) / 5)
  return nowMs + (earliest + Math.floor(random() * (latest - earliest + 1))) * 1000
}

/** Returns the delay in a Retry-After header in milliseconds, or null for an invalid header. */
function parseRetryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (text.length > MAX_RETRY_AFTER_CHARACTERS) return null
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const atMs = HTTP_DATE.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
  return Number.isNaN(atMs) ? null : atMs - nowMs
}
