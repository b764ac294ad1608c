import type { StoredObject } from '../../domain/core/changes.ts'
import { COLLECTION_NAMES, type CollectionName } from '../port/collections.ts'
import type { StoreContents } from '../port/store.ts'
import { RawRecord } from './raw-record.ts'
import { runInSlices, type SliceScheduling } from './slices.ts'

/** A copy of all records, some of them unparsed. */
export interface UnparsedContents extends Pick<StoreContents, 'sequence'> {
  readonly records: Readonly<Record<CollectionName, (StoredObject | RawRecord)[]>>
}

/** Parses the unparsed records of a copy in slices. */
export async function parseContents(
  { records, sequence }: UnparsedContents,
  scheduling: SliceScheduling,
): Promise<StoreContents> {
  for (const name of COLLECTION_NAMES) {
    const all = records[name]
    const parseAt = (index: number) => {
      const record = all[index]
      if (record instanceof RawRecord) all[index] = record.parse()
    }
    await runInSlices(all.length, parseAt, scheduling)
  }
  return { records: records as unknown as StoreContents['records'], sequence }
}
