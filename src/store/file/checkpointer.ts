import { rm } from 'node:fs/promises'
import type { MemoryRecords } from '../memory/memory-records.ts'
import type { FileLossDetector } from './file-loss-detector.ts'
import { getJournalPath, type Journal } from './journal.ts'
import { type WriteSnapshotOptions, writeSnapshot } from './snapshot-writer.ts'

const MIN_JOURNAL_BYTES = 64 * 1024 * 1024

export interface CheckpointerOptions extends Pick<WriteSnapshotOptions, 'newSuffix' | 'scheduling'> {
  readonly database: string
  readonly records: MemoryRecords
  readonly journal: Journal
  /** Size of the existing snapshot in bytes, or 0. */
  readonly snapshotBytes: number
  /** Generation of the oldest journal file that still exists. */
  readonly oldestGeneration: number
  /** Journal size in bytes below which no checkpoint starts (default: 64 MiB). */
  readonly minJournalBytes?: number
  /** Checks that the new snapshot replaces only files of this process. */
  readonly watch?: Pick<FileLossDetector, 'beforeSnapshot' | 'afterSnapshot'>
  /** Called when a checkpoint fails. No data is lost, because the journal continues. */
  readonly onFailure: (error: unknown) => void
}

/** Replaces the snapshot and the older journals with a new snapshot while the store is in use. */
export type Checkpointer = ReturnType<typeof createCheckpointer>

/** Creates the checkpoints of an open database. */
export function createCheckpointer(options: CheckpointerOptions) {
  const { journal, records, database, watch } = options
  let { snapshotBytes, oldestGeneration } = options
  let running: Promise<boolean> | null = null
  /** Journal size at the last failure: the next attempt waits until the journal grew by the limit again. */
  let failedAtBytes = 0

  async function write(isClosing: boolean): Promise<boolean> {
    const undoCountBefore = journal.undoCount
    const transaction = await journal.rotate()
    const { generation } = journal.position
    const written = await writeSnapshot(database, records, {
      newSuffix: options.newSuffix,
      scheduling: options.scheduling,
      meta: { generation, transaction, closed: isClosing },
      // The snapshot may contain transactions that were not durable when they were read. The snapshot is valid if no
      // such transaction was undone.
      canReplace: async () => {
        await journal.waitUntilSettled(journal.lastTransaction).catch(() => undefined)
        return journal.undoCount === undoCountBefore && (await watch?.beforeSnapshot()) !== false
      },
    }).finally(() => watch?.afterSnapshot())
    if (written === null) return false
    snapshotBytes = written
    for (; oldestGeneration < generation; oldestGeneration += 1) {
      await rm(getJournalPath(database, oldestGeneration), { force: true })
    }
    return true
  }

  /** Writes a snapshot after the running checkpoint, if any; resolves with whether the snapshot replaced the old snapshot. */
  function checkpoint(isClosing: boolean): Promise<boolean> {
    const written = (running ?? Promise.resolve(true)).catch(() => false).then(() => write(isClosing))
    running = written
    const end = (failed: number) => {
      failedAtBytes = failed
      if (running === written) running = null
    }
    written.then(
      () => end(0),
      () => end(journal.position.offset),
    )
    return written
  }

  return {
    /**
     * Starts a checkpoint if none is running and the journal has grown beyond both the snapshot size and
     * `minJournalBytes`.
     */
    startIfNeeded(): void {
      const limit = Math.max(options.minJournalBytes ?? MIN_JOURNAL_BYTES, snapshotBytes)
      if (running !== null || journal.failure !== null) return
      if (journal.position.offset - failedAtBytes <= limit) return
      checkpoint(false).catch(options.onFailure)
    },
    checkpoint,
    /** Resolves when no checkpoint is running. */
    async waitUntilIdle(): Promise<void> {
      await running?.catch(() => undefined)
    },
  }
}
