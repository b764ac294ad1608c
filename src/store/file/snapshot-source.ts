import type { CollectionName } from '../port/collections.ts'
import type { StoreContents } from '../port/store.ts'

/** The records of a new snapshot. */
export interface SnapshotSource {
  /** Sequence number of the newest event in the snapshot. */
  readonly sequence: number
  /** Yields the JSON text of each record that was inserted by `transaction` or before, oldest first. */
  readonly jsonTexts: (collection: CollectionName, transaction: number) => Iterable<string>
}

/** Returns the contents of a store as the source of a snapshot, which yields every record for any `transaction`. */
export function createSnapshotSource({ records, sequence }: StoreContents): SnapshotSource {
  return {
    sequence,
    *jsonTexts(collection) {
      for (const record of records[collection]) yield JSON.stringify(record)
    },
  }
}
