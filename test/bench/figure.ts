import type { Ground } from './ground.ts'
import { median, type Pairs, ratiosOf } from './rounds.ts'

/** What a figure is held to; `later` is what it should reach later. */
export type Target =
  | { readonly atLeast: number; readonly later?: number }
  | { readonly atMost: number; readonly later?: number }

/** One line of the table. */
export interface Row {
  readonly what: string
  readonly paycli: string
  readonly baseline: string
  readonly ratio: string
  /** The ratio of what was done per second of processor time: it holds on a busy machine too. */
  readonly byProcessor: string
  readonly target: string
  readonly met: string
}

/** What a figure gets to work with. */
export interface Bench {
  readonly ground: Ground
  readonly isQuick: boolean
  readonly rounds: number
  /** How long one measurement of a rate lasts. */
  readonly seconds: number
  /** How many seconds a figure that runs under load for a while does so; its own choice where it is null. */
  readonly duration: number | null
  /** Says on stderr what was just measured. */
  readonly note: (text: string) => void
  /** Flags for Node in the process of the daemon. */
  readonly daemonFlags: readonly string[]
}

/** One figure: measures, and gives its lines of the table. */
export type Figure = (bench: Bench) => Promise<readonly Row[]>

/** A value with its unit, in three or four digits. */
export function withUnit(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`.trim()
}

/** A line whose ratio is held to the target: the median of the rounds, with the lowest and the highest. */
export function ratioRow(
  what: string,
  pairs: Pairs<number>,
  held: { unit: string; target: Target | null },
): Row {
  const ratios = ratiosOf(pairs)
  const ratio = median(ratios)
  return {
    what,
    paycli: withUnit(median(pairs.paycli), held.unit),
    baseline: withUnit(median(pairs.baseline), held.unit),
    byProcessor: '',
    ratio: `${withUnit(ratio, '')} (${withUnit(Math.min(...ratios), '')} to ${withUnit(Math.max(...ratios), '')})`,
    ...judged(ratio, held.target, ''),
  }
}

/** A line whose own value is held to the target: the median of the rounds, beside a baseline for scale. */
export function valueRow(what: string, pairs: Pairs<number>, held: { unit: string; target: Target }): Row {
  const value = median(pairs.paycli)
  const baseline = median(pairs.baseline)
  const range = `${withUnit(Math.min(...pairs.paycli), '')} to ${withUnit(Math.max(...pairs.paycli), '')}`
  return {
    what,
    paycli: `${withUnit(value, held.unit)} (${range})`,
    baseline: Number.isNaN(baseline) ? 'fails' : withUnit(baseline, held.unit),
    byProcessor: '',
    ratio: Number.isNaN(baseline) ? '' : withUnit(value / baseline, ''),
    ...judged(value, held.target, held.unit),
  }
}

function judged(value: number, target: Target | null, unit: string): Pick<Row, 'target' | 'met'> {
  if (target === null) return { target: '', met: '' }
  const isMet = (limit: number) => ('atLeast' in target ? value >= limit : value <= limit)
  const sign = 'atLeast' in target ? '≥' : '≤'
  const limit = 'atLeast' in target ? target.atLeast : target.atMost
  const then = target.later === undefined ? '' : `, then ${target.later}`
  const isNextMet = target.later === undefined || isMet(target.later)
  const metNow = isNextMet ? 'yes' : 'yes, the next not yet'
  return { target: `${sign} ${limit}${then} ${unit}`.trim(), met: isMet(limit) ? metNow : 'NO' }
}
