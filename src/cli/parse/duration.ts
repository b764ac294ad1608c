import type { CalendarDuration } from '../../domain/time/clock-steps.ts'
import { type Duration, parseDuration, parseDurationToSeconds } from '../../domain/time/durations.ts'
import { createInvalidFlagError, UsageError } from '../errors/usage-error.ts'

/** The hint of errors about the target time of `clock advance`. */
const ADVANCE_HINT = 'Use 12h, 3d, 2w, 1mo or 1y, or give a timestamp with --to.'

/**
 * Returns the seconds of a duration that a flag gives, such as `90s`, `10m`, `2h` or `3d`. Throws for zero and for an
 * invalid duration.
 */
export function parseDurationSeconds(flag: string, text: string): number {
  const seconds = parseDurationToSeconds(text)
  if (seconds !== null && seconds > 0) return seconds
  const hint = /^\d+$/.test(text)
    ? `Add the unit, such as --${flag} ${text}s`
    : 'Use a whole number with s, m, h, d or w, such as 30s or 10m.'
  throw createInvalidFlagError(flag, text, 'a duration', hint)
}

/** Parses the argument of `clock advance`, such as `1mo` or `12h`. Minutes are too short, so `1m` is an error. */
export function parseCalendarDuration(text: string): CalendarDuration {
  const { unit, count } = parseDuration(text) ?? { unit: 'hour', count: 0 }
  if (count > 0 && unit !== 'second' && unit !== 'minute') return { interval: unit, count }
  const expected = count > 0 ? 'at least an hour' : 'a number with a unit of time'
  throw new UsageError('argument_invalid', `Invalid duration '${text}': expected ${expected}.`, {
    param: 'span',
    hint: hintFor(text, unit, count),
  })
}

function hintFor(text: string, unit: Duration['unit'], count: number): string {
  if (/^\d{4}-\d|^\d{9,}$/.test(text)) return `For a time, use --to ${text}`
  if (/^\d+$/.test(text)) return `Add the unit, such as ${text}d for days or ${text}mo for months.`
  return unit === 'minute' ? `m means minutes; a month is ${count}mo. ${ADVANCE_HINT}` : ADVANCE_HINT
}
