import { PAYMENT_SERIES, type StatisticsBucket, sumByOutcome } from './outcome-totals.ts'

export type PlotBar = ReturnType<typeof createBar>

/**
 * Returns the bars of a plot and the ends of its scale. The values are numbers of payments, or amounts of one currency.
 * `max` is at least 1, so that an empty plot has a scale, and `min` at most 0.
 */
export function createBarPlot(buckets: readonly StatisticsBucket[], currency: string) {
  const bars = buckets.map((bucket) => createBar(bucket, currency))
  const ends = bars.flatMap(({ segments }) => segments.flatMap(({ from, to }) => [from, to]))
  const lowest = Math.min(0, ...ends)
  return { bars, max: roundUpScale(Math.max(0, ...ends)), min: lowest < 0 ? -roundUpScale(-lowest) : 0 }
}

/** Rounds a value up to a usual end of a scale with one significant digit: 1, 2, 3, 4, 5, 6, 8, 10, 20 … */
export function roundUpScale(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 3, 4, 5, 6, 8, 10].map((digit) => digit * power).find((end) => end >= value) ?? 10 * power
}

/**
 * Returns the bar of one bucket, with the lower and upper end of each segment; payments are above the axis, refunds
 * below.
 */
function createBar({ start, currencies }: StatisticsBucket, currency: string) {
  const totals = sumByOutcome(currencies.filter((one) => currency === '' || one.currency === currency))
  const measure = currency === '' ? 'count' : 'amount'
  let top = 0
  const segments = PAYMENT_SERIES.map((series) => {
    const value = totals[series.name][measure]
    if (series.name === 'refunded') return { series, from: -value, to: 0, value }
    top += value
    return { series, from: top - value, to: top, value }
  })
  return { start, segments: segments.filter(({ value }) => value > 0) }
}
