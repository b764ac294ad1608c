import type { Databases } from './databases.ts'
import { type Measurements, median, ratiosOf } from './rounds.ts'

/** The target of a figure; `later` is the long-term goal. */
export type FigureTarget =
  | { readonly atLeast: number; readonly later?: number }
  | { readonly atMost: number; readonly later?: number }

/** One row of the table. */
export interface FigureRow {
  readonly what: string
  readonly paycli: string
  readonly baseline: string
  readonly ratio: string
  /** The ratio per second of processor time, which is comparable on a busy machine too. */
  readonly byProcessor: string
  readonly target: string
  readonly met: string
}

/** The environment and settings of a figure. */
export interface Bench {
  readonly ground: Databases
  readonly isQuick: boolean
  readonly rounds: number
  /** Duration of one measurement of a rate. */
  readonly seconds: number
  /** Duration of figures that run under load, in seconds; null for the figure's default. */
  readonly duration: number | null
  /** Prints a measurement to stderr. */
  readonly note: (text: string) => void
  /** Flags for Node in the process of the daemon. */
  readonly daemonFlags: readonly string[]
}

/** A figure measures and returns its rows of the table. */
export type Figure = (bench: Bench) => Promise<readonly FigureRow[]>

/** Formats a value with its unit in three or four digits. */
export function withUnit(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${unit}`.trim()
}

/** Returns a row without a baseline. */
export function plainRow(row: Pick<FigureRow, 'what' | 'paycli'> & Partial<FigureRow>): FigureRow {
  return { baseline: '', ratio: '', byProcessor: '', target: '', met: '', ...row }
}

/** Returns a row with the number of failures among `all` attempts; the target is zero. */
export function failuresRow(what: string, count: number, all: number): FigureRow {
  const paycli = `${count} of ${all.toLocaleString('en')}`
  return plainRow({ what, paycli, target: '0', met: count === 0 ? 'yes' : 'NO' })
}

/** Returns a row whose ratio is compared with the target: the median of the rounds, with the lowest and the highest. */
export function ratioRow(
  what: string,
  pairs: Measurements<number>,
  held: { unit: string; target: FigureTarget | null },
): FigureRow {
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

/** Returns a row whose value is compared with the target: the median of the rounds, with a baseline for comparison. */
export function valueRow(
  what: string,
  pairs: Measurements<number>,
  held: { unit: string; target: FigureTarget },
): FigureRow {
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

function judged(value: number, target: FigureTarget | null, unit: string): Pick<FigureRow, 'target' | 'met'> {
  if (target === null) return { target: '', met: '' }
  const isMet = (limit: number) => ('atLeast' in target ? value >= limit : value <= limit)
  const sign = 'atLeast' in target ? '≥' : '≤'
  const limit = 'atLeast' in target ? target.atLeast : target.atMost
  const then = target.later === undefined ? '' : `, then ${target.later}`
  const isNextMet = target.later === undefined || isMet(target.later)
  const metNow = isNextMet ? 'yes' : 'yes, the next not yet'
  return { target: `${sign} ${limit}${then} ${unit}`.trim(), met: isMet(limit) ? metNow : 'NO' }
}
