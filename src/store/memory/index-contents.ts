import { COLLECTION_NAMES } from '../port/collections.ts'
import type { StoreContents } from '../port/store.ts'
import { MemoryRecords } from './memory-records.ts'
import { runInSlices, type SliceScheduling } from './slices.ts'

/** Indexes the contents of a sandbox in slices. Stores share the records, because stored objects never change. */
export async function indexContents(
  contents: StoreContents,
  scheduling: SliceScheduling,
): Promise<MemoryRecords> {
  const records = new MemoryRecords()
  for (const name of COLLECTION_NAMES) {
    const all = contents.records[name]
    await runInSlices(
      all.length,
      (index) => records.append(name, all[index] as (typeof all)[number]),
      scheduling,
    )
  }
  records.resumeSequence(contents.sequence)
  return records
}
