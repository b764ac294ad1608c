const SHARD_COUNT = 64
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/**
 * A string map that grows without a long pause. A `Map` of a million entries takes a quarter of a second to rehash; one of
 * its 64 shards takes a few milliseconds.
 */
export class ShardedMap<V> {
  // Shards are created on first use, because most maps stay small.
  readonly #shards: (Map<string, V> | undefined)[] = Array.from({ length: SHARD_COUNT }, () => undefined)

  /** Returns the shard of a key. */
  shardFor(key: string): Map<string, V> {
    const at = shardIndexOf(key)
    const existing = this.#shards[at]
    if (existing !== undefined) return existing
    const shard = new Map<string, V>()
    this.#shards[at] = shard
    return shard
  }

  get(key: string): V | undefined {
    return this.#shards[shardIndexOf(key)]?.get(key)
  }
}

// FNV-1a over pairs of characters. All characters count: e-mail addresses share their ends, ids their beginnings.
function shardIndexOf(key: string): number {
  let hash = FNV_OFFSET
  for (let at = 1; at < key.length; at += 2) {
    hash = Math.imul(hash ^ key.charCodeAt(at - 1) ^ (key.charCodeAt(at) << 8), FNV_PRIME)
  }
  if (key.length % 2 === 1) hash = Math.imul(hash ^ key.charCodeAt(key.length - 1), FNV_PRIME)
  return (hash ^ (hash >>> 16)) & (SHARD_COUNT - 1)
}
