import { UsageError } from '../errors/usage-error.ts'

const MS_PER_UNIT: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** The milliseconds of a length of time such as `90s`, `10m` or `1h`, as a flag gives it. */
export function durationMs(flag: string, text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? []
  const ms = Number(count) * (MS_PER_UNIT[unit] ?? 0)
  if (ms > 0) return ms
  throw new UsageError('flag_invalid', `--${flag} takes a length of time, not '${text}'.`, {
    param: flag,
    hint: 'Write 90s, 10m or 1h.',
  })
}
