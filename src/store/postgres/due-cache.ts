import type { StoredObject } from '../../domain/changes.ts'

/** Enough for two queues of each of 100 webhook endpoints. */
const MAX_CACHED_QUEUES = 1000

type ListDue = (queue: string, until: number, limit: number) => Promise<readonly StoredObject[]>

/** Lists due records, and caches empty results until the store changes. */
export interface DueCache {
  readonly listDue: ListDue
  /** Call it after every change to the store, by this process or another. */
  readonly invalidate: () => void
}

/**
 * Caches for each queue until when no record is due, because every request lists due records first. Works only while
 * `isListening` returns true, which means that every change is followed by `invalidate`.
 */
export function createDueCache(listDue: ListDue, isListening: () => boolean): DueCache {
  const emptyUntil = new Map<string, number>()
  let changes = 0
  return {
    async listDue(queue, until, limit) {
      if (isListening() && until <= (emptyUntil.get(queue) ?? Number.NEGATIVE_INFINITY)) return []
      const changesBefore = changes
      const records = await listDue(queue, until, limit)
      if (records.length === 0 && changesBefore === changes) {
        if (emptyUntil.size === MAX_CACHED_QUEUES) emptyUntil.clear()
        emptyUntil.set(queue, until)
      }
      return records
    },
    invalidate() {
      changes += 1
      emptyUntil.clear()
    },
  }
}
