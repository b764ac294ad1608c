/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}

/** Returns the smallest value that the given share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}

/** The measurements of each round: of paycli and of the baseline. */
export interface Measurements<T> {
  readonly paycli: readonly T[]
  readonly baseline: readonly T[]
}

/** Takes one measurement; receives the number of the round, from 0. */
export type Measure<T = number> = (round: number) => Promise<T>

/** Measures both alternately, A B B A A B …, so that other load of the machine affects both equally. */
export async function interleave<T>(
  rounds: number,
  { paycli, baseline }: { readonly paycli: Measure<T>; readonly baseline: Measure<T> },
): Promise<Measurements<T>> {
  const pairs = { paycli: [] as T[], baseline: [] as T[] }
  for (let round = 0; round < rounds; round += 1) {
    const steps = [
      async () => pairs.paycli.push(await paycli(round)),
      async () => pairs.baseline.push(await baseline(round)),
    ]
    if (round % 2 === 1) steps.reverse()
    for (const step of steps) await step()
  }
  return pairs
}

/** Returns paycli ÷ baseline for each round. */
export function ratiosOf({ paycli, baseline }: Measurements<number>): number[] {
  return paycli.map((value, round) => value / (baseline[round] ?? Number.NaN))
}

/** Selects one number of each measurement. */
export function mapMeasurements<T>(
  { paycli, baseline }: Measurements<T>,
  read: (measured: T) => number,
): Measurements<number> {
  return { paycli: paycli.map(read), baseline: baseline.map(read) }
}
