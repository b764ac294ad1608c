import { COLLECTION_NAMES } from '../port/collections.ts'
import type { StoreContents } from '../port/store.ts'
import { Records } from './records.ts'
import { runInSlices, type SliceScheduling } from './slices.ts'

/** Indexes contents in slices. The records themselves are shared, because stored objects never change. */
export async function buildRecords(contents: StoreContents, scheduling: SliceScheduling): Promise<Records> {
  const records = new Records()
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
