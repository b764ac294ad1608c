import type { Span } from '../../domain/test-clocks.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parseMoment } from './timestamp.ts'

const UNITS: readonly (readonly [spelling: RegExp, interval: Span['interval']])[] = [
  [/^h(?:ours?)?$/, 'hour'],
  [/^d(?:ays?)?$/, 'day'],
  [/^w(?:eeks?)?$/, 'week'],
  [/^mo(?:nths?)?$/, 'month'],
  [/^y(?:ears?)?$/, 'year'],
]
const EXAMPLES = 'Write 12h, 3d, 2w, 1mo or 1y, or name a moment with --to.'

/** Where a clock is to go: so much further, or to a moment in Unix seconds. */
export type Destination = { readonly by: Span } | { readonly frozen_time: number }

/** What the words and `--to` of `clock advance` say: of two words the first is the clock, one alone is what it looks like. */
export function parseAdvance(
  words: readonly string[],
  to: unknown,
): { readonly clock: string | undefined; readonly destination: Destination } {
  const [first, second] = words
  const isSpanAlone = second === undefined && first !== undefined && /^\d/.test(first)
  const span = isSpanAlone ? first : second
  const clock = isSpanAlone ? undefined : first
  if (clock === '') throw new UsageError('argument_missing', 'The clock is empty.', { param: 'clock' })
  if (span !== undefined && to !== undefined) {
    throw new UsageError('flag_invalid', `Give '${span}' or --to, not both.`, { param: 'to' })
  }
  if (span !== undefined) return { clock, destination: { by: parseSpan(span) } }
  if (typeof to === 'string') return { clock, destination: { frozen_time: parseFrozenTime('to', to) } }
  throw new UsageError('argument_missing', 'Where the clock goes is missing.', {
    param: 'span',
    hint: EXAMPLES,
  })
}

/** Reads a length of time such as `1mo` or `12h`. */
export function parseSpan(text: string): Span {
  const [, count = '', unit = ''] = /^(\d{1,6}) ?([a-z]+)$/i.exec(text) ?? []
  const [, interval] = UNITS.find(([spelling]) => spelling.test(unit.toLowerCase())) ?? []
  if (interval !== undefined && Number(count) > 0) return { interval, count: Number(count) }
  const problem = /^m(?:in)?$/i.test(unit) ? 'is too short for a clock' : 'is no length of time'
  throw new UsageError('argument_invalid', `'${text}' ${problem}.`, { param: 'span', hint: EXAMPLES })
}

/** Reads a moment that a flag gives: Unix seconds or ISO 8601. */
export function parseFrozenTime(flag: string, text: string): number {
  const seconds = parseMoment(text)
  if (seconds !== null) return seconds
  throw new UsageError('flag_invalid', `--${flag} takes a moment, not '${text}'.`, {
    param: flag,
    hint: 'Give Unix seconds, or ISO 8601 such as 2026-01-31 or 2026-01-31T08:00:00Z.',
  })
}
