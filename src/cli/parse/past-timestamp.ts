import { UsageError } from '../errors/usage-error.ts'
import { parseMoment } from './timestamp.ts'

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Reads a length of time in seconds, such as `90s`, `10m`, `2h` or `3d`. */
export function parseSeconds(flag: string, text: string): number {
  const seconds = secondsOf(text)
  if (seconds !== null && seconds > 0) return seconds
  throw new UsageError('flag_invalid', `--${flag} takes a length of time, not '${text}'.`, {
    param: flag,
    hint: 'Give a whole number with s, m, h or d, such as 30s or 10m.',
  })
}

/** Reads a moment that has been: `10m` ago, Unix seconds, or ISO 8601; `now` in Unix seconds. */
export function parsePast(flag: string, text: string, now: number): number {
  const ago = secondsOf(text)
  const moment = ago === null ? parseMoment(text) : now - ago
  if (moment !== null) return Math.max(0, moment)
  throw new UsageError('flag_invalid', `--${flag} takes a moment, not '${text}'.`, {
    param: flag,
    hint: 'Give 10m or 2h for so long ago, Unix seconds, or ISO 8601 such as 2026-01-31T08:00:00Z.',
  })
}

function secondsOf(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,7})([smhd])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * (UNIT_SECONDS[unit] ?? 0)
}
