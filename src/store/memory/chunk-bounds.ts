/** How to read a number of an item; NaN for none. */
export type Measure<T> = (item: T) => number

/** The items whose number by that measure may be of use: from `low` to `high`. */
export interface Window {
  readonly measure: string
  readonly low: number
  readonly high: number
}

/**
 * The least and the greatest number among the items of each chunk of a list, so that a walk need not look into those
 * that hold nothing it wants. They may be wider than the items when some left; a walk that looks closer narrows them.
 */
export class ChunkBounds<T> {
  readonly #read: Measure<T>
  readonly #lows: number[] = []
  readonly #highs: number[] = []
  readonly #areLoose: boolean[] = []

  constructor(read: Measure<T>) {
    this.#read = read
  }

  /** Other chunks are in the place of `count` from `at` on. */
  replace(at: number, count: number, chunks: readonly (readonly T[])[]): void {
    const blanks = (value: number) => chunks.map(() => value)
    this.#lows.splice(at, count, ...blanks(Number.POSITIVE_INFINITY))
    this.#highs.splice(at, count, ...blanks(Number.NEGATIVE_INFINITY))
    this.#areLoose.splice(at, count, ...chunks.map(() => false))
    for (const [index, chunk] of chunks.entries()) for (const item of chunk) this.widen(at + index, item)
  }

  /** An item is in a chunk, perhaps with another number than before. */
  widen(at: number, item: T): void {
    const number = this.#read(item)
    if (number < (this.#lows[at] as number)) this.#lows[at] = number
    if (number > (this.#highs[at] as number)) this.#highs[at] = number
  }

  /** An item left a chunk or got another number. */
  loosen(at: number): void {
    this.#areLoose[at] = true
  }

  /** Whether a chunk may hold something in the window. */
  mayHold(at: number, chunk: readonly T[], window: Window): boolean {
    if (!this.#meets(at, window)) return false
    if (!this.#areLoose[at]) return true
    this.replace(at, 1, [chunk])
    return this.#meets(at, window)
  }

  #meets(at: number, { low, high }: Window): boolean {
    return (this.#lows[at] as number) <= high && (this.#highs[at] as number) >= low
  }
}
