import { rm } from 'node:fs/promises'
import type { Records } from '../memory/records.ts'
import type { FileWatch } from './file-watch.ts'
import { type Journal, journalFile } from './journal.ts'
import { type Clockwork, SNAPSHOT_FORMAT, type SnapshotMeta, writeSnapshot } from './snapshot-writer.ts'

const MIN_JOURNAL_BYTES = 64 * 1024 * 1024

export interface CheckpointOptions {
  readonly database: string
  readonly records: Records
  readonly journal: Journal
  readonly newSuffix: () => string
  readonly clockwork: Clockwork
  /** Bytes in the snapshot there is, 0 for none. */
  readonly snapshotBytes: number
  /** The oldest journal file that is still there. */
  readonly oldestGeneration: number
  /** How large a journal may grow before it is folded into the snapshot; 64 MiB unless given. */
  readonly minJournalBytes?: number
  /** Asked whether a snapshot overwrites nothing but our own. */
  readonly watch?: Pick<FileWatch, 'beforeSnapshot' | 'afterSnapshot'>
  /** Hears of a checkpoint that could not be made; the journal goes on, so nothing is lost. */
  readonly onFailure: (error: unknown) => void
}

/** Folds the journal into a new snapshot from time to time, while the store goes on. */
export interface Checkpoints {
  /** Starts a checkpoint when the journal has outgrown the snapshot and none is running. */
  consider(): void
  /** Makes a checkpoint now; resolves with whether the snapshot was replaced. */
  make(isClosing: boolean): Promise<boolean>
  /** Resolves when none is running. */
  finished(): Promise<void>
}

/** The checkpoints of one open database. */
export function openCheckpoints(options: CheckpointOptions): Checkpoints {
  const { journal, records, database, watch } = options
  let { snapshotBytes, oldestGeneration } = options
  let running: Promise<boolean> | null = null
  /** Size of the journal when the last attempt failed: the next one waits for as much again. */
  let failedAtBytes = 0

  async function write(isClosing: boolean): Promise<boolean> {
    const undoneBefore = journal.undoneCount
    const transaction = await journal.rotate()
    const meta: SnapshotMeta = {
      format: SNAPSHOT_FORMAT,
      generation: journal.generation,
      transaction,
      sequence: records.sequence,
      closed: isClosing,
    }
    const target = { database, suffix: options.newSuffix() }
    const written = await writeSnapshot(target, records, {
      meta,
      clockwork: options.clockwork,
      // It may hold what was not on disk yet when it was read; it counts only once all of that is, and none undone.
      isWhole: async () => {
        await journal.settled(journal.lastTransaction).catch(() => undefined)
        return journal.undoneCount === undoneBefore && (await watch?.beforeSnapshot()) !== false
      },
    }).finally(() => watch?.afterSnapshot())
    if (written === null) return false
    snapshotBytes = written
    for (; oldestGeneration < meta.generation; oldestGeneration += 1) {
      await rm(journalFile(database, oldestGeneration), { force: true })
    }
    return true
  }

  function make(isClosing: boolean): Promise<boolean> {
    const made = (running ?? Promise.resolve(true)).catch(() => false).then(() => write(isClosing))
    running = made
    const end = (failed: number) => {
      failedAtBytes = failed
      if (running === made) running = null
    }
    made.then(
      () => end(0),
      () => end(journal.size),
    )
    return made
  }

  return {
    consider() {
      const limit = Math.max(options.minJournalBytes ?? MIN_JOURNAL_BYTES, snapshotBytes)
      if (running !== null || journal.isBroken || journal.size - failedAtBytes <= limit) return
      make(false).catch(options.onFailure)
    },
    make,
    async finished() {
      await running?.catch(() => undefined)
    },
  }
}
