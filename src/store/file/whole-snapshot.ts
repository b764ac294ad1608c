import type { Records } from '../memory/records.ts'
import { type Clockwork, SNAPSHOT_FORMAT, writeSnapshot } from './snapshot-writer.ts'

export interface WholeSnapshotOptions {
  readonly newSuffix: () => string
  readonly clockwork: Clockwork
  /** The name of the database that a state was saved from. */
  readonly savedFrom?: string
  /**
   * Newer than each journal that may lie beside the file (default: 1). Never 0, because a journal of generation 0 is
   * a whole database, also where the snapshot before it is missing.
   */
  readonly generation?: number
  /** The last transaction that the records hold (default: 0). */
  readonly transaction?: number
}

/**
 * Writes records as a database of one file, as a clean stop leaves it; a file of this name is replaced once all of it is
 * written.
 */
export async function writeWholeSnapshot(
  database: string,
  records: Records,
  { newSuffix, clockwork, savedFrom, generation = 1, transaction = 0 }: WholeSnapshotOptions,
): Promise<void> {
  const meta = {
    format: SNAPSHOT_FORMAT,
    generation,
    transaction,
    sequence: records.sequence,
    closed: true,
    ...(savedFrom === undefined ? {} : { saved_from: savedFrom }),
  }
  const isWhole = async () => true
  await writeSnapshot({ database, suffix: newSuffix() }, records, { meta, clockwork, isWhole })
}
