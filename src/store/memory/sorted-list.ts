import { ChunkBounds, type Measure, type Window } from './chunk-bounds.ts'

const MAX_CHUNK_ITEMS = 512
/** A windowed walk looks at every item of a chunk that it cannot pass over. */
const MAX_MEASURED_ITEMS = 128

/** What walks can be windowed by, by name. */
export type Measures<T> = Readonly<Record<string, Measure<T>>>

/** For lists whose walks have no windows. */
export const NO_MEASURES = {}

interface Bounded<T> {
  readonly bounds: ChunkBounds<T>
  readonly window: Window
}

/** A sorted list in chunks: inserting, removing and finding stay cheap however long it grows. */
export class Ordered<T> {
  readonly #compare: (a: T, b: T) => number
  readonly #measures: Measures<T>
  readonly #mostItems: number
  #chunks: T[][] = []
  #size = 0
  /** By measure; none as long as there is one chunk only. */
  #bounds: Map<string, ChunkBounds<T>> | null = null

  /** `compare` must be a total order: no two kept items may compare as equal. Walks can be windowed by `measures`. */
  constructor(compare: (a: T, b: T) => number, measures: Measures<T> = NO_MEASURES) {
    this.#compare = compare
    this.#measures = measures
    this.#mostItems = measures === NO_MEASURES ? MAX_CHUNK_ITEMS : MAX_MEASURED_ITEMS
  }

  get size(): number {
    return this.#size
  }

  insert(item: T): void {
    const at = this.#chunkFor(item)
    const chunk = this.#chunks[at]
    this.#size += 1
    if (chunk === undefined) {
      this.#append(item)
      return
    }
    chunk.splice(this.#position(chunk, item), 0, item)
    if (chunk.length > this.#mostItems) {
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
    else this.#loosen(at)
  }

  /** Must hear of an item in the list that now measures otherwise. */
  remeasure(item: T): void {
    const at = this.#chunkFor(item)
    this.#widen(at, item)
    this.#loosen(at)
  }

  /** The first item, or undefined when there is none. */
  get first(): T | undefined {
    return this.#chunks[0]?.[0]
  }

  /** The last item, or undefined when there is none. */
  get last(): T | undefined {
    return this.#chunks.at(-1)?.at(-1)
  }

  /** The last item of those at the beginning for which `isBefore` holds; it must hold for none behind one it does not. */
  lastWhere(isBefore: (item: T) => boolean): T | undefined {
    const chunks = this.#chunks
    const at = partition(chunks.length, (i) => isBefore(chunks[i]?.[0] as T)) - 1
    const chunk = chunks[at]
    return chunk?.[partition(chunk.length, (i) => isBefore(chunk[i] as T)) - 1]
  }

  /** The item that many places after the first one that is not before `from`. */
  ahead(from: T, places: number): T | undefined {
    let at = this.#chunkFor(from)
    let place = this.#position(this.#chunks[at] ?? [], from) + places
    for (; at < this.#chunks.length; at += 1) {
      const chunk = this.#chunks[at] ?? []
      if (place < chunk.length) return chunk[place]
      place -= chunk.length
    }
    return undefined
  }

  /** The items after one, or from the start, in ascending order: as many as lie together, none when there are no more. */
  following(item: T | undefined): readonly T[] {
    if (item === undefined) return this.#chunks[0]?.slice() ?? []
    const at = this.#chunkFor(item)
    const chunk = this.#chunks[at] ?? []
    const rest = chunk.slice(this.#lastNotAfter(chunk, item) + 1)
    return rest.length > 0 ? rest : (this.#chunks[at + 1]?.slice() ?? [])
  }

  /** Items in ascending order, from the first one that is not before `from`, or from the start; see `descending`. */
  *ascending(from?: T, windows: readonly Window[] = []): Generator<T> {
    const first = from === undefined ? 0 : this.#chunkFor(from)
    const bounded = this.#bounded(windows)
    for (let at = first; at < this.#chunks.length; at += 1) {
      if (!this.#mayHold(at, bounded)) continue
      const chunk = this.#chunks[at] ?? []
      const start = from !== undefined && at === first ? this.#position(chunk, from) : 0
      for (let i = start; i < chunk.length; i += 1) yield chunk[i] as T
    }
  }

  /**
   * Items in descending order, from the last one that is not after `from`, or from the end. Many that are not in all
   * `windows` are passed over, but not every one.
   */
  *descending(from?: T, windows: readonly Window[] = []): Generator<T> {
    const last = from === undefined ? this.#chunks.length - 1 : this.#chunkFor(from)
    const bounded = this.#bounded(windows)
    for (let at = Math.min(last, this.#chunks.length - 1); at >= 0; at -= 1) {
      if (!this.#mayHold(at, bounded)) continue
      const chunk = this.#chunks[at] ?? []
      const isFirst = from !== undefined && at === last
      for (let i = isFirst ? this.#lastNotAfter(chunk, from) : chunk.length - 1; i >= 0; i -= 1) {
        yield chunk[i] as T
      }
    }
  }

  // Records mostly come in order, so a full last chunk gets a successor instead of being split in half.
  #append(item: T): void {
    const last = this.#chunks.at(-1)
    // Most lists stay short, and a literal takes the room of its items only.
    if (last === undefined) this.#chunks = [[item]]
    else if (last.length < this.#mostItems) {
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
    const all = Object.entries(this.#measures).map(([name, read]) => [name, new ChunkBounds(read)] as const)
    if (all.length > 0) this.#bounds = new Map(all)
    for (const [, bounds] of all) bounds.replace(0, 0, this.#chunks)
  }

  #widen(at: number, item: T): void {
    if (this.#bounds !== null) for (const bounds of this.#bounds.values()) bounds.widen(at, item)
  }

  #loosen(at: number): void {
    if (this.#bounds !== null) for (const bounds of this.#bounds.values()) bounds.loosen(at)
  }

  #bounded(windows: readonly Window[]): readonly Bounded<T>[] {
    return windows.flatMap((window) => {
      const bounds = this.#bounds?.get(window.measure)
      return bounds === undefined ? [] : [{ bounds, window }]
    })
  }

  #mayHold(at: number, bounded: readonly Bounded<T>[]): boolean {
    for (const { bounds, window } of bounded) {
      if (!bounds.mayHold(at, this.#chunks[at] ?? [], window)) return false
    }
    return true
  }

  /** The first chunk whose last item is not before `item`; the number of chunks when there is none. */
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

/** How many of the first `length` places hold, when no place behind one that does not holds. */
function partition(length: number, holds: (place: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
