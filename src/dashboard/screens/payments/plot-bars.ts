import type { StatisticsBucket } from '../../data/report-types.ts'
import { groupTotalsByOutcome, OUTCOME_GROUPS, type OutcomeName } from './outcome-totals.ts'

/** A part of a bar, in the unit of the plot. */
export interface BarSegment {
  readonly name: OutcomeName | 'refunded'
  /** Its start above the axis; negative below it. */
  readonly from: number
  readonly to: number
  readonly value: number
}

/** The bar of one bucket: payments above the axis, refunds below it. */
export interface Bar {
  readonly start: number
  readonly end: number
  readonly segments: readonly BarSegment[]
}

/** The bars of a plot with the ends of its scale. */
export interface BarPlot {
  readonly bars: readonly Bar[]
  /** At least 1, so that an empty plot has a scale. */
  readonly max: number
  /** At most 0. */
  readonly min: number
}

/** Creates the bars of a plot: numbers of payments, or amounts of one currency. */
export function createBarPlot(buckets: readonly StatisticsBucket[], currency: string): BarPlot {
  const bars = buckets.map((bucket) => createBar(bucket, currency))
  const ends = bars.flatMap(({ segments }) => segments.flatMap(({ from, to }) => [from, to]))
  const lowest = Math.min(0, ...ends)
  return { bars, max: roundUpScale(Math.max(0, ...ends)), min: lowest < 0 ? -roundUpScale(-lowest) : 0 }
}

/** Returns the next number with one significant digit that is a usual end of a scale: 1, 2, 3, 4, 5, 6, 8, 10, 20 … */
export function roundUpScale(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 3, 4, 5, 6, 8, 10].map((digit) => digit * power).find((end) => end >= value) ?? 10 * power
}

function createBar({ start, end, currencies }: StatisticsBucket, currency: string): Bar {
  const totals = currencies
    .filter((one) => currency === '' || one.currency === currency)
    .map(groupTotalsByOutcome)
  const measure = currency === '' ? 'count' : 'amount'
  let top = 0
  const paid = OUTCOME_GROUPS.map(({ name }) => {
    const value = totals.reduce((sum, { outcomes }) => sum + outcomes[name][measure], 0)
    const from = top
    top += value
    return { name, from, to: top, value }
  })
  const refunded = totals.reduce((sum, one) => sum + one.refunded[measure], 0)
  const all = [...paid, { name: 'refunded' as const, from: 0, to: -refunded, value: refunded }]
  return { start, end, segments: all.filter(({ value }) => value > 0) }
}
