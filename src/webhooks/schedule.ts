import { DomainError } from '../domain/domain-error.ts'
import type { DeliveryError } from '../domain/webhook-deliveries.ts'

/** The wait before each attempt in seconds; the first attempt never waits. */
export type Schedule = readonly number[]

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
const MAX_RETRIES = 30
const MAX_WAIT_SECONDS = 7 * 86_400
const OVERLOAD_STATUSES = [429, 502, 503, 504]
const OVERLOAD_WAIT_SECONDS = 60
const MAX_RETRY_AFTER_CHARACTERS = 64
// The three forms RFC 9110 asks recipients to read; all are in GMT, which asctime leaves unsaid.
const HTTP_DATE =
  /^(?:[A-Z][a-z]+, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/

/** How the waits grow unless configured otherwise: 8 attempts in about 28 hours. */
export const DEFAULT_SCHEDULE: Schedule = parseSchedule('0,5s,5m,30m,2h,5h,10h,10h')

/** Reads the waits between attempts, such as `1s,5s,30m,2h`; a leading `0`, for the first attempt, may be left out. */
export function parseSchedule(text: string): Schedule {
  const parts = text.split(',').map((part) => part.trim())
  const waits = parts.map((part) => parseWait(part, text))
  const schedule = parts[0] === '0' ? waits : [0, ...waits]
  const retries = schedule.length - 1
  if (retries > MAX_RETRIES) throw refusal(`Give at most ${MAX_RETRIES} waits; '${text}' has ${retries}.`)
  return schedule
}

function parseWait(part: string, text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(part === '0' ? '0s' : part) ?? []
  const seconds = Number(count) * (UNIT_SECONDS[unit ?? ''] ?? Number.NaN)
  if (seconds <= MAX_WAIT_SECONDS) return seconds
  throw refusal(
    `'${part}' in the retry schedule '${text}' is not a wait. Give whole numbers with s, m, h or d, each at most 7d, with commas between, such as 5s,5m,2h.`,
  )
}

function refusal(message: string): DomainError {
  return new DomainError('parameter_invalid_string', message, { param: 'retry_schedule' })
}

export interface FailedAttempt {
  readonly schedule: Schedule
  /** The number of the attempt that failed; 0 before the first one. */
  readonly attempt: number
  /** When it failed, in Unix milliseconds. */
  readonly nowMs: number
  readonly failure: { readonly error: DeliveryError | null; readonly http_status: number | null }
  /** The receiver's `Retry-After` header as it came, or null. */
  readonly retryAfter: string | null
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number
}

/**
 * Returns when to try again in Unix milliseconds, or null when the schedule is exhausted: the scheduled wait ± 20 % in
 * whole seconds, or what `Retry-After` asks for between that wait and twice of it. Overloaded receivers get at least a
 * minute. The wait counts from the end of the failed attempt to the millisecond, so no retry is early.
 */
export function nextAttemptAtMs(failed: FailedAttempt): number | null {
  const { schedule, attempt, nowMs, failure, retryAfter, random } = failed
  const scheduled = schedule[attempt]
  if (scheduled === undefined) return null
  const isOverloaded = failure.error === 'timeout' || OVERLOAD_STATUSES.includes(failure.http_status ?? 0)
  const least = isOverloaded ? OVERLOAD_WAIT_SECONDS : 0
  const base = Math.max(scheduled, least)
  const askedMs = parseRetryAfterMs(retryAfter, nowMs)
  if (askedMs !== null) return nowMs + Math.min(Math.max(askedMs, base * 1000), 2 * base * 1000)
  const earliest = Math.max(Math.ceil((base * 4) / 5), least)
  const latest = Math.floor((base * 6) / 5)
  return nowMs + (earliest + Math.floor(random() * (latest - earliest + 1))) * 1000
}

/** Returns the wait that a Retry-After header asks for in milliseconds, or null when it cannot be read. */
function parseRetryAfterMs(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  if (text.length > MAX_RETRY_AFTER_CHARACTERS) return null
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const atMs = HTTP_DATE.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
  return Number.isNaN(atMs) ? null : atMs - nowMs
}
