import type { CalendarDuration } from '../../domain/time/clock-steps.ts'
import { parseDurationToSeconds } from '../../domain/time/durations.ts'
import { createInvalidFlagError, UsageError } from '../errors/usage-error.ts'
import { parseCalendarDuration } from './duration.ts'

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * Parses Unix seconds, or an ISO 8601 date or time, to Unix seconds, rounded down; null for any other text. The default
 * zone is UTC.
 */
export function parseTimestamp(text: string): number | null {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const [, date, time = '00:00', zone = 'Z'] = DATE_TIME.exec(text) ?? []
  if (date === undefined || !isDate(date)) return null
  const ms = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000)
}

// Date.parse reads 30 February as a day in March.
function isDate(date: string): boolean {
  const ms = Date.parse(`${date}T00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}

/** Returns the timestamp that a flag gives, in Unix seconds. */
export function parseTimestampFlag(flag: string, text: string): number {
  const seconds = parseTimestamp(text)
  if (seconds !== null) return seconds
  const hint =
    'Use Unix seconds, or ISO 8601 such as 2026-01-31 or 2026-01-31T08:00:00+01:00 (default zone: UTC).'
  throw createInvalidFlagError(flag, text, 'a timestamp', hint)
}

/** Returns a past timestamp that a flag gives, in Unix seconds. `10m` means ten minutes before `now`. */
export function parsePastTimestamp(flag: string, text: string, now: number): number {
  const age = parseDurationToSeconds(text)
  const seconds = age === null ? parseTimestamp(text) : now - age
  if (seconds !== null) return Math.max(0, seconds)
  const hint = 'Use an age such as 10m or 2h, Unix seconds, or ISO 8601 such as 2026-01-31T08:00:00Z.'
  throw createInvalidFlagError(flag, text, 'a timestamp', hint)
}

/** The time to which a test clock advances: by a duration, or to a timestamp in Unix seconds. */
export type AdvanceTargetParams = { readonly by: CalendarDuration } | { readonly frozen_time: number }

/**
 * Parses the arguments and `--to` of `clock advance`. A single argument is a duration if it starts with a digit. The
 * unit of a duration may be a separate word.
 */
export function parseAdvanceArguments(words: readonly string[], to: unknown) {
  const [first, second] = /^\d+$/.test(words.at(-2) ?? '')
    ? [...words.slice(0, -2), words.slice(-2).join(' ')]
    : words
  const isDurationOnly = second === undefined && first !== undefined && /^\d/.test(first)
  const [clock, duration] = isDurationOnly ? [undefined, first] : [first, second]
  if (clock === '')
    throw new UsageError(
      'argument_missing',
      'Empty clock argument: expected a test clock id such as clock_…',
      { param: 'clock' },
    )
  if (duration !== undefined && to !== undefined) {
    throw new UsageError('flag_invalid', `Use '${duration}' or --to, not both.`, {
      param: 'to',
      hint: `For instance: paycli clock advance ${clock ?? ''} ${duration}`.replace('  ', ' '),
    })
  }
  if (duration !== undefined) return { clock, target: { by: parseCalendarDuration(duration) } }
  if (typeof to === 'string') return { clock, target: { frozen_time: parseTimestampFlag('to', to) } }
  throw new UsageError('argument_missing', 'Missing duration or --to.', {
    param: 'span',
    hint: ['For instance: 1mo', 'Or: --to 2027-01-31']
      .map((line) => line.replace(': ', `: paycli clock advance ${clock === undefined ? '' : `${clock} `}`))
      .join('\n'),
  })
}
