import type { StoredObject } from '../../domain/core/changes.ts'
import { type Collection, collectionOf } from '../port/collections.ts'
import type { Write } from '../port/store.ts'

/** Creates an empty list of writes that the database has not received yet. */
export function createPendingWrites() {
  let writes: Write[] = []
  const records = new Map<string, StoredObject | null>()
  const collections = new Set<Collection>()

  return {
    add(added: readonly Write[]): void {
      writes.push(...added)
      for (const write of added) {
        const record = 'put' in write ? write.put : write.remove
        const collection = collectionOf(record)
        collections.add(collection)
        records.set(`${collection} ${record.id}`, 'put' in write ? record : null)
      }
    },
    /** Returns the last state of a written record, null for a removed one, or undefined when no write changes it. */
    find: (collection: Collection, id: string) => records.get(`${collection} ${id}`),
    /** Returns whether a write changes a collection, or any without an argument. */
    has: (collection?: Collection) =>
      collection === undefined ? writes.length > 0 : collections.has(collection),
    /** Removes and returns all writes in order. */
    takeAll(): readonly Write[] {
      const taken = writes
      writes = []
      records.clear()
      collections.clear()
      return taken
    },
  }
}
