import type { StoredObject } from '../../domain/core/changes.ts'
import { type CollectionName, getCollectionName } from '../port/collections.ts'
import type { Write } from '../port/store.ts'

/** The combined effect of writes. */
export interface NetWrites {
  readonly removed: readonly StoredObject[]
  /** The last states of stored records, in insertion order. */
  readonly put: readonly StoredObject[]
}

/** Creates an empty list of writes that the database has not received yet. */
export function createPendingWrites() {
  const removed = new Map<string, StoredObject>()
  const put = new Map<string, StoredObject>()
  const collections = new Set<CollectionName>()

  return {
    add(writes: readonly Write[]): void {
      for (const write of writes) {
        const record = 'put' in write ? write.put : write.remove
        const collection = getCollectionName(record)
        const key = `${collection} ${record.id}`
        collections.add(collection)
        if ('put' in write) put.set(key, record)
        else {
          // A record that is removed and stored again moves to the end.
          put.delete(key)
          removed.set(key, record)
        }
      }
    },
    /** Returns the last state of a written record, null for a removed record, or undefined when no write changes it. */
    find(collection: CollectionName, id: string): StoredObject | null | undefined {
      const key = `${collection} ${id}`
      return put.get(key) ?? (removed.has(key) ? null : undefined)
    },
    /** Returns whether a write changes the given collection; without an argument, whether there are any writes. */
    has: (collection?: CollectionName) =>
      collection === undefined ? collections.size > 0 : collections.has(collection),
    /** Removes and returns all writes. */
    takeAll(): NetWrites {
      const taken = { removed: [...removed.values()], put: [...put.values()] }
      removed.clear()
      put.clear()
      collections.clear()
      return taken
    },
  }
}
