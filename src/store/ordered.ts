const MAX_CHUNK_ITEMS = 512

/** A sorted list in chunks: inserting, removing and finding stay cheap however long it grows. */
export class Ordered<T> {
  readonly #compare: (a: T, b: T) => number
  #chunks: T[][] = []
  #size = 0

  /** `compare` must be a total order: no two kept items may compare as equal. */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
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
    if (chunk.length > MAX_CHUNK_ITEMS) {
      this.#chunks.splice(at, 1, chunk.slice(0, MAX_CHUNK_ITEMS / 2), chunk.slice(MAX_CHUNK_ITEMS / 2))
    }
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
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  /** Whether the item is kept. */
  has(item: T): boolean {
    const chunk = this.#chunks[this.#chunkFor(item)]
    if (chunk === undefined) return false
    const found = chunk[this.#position(chunk, item)]
    return found !== undefined && this.#compare(found, item) === 0
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

  /** Items in ascending order, from the first one that is not before `from`, or from the start. */
  *ascending(from?: T): Generator<T> {
    const first = from === undefined ? 0 : this.#chunkFor(from)
    for (let at = first; at < this.#chunks.length; at += 1) {
      const chunk = this.#chunks[at] ?? []
      const start = from !== undefined && at === first ? this.#position(chunk, from) : 0
      for (let i = start; i < chunk.length; i += 1) yield chunk[i] as T
    }
  }

  /** Items in descending order, from the last one that is not after `from`, or from the end. */
  *descending(from?: T): Generator<T> {
    const last = from === undefined ? this.#chunks.length - 1 : this.#chunkFor(from)
    for (let at = Math.min(last, this.#chunks.length - 1); at >= 0; at -= 1) {
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
    else if (last.length < MAX_CHUNK_ITEMS) last.push(item)
    else this.#chunks.push([item])
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
