import type { CalendarDuration } from '../../domain/test-clocks.ts'
import { invalidFlagValue, UsageError } from '../errors/usage-error.ts'

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

const CALENDAR_UNITS: readonly (readonly [spelling: RegExp, interval: CalendarDuration['interval']])[] = [
  [/^h(?:ours?)?$/, 'hour'],
  [/^d(?:ays?)?$/, 'day'],
  [/^w(?:eeks?)?$/, 'week'],
  [/^mo(?:nths?)?$/, 'month'],
  [/^y(?:ears?)?$/, 'year'],
]

/** The hint of errors about the time to which `clock advance` moves. */
export const ADVANCE_HINT = 'Use 12h, 3d, 2w, 1mo or 1y, or give a timestamp with --to.'

/** Parses a duration such as `90s`, `10m`, `2h` or `3d` to seconds; null for anything else. */
export function parseDuration(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,7})([smhd])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * (UNIT_SECONDS[unit] ?? 0)
}

/** Returns the seconds of a duration that a flag gives, such as `90s`, `10m`, `2h` or `3d`. Throws for zero. */
export function durationSeconds(flag: string, text: string): number {
  const seconds = parseDuration(text)
  if (seconds !== null && seconds > 0) return seconds
  throw invalidFlagValue(
    flag,
    text,
    'a duration',
    'Use a whole number with s, m, h or d, such as 30s or 10m.',
  )
}

/** Returns the milliseconds of a duration that a flag gives, such as `90s`, `10m` or `1h`. Throws for zero. */
export function durationMs(flag: string, text: string): number {
  const seconds = /^\d{1,6}[smh]$/.test(text) ? parseDuration(text) : null
  if (seconds !== null && seconds > 0) return seconds * 1000
  throw invalidFlagValue(flag, text, 'a duration', 'Use 90s, 10m or 1h.')
}

/** Parses the argument of `clock advance`, such as `1mo` or `12h`. Minutes are too short, so `1m` is an error. */
export function parseCalendarDuration(text: string): CalendarDuration {
  const [, count = '', unit = ''] = /^(\d{1,6}) ?([a-z]+)$/i.exec(text) ?? []
  const [, interval] = CALENDAR_UNITS.find(([spelling]) => spelling.test(unit.toLowerCase())) ?? []
  if (interval !== undefined && Number(count) > 0) return { interval, count: Number(count) }
  const expected = /^m(?:in)?$/i.test(unit) ? 'at least an hour' : 'a duration'
  throw new UsageError('argument_invalid', `Invalid duration '${text}': expected ${expected}.`, {
    param: 'span',
    hint: ADVANCE_HINT,
  })
}
