import type { CollectionName } from '../port/collections.ts'
import type { StoreReader } from '../port/store.ts'

/** Maximum number of results of a collection that are cached for the next batch. */
const MAX_KEPT_RESULTS = 10

/** The cached results of reads, by collection. */
export type ReadCache = Map<CollectionName, Map<string, Promise<unknown>>>

/** Removes the results of collections with many different queries, which later transactions rarely repeat. */
export function trimReadCache(cache: ReadCache): void {
  for (const [collection, results] of cache) if (results.size > MAX_KEPT_RESULTS) cache.delete(collection)
}

/**
 * Creates a reader that keeps results in `cache`, from which the caller deletes changed collections. Use it only while no
 * other process can change the store, or with a later check for changes.
 */
export function createCachingReader(reader: StoreReader, cache: ReadCache): StoreReader {
  function cached<T>(collection: CollectionName, key: string, read: () => Promise<T>): Promise<T> {
    const results = cache.get(collection) ?? new Map<string, Promise<unknown>>()
    cache.set(collection, results)
    const result = (results.get(key) as Promise<T> | undefined) ?? read()
    results.set(key, result)
    // Avoids an unhandled rejection when a caller of several reads stops at the first error.
    result.catch(() => {})
    return result
  }

  return {
    get: (collection, id) => cached(collection, `get ${id}`, () => reader.get(collection, id)),
    list: (collection, query) =>
      cached(collection, `list ${JSON.stringify(query)}`, () => reader.list(collection, query)),
    listDue: (queue, until, limit) => reader.listDue(queue, until, limit),
    listOldest: (collection, limit, after) =>
      cached(collection, `oldest ${limit} ${after}`, () => reader.listOldest(collection, limit, after)),
    count: (collection) => cached(collection, 'count', () => reader.count(collection)),
    newestSequence: () => reader.newestSequence(),
  }
}
