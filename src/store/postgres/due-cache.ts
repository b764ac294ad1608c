import type { StoredObject } from '../../domain/changes.ts'
import type { StoreReader } from '../port/store.ts'

/** Enough for two queues of each of 100 webhook endpoints. */
const MAX_CACHED_QUEUES = 1000

/**
 * Caches for each queue until when no record is due, because every request lists due records first. Works only while
 * `isListening` returns true, which means that every change is followed by `invalidate`.
 */
export function createDueCache(listDue: StoreReader['listDue'], isListening: () => boolean) {
  const emptyUntil = new Map<string, number>()
  let changes = 0
  return {
    async listDue(queue: string, until: number, limit: number): Promise<readonly StoredObject[]> {
      if (isListening() && until <= (emptyUntil.get(queue) ?? Number.NEGATIVE_INFINITY)) return []
      const changesBefore = changes
      const records = await listDue(queue, until, limit)
      if (records.length === 0 && changesBefore === changes) {
        if (emptyUntil.size === MAX_CACHED_QUEUES) emptyUntil.clear()
        emptyUntil.set(queue, until)
      }
      return records
    },
    /** Call it after every change to the store, by this process or another. */
    invalidate(): void {
      changes += 1
      emptyUntil.clear()
    },
  }
}
