import {
  type Checkpointer,
  type CheckpointerOptions,
  createCheckpointer,
} from '../../../src/store/file/checkpointer.ts'
import type { Journal } from '../../../src/store/file/journal.ts'
import { encodeWrites } from '../../../src/store/file/journal-lines.ts'
import { recoverDatabase } from '../../../src/store/file/recovery.ts'
import type { MemoryRecords } from '../../../src/store/memory/memory-records.ts'
import type { Write } from '../../../src/store/port/store.ts'
import type { AnyWrite } from '../any-changes.ts'
import { waitForNextTurn } from '../fixture.ts'
import { openJournal } from './open-journal.ts'

/** A database with checkpoints, but without a store. */
export interface CheckpointedDatabase {
  readonly file: string
  readonly records: MemoryRecords
  readonly journal: Journal
  readonly checkpoints: Checkpointer
  readonly failures: unknown[]
  /** Stores a transaction; resolves when it is durable. */
  readonly change: (writes: readonly AnyWrite[]) => Promise<void>
}

let counted = 0
const count = () => {
  counted += 1
  return counted
}

/** Opens a database; `onYield` is called after each record of a checkpoint. */
export async function openCheckpointed(
  file: string,
  {
    onYield = waitForNextTurn,
    ...options
  }: { onYield?: () => Promise<void> } & Pick<CheckpointerOptions, 'minJournalBytes'> = {},
): Promise<CheckpointedDatabase> {
  const newSuffix = () => `suffix-${count()}`
  const { records, position, snapshotBytes, oldestGeneration } = await recoverDatabase(file, { newSuffix })
  const journal = await openJournal(file, position)
  const failures: unknown[] = []
  const checkpoints = createCheckpointer({
    ...{ ...options, database: file, records, journal, newSuffix, snapshotBytes, oldestGeneration },
    scheduling: { yieldToEventLoop: onYield, monotonicMs: () => 10 * count() },
    onFailure: (error) => failures.push(error),
  })
  const change = (writes: readonly AnyWrite[]) => {
    const before = records.sequenceHead
    const all = writes.map((write): Write => {
      if (!('announce' in write)) return write
      return { put: records.sequenceEvents([write.announce])[0] ?? write.announce }
    })
    const undo = records.apply(all, journal.lastTransaction + 1, before)
    return journal.append(encodeWrites(all), undo)
  }
  return { file, records, journal, checkpoints, failures, change }
}
