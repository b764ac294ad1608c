import type { Records } from '../memory/records.ts'
import { type SliceScheduling, SNAPSHOT_FORMAT, writeSnapshot } from './snapshot-writer.ts'

export interface ClosedSnapshotOptions {
  readonly newSuffix: () => string
  readonly scheduling: SliceScheduling
  /** Name of the database that a saved state was read from. */
  readonly sourceDatabase?: string
  /**
   * Must be greater than the generation of every journal next to the file (default: 1). Never 0, because recovery accepts a
   * journal of generation 0 without a snapshot.
   */
  readonly generation?: number
  /** Number of the last transaction in the records (default: 0). */
  readonly transaction?: number
}

/** Writes records as a cleanly closed database without a journal; replaces an existing file atomically. */
export async function writeClosedSnapshot(
  database: string,
  records: Records,
  { newSuffix, scheduling, sourceDatabase, generation = 1, transaction = 0 }: ClosedSnapshotOptions,
): Promise<void> {
  const meta = {
    format: SNAPSHOT_FORMAT,
    generation,
    transaction,
    sequence: records.sequence,
    closed: true,
    ...(sourceDatabase === undefined ? {} : { saved_from: sourceDatabase }),
  }
  const canReplace = async () => true
  await writeSnapshot({ database, suffix: newSuffix() }, records, { meta, scheduling, canReplace })
}
