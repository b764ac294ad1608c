import { ChunkBounds, type KeyRange, type NumericKeyReader } from './chunk-bounds.ts'

/**
 * Maximum chunk size: a range query reads every item of a chunk that it cannot skip, and an insertion or removal moves
 * later items.
 */
const MAX_CHUNK_ITEMS = 128

/** Numeric keys that range queries can use, by name. */
export type NumericKeyReaders<T> = Readonly<Record<string, NumericKeyReader<T>>>

interface BoundedRange<T> {
  readonly bounds: ChunkBounds<T>
  readonly range: KeyRange
}

/** A sorted list in chunks, so that insertion, removal and search stay fast in long lists. */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number
  readonly #keys: NumericKeyReaders<T>
  #chunks: T[][] = []
  #size = 0
  /** Chunk bounds by key name; null while the list has a single chunk. */
  #bounds: Map<string, ChunkBounds<T>> | null = null

  /** `compare` must be a total order: no two items of the list may compare as equal. */
  constructor(compare: (a: T, b: T) => number, keys: NumericKeyReaders<T> = {}) {
    this.#compare = compare
    this.#keys = keys
  }

  get size(): number {
    return this.#size
  }

  insert(item: T): void {
    this.#size += 1
    const last = this.#chunks.at(-1)?.at(-1)
    // Most items belong at the end, so they need no search.
    if (last === undefined || this.#compare(last, item) < 0) {
      this.#append(item)
      return
    }
    const at = this.#chunkFor(item)
    const chunk = this.#chunks[at] as T[]
    chunk.splice(this.#position(chunk, item), 0, item)
    if (chunk.length > MAX_CHUNK_ITEMS) {
      const middle = chunk.length >> 1
      this.#replace(at, 1, [chunk.slice(0, middle), chunk.slice(middle)])
    } else this.#widen(at, item)
  }

  remove(item: T): void {
    const at = this.#chunkFor(item)
    const chunk = this.#chunks[at]
    if (chunk === undefined) return
    const position = this.#position(chunk, item)
    const found = chunk[position]
    if (found === undefined || this.#compare(found, item) !== 0) return
    chunk.splice(position, 1)
    this.#size -= 1
    if (chunk.length === 0) this.#replace(at, 1, [])
    else this.#markStale(at)
  }

  /** Updates the bounds after a numeric key of an item in the list has changed. */
  updateBounds(item: T): void {
    const at = this.#chunkFor(item)
    this.#widen(at, item)
    this.#markStale(at)
  }

  get first(): T | undefined {
    return this.#chunks[0]?.[0]
  }

  /**
   * Returns the items of a chunk after an item, or the next chunk if the chunk has no further items; [] at the end.
   * Without an item, returns the first chunk.
   */
  nextChunk(item: T | undefined): readonly T[] {
    if (item === undefined) return this.#chunks[0]?.slice() ?? []
    const at = this.#chunkFor(item)
    const chunk = this.#chunks[at] ?? []
    const rest = chunk.slice(this.#lastNotAfter(chunk, item) + 1)
    return rest.length > 0 ? rest : (this.#chunks[at + 1]?.slice() ?? [])
  }

  /** Calls `use` for each item in ascending order; `use` must not change the list. */
  forEach(use: (item: T) => void): void {
    for (const chunk of this.#chunks) for (const item of chunk) use(item)
  }

  /** Yields items in ascending order, from the first item that is not before `from`; for `ranges` see `descending`. */
  *ascending(from?: T, ranges: readonly KeyRange[] = []): Generator<T> {
    const first = from === undefined ? 0 : this.#chunkFor(from)
    const bounded = this.#bounded(ranges)
    for (let at = first; at < this.#chunks.length; at += 1) {
      if (!this.#mayContain(at, bounded)) continue
      const chunk = this.#chunks[at] ?? []
      const start = from !== undefined && at === first ? this.#position(chunk, from) : 0
      for (let i = start; i < chunk.length; i += 1) yield chunk[i] as T
    }
  }

  /**
   * Yields items in descending order, from the last item that is not after `from`. Chunks outside `ranges` are skipped;
   * yielded items need not be in all ranges.
   */
  *descending(from?: T, ranges: readonly KeyRange[] = []): Generator<T> {
    const last = from === undefined ? this.#chunks.length - 1 : this.#chunkFor(from)
    const bounded = this.#bounded(ranges)
    for (let at = Math.min(last, this.#chunks.length - 1); at >= 0; at -= 1) {
      if (!this.#mayContain(at, bounded)) continue
      const chunk = this.#chunks[at] ?? []
      const isFirst = from !== undefined && at === last
      for (let i = isFirst ? this.#lastNotAfter(chunk, from) : chunk.length - 1; i >= 0; i -= 1) {
        yield chunk[i] as T
      }
    }
  }

  // Most records arrive in order, so a full last chunk is followed by a new chunk instead of being split in half.
  #append(item: T): void {
    const last = this.#chunks.at(-1)
    // An array literal allocates memory only for its own items, and most lists stay short.
    if (last === undefined) this.#chunks = [[item]]
    else if (last.length < MAX_CHUNK_ITEMS) {
      last.push(item)
      this.#widen(this.#chunks.length - 1, item)
    } else this.#replace(this.#chunks.length, 0, [[item]])
  }

  #replace(at: number, count: number, chunks: T[][]): void {
    this.#chunks.splice(at, count, ...chunks)
    if (this.#bounds === null && this.#chunks.length > 1) this.#startBounds()
    else for (const bounds of this.#bounds?.values() ?? []) bounds.replace(at, count, chunks)
  }

  #startBounds(): void {
    const all = Object.entries(this.#keys).map(([name, read]) => [name, new ChunkBounds(read)] as const)
    if (all.length > 0) this.#bounds = new Map(all)
    for (const [, bounds] of all) bounds.replace(0, 0, this.#chunks)
  }

  #widen(at: number, item: T): void {
    if (this.#bounds !== null) for (const bounds of this.#bounds.values()) bounds.widen(at, item)
  }

  #markStale(at: number): void {
    if (this.#bounds !== null) for (const bounds of this.#bounds.values()) bounds.markStale(at)
  }

  #bounded(ranges: readonly KeyRange[]): readonly BoundedRange<T>[] {
    return ranges.flatMap((range) => {
      const bounds = this.#bounds?.get(range.key)
      return bounds === undefined ? [] : [{ bounds, range }]
    })
  }

  #mayContain(at: number, bounded: readonly BoundedRange<T>[]): boolean {
    for (const { bounds, range } of bounded) {
      if (!bounds.mayContain(at, this.#chunks[at] ?? [], range)) return false
    }
    return true
  }

  /** Returns the index of the first chunk whose last item is not before `item`, or the number of chunks. */
  #chunkFor(item: T): number {
    let low = 0
    let high = this.#chunks.length
    while (low < high) {
      const middle = (low + high) >> 1
      const last = this.#chunks[middle]?.at(-1) as T
      if (this.#compare(last, item) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #position(chunk: readonly T[], item: T): number {
    let low = 0
    let high = chunk.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#compare(chunk[middle] as T, item) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #lastNotAfter(chunk: readonly T[], item: T): number {
    const position = this.#position(chunk, item)
    const found = chunk[position]
    return found !== undefined && this.#compare(found, item) === 0 ? position : position - 1
  }
}
