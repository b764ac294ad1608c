import type { StoredObject } from '../../domain/core/changes.ts'
import { isRealTimeQueue } from '../../domain/schedule/deadlines.ts'
import type { Store } from '../port/store.ts'

/** Maximum number of cached queues; 100 webhook endpoints have 200 queues. */
const MAX_CACHED_QUEUES = 1000

/**
 * Caches the time until which no job is due, for each queue in real time and for all of these queues together. Without
 * the cache, each request queries due records before it runs, and each commit before it wakes background jobs. Works
 * only while `isListening` returns true, which means that `invalidate` follows every commit of a record with a
 * deadline. Queues of test clocks are not cached.
 */
export function createNextDueTimeCache(
  { listDue, nextDeadline }: Pick<Store, 'listDue' | 'nextDeadline'>,
  isListening: () => boolean,
) {
  const emptyUntil = new Map<string, number>()
  /** The next deadline in real time; null without a deadline, undefined when unknown. */
  let next: number | null | undefined
  /** The latest time of a query in real time. A cached deadline before this time may belong to a finished job. */
  let now = Number.NEGATIVE_INFINITY
  let changes = 0

  function isNothingDue(until: number): boolean {
    return next === null || (next !== undefined && next > until)
  }

  function isEmpty(queue: string, until: number): boolean {
    if (!isListening()) return false
    return isNothingDue(until) || until <= (emptyUntil.get(queue) ?? Number.NEGATIVE_INFINITY)
  }

  return {
    async listDue(queue: string, until: number, limit: number): Promise<readonly StoredObject[]> {
      if (!isRealTimeQueue(queue)) return listDue(queue, until, limit)
      now = Math.max(now, until)
      if (isEmpty(queue, until)) return []
      const changesBefore = changes
      const records = await listDue(queue, until, limit)
      if (records.length === 0 && changesBefore === changes) {
        if (emptyUntil.size === MAX_CACHED_QUEUES) emptyUntil.clear()
        emptyUntil.set(queue, until)
      }
      return records
    },
    async nextDeadline(): Promise<number | null> {
      if (isListening() && next !== undefined && isNothingDue(now)) return next
      const changesBefore = changes
      const found = await nextDeadline()
      if (changesBefore === changes) next = found
      return found
    },
    /**
     * Clears the cache; call it after every commit of a record with a deadline in real time, by this process or
     * another.
     */
    invalidate(): void {
      changes += 1
      emptyUntil.clear()
      next = undefined
    },
  }
}
