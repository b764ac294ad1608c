import type { MemoryRecords } from '../../src/store/memory/memory-records.ts'
import { COLLECTION_NAMES, type CollectionName } from '../../src/store/port/collections.ts'
import { FILTERS, QUEUES } from './any-changes.ts'

const EVER = Number.MAX_SAFE_INTEGER

/** Returns every list, filtered list and queue of records as JSON strings, for comparison. */
export function dumpRecords(records: MemoryRecords): string[] {
  const seen: unknown[] = [records.sequence]
  for (const name of COLLECTION_NAMES) {
    seen.push(name, [...records.all(name)], records.list(name, { limit: EVER }).data)
  }
  for (const [name, filters] of Object.entries(FILTERS)) {
    for (const [filter, values] of Object.entries(filters)) {
      for (const value of values) {
        const { data } = records.list(name as CollectionName, { where: { [filter]: value }, limit: EVER })
        seen.push([name, filter, value], data)
      }
    }
  }
  for (const queue of QUEUES) seen.push(queue, records.listDue(queue, EVER, EVER))
  return seen.map((each) => JSON.stringify(each))
}
