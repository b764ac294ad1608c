import { hashText } from './text-hash.ts'

const SHARD_COUNT = 64

/**
 * Up to this size, a single map is faster and smaller. Moving its entries to shards takes a fraction of a millisecond.
 */
const MAX_SINGLE_ENTRIES = 2048

/**
 * A string map that grows without a long pause. A `Map` of a million entries takes a quarter of a second to rehash;
 * each of its 64 shards takes a few milliseconds.
 */
export class ShardedMap<V> {
  /** Holds all entries until the map has shards. */
  #single: Map<string, V> | null = null
  #shards: readonly Map<string, V>[] | null = null

  /** Returns the map that holds or may get the entry of a key; valid until the next call. */
  shardFor(key: string): Map<string, V> {
    if (this.#shards !== null) return this.#shards[shardIndexOf(key)] as Map<string, V>
    this.#single ??= new Map()
    return this.#single.size < MAX_SINGLE_ENTRIES ? this.#single : this.#createShards(this.#single, key)
  }

  get(key: string): V | undefined {
    return this.#shards === null ? this.#single?.get(key) : this.#shards[shardIndexOf(key)]?.get(key)
  }

  #createShards(entries: ReadonlyMap<string, V>, key: string): Map<string, V> {
    const shards = Array.from({ length: SHARD_COUNT }, () => new Map<string, V>())
    for (const [each, value] of entries) shards[shardIndexOf(each)]?.set(each, value)
    this.#shards = shards
    this.#single = null
    return this.shardFor(key)
  }
}

function shardIndexOf(key: string): number {
  return hashText(key) >>> 26
}
