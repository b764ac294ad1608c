/** Reads a number from an item; NaN for an item without the number. */
export type NumericKeyReader<T> = (item: T) => number

/** Selects items by a numeric key; both bounds are inclusive. */
export interface KeyRange {
  readonly key: string
  readonly low: number
  readonly high: number
}

/**
 * Stores the minimum and maximum of a numeric key for each chunk of a list, so that range queries skip chunks. Bounds
 * may be too wide after a removal; the next query that reads these bounds computes them again.
 */
export class ChunkBounds<T> {
  readonly #readKey: NumericKeyReader<T>
  readonly #lows: number[] = []
  readonly #highs: number[] = []
  readonly #areStale: boolean[] = []

  constructor(read: NumericKeyReader<T>) {
    this.#readKey = read
  }

  /** Replaces the bounds of `count` chunks from index `at` on. */
  replace(at: number, count: number, chunks: readonly (readonly T[])[]): void {
    const blanks = (value: number) => chunks.map(() => value)
    this.#lows.splice(at, count, ...blanks(Number.POSITIVE_INFINITY))
    this.#highs.splice(at, count, ...blanks(Number.NEGATIVE_INFINITY))
    this.#areStale.splice(at, count, ...chunks.map(() => false))
    for (const [index, chunk] of chunks.entries()) for (const item of chunk) this.widen(at + index, item)
  }

  /** Extends the bounds of a chunk by an item that was added or changed. */
  widen(at: number, item: T): void {
    const number = this.#readKey(item)
    if (number < (this.#lows[at] as number)) this.#lows[at] = number
    if (number > (this.#highs[at] as number)) this.#highs[at] = number
  }

  /** Marks the bounds of a chunk as too wide after an item was removed or changed. */
  markStale(at: number): void {
    this.#areStale[at] = true
  }

  /** Returns false when no item of a chunk is in the range. */
  mayContain(at: number, chunk: readonly T[], range: KeyRange): boolean {
    if (!this.#overlaps(at, range)) return false
    if (!this.#areStale[at]) return true
    this.replace(at, 1, [chunk])
    return this.#overlaps(at, range)
  }

  #overlaps(at: number, { low, high }: KeyRange): boolean {
    return (this.#lows[at] as number) <= high && (this.#highs[at] as number) >= low
  }
}
