/** The middle value; the mean of the two in the middle when their number is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}

/** What the rounds gave, each figure of paycli with the one of the baseline taken right beside it. */
export interface Pairs<T> {
  readonly paycli: readonly T[]
  readonly baseline: readonly T[]
}

/** One measurement; hears the number of its round, from 0. */
export type Measure<T = number> = (round: number) => Promise<T>

/** Measures both in turn, A B B A A B …, so that whatever else the machine does falls on both. */
export async function interleave<T>(
  rounds: number,
  { paycli, baseline }: { readonly paycli: Measure<T>; readonly baseline: Measure<T> },
): Promise<Pairs<T>> {
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

/** paycli ÷ baseline of each round. */
export function ratiosOf({ paycli, baseline }: Pairs<number>): number[] {
  return paycli.map((value, round) => value / (baseline[round] ?? Number.NaN))
}

/** One number of each measurement. */
export function each<T>({ paycli, baseline }: Pairs<T>, read: (measured: T) => number): Pairs<number> {
  return { paycli: paycli.map(read), baseline: baseline.map(read) }
}
