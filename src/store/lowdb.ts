import { rm } from 'node:fs/promises'
import { type Adapter, Low } from 'lowdb'
import { type Checkpoints, openCheckpoints } from './checkpoints.ts'
import { Journal, journalFile } from './journal.ts'
import { encodeOperations } from './journal-lines.ts'
import { type Lock, type LockHolder, lockDatabase } from './lock.ts'
import { makePrivateFolder, refusePlanted } from './private-file.ts'
import { createRecordStore, type Durability } from './record-store.ts'
import { emptyDatabase, type Recovered, recover } from './recovery.ts'
import { forgetDatabase } from './replacement.ts'
import type { Clockwork } from './snapshot-writer.ts'
import type { Store } from './store.ts'

export interface LowdbOptions {
  /** Path of the JSON file; made with its folder when missing. */
  readonly file: string
  /** Makes unguessable names for temporary files. */
  readonly newSuffix: () => string
  readonly clockwork: Clockwork
  /** Whether to forget what it holds and begin anew. */
  readonly isReset?: boolean
  /** Who will hold the lock. */
  readonly holder: LockHolder
  /** Hears how many bytes of how many were loaded. */
  readonly onProgress?: (done: number, total: number) => void
  /** Hears what a person should know of how the files were found. */
  readonly onNote?: (note: string) => void
  /** Hears of a disk that failed in another way than by being full: nothing can be stored any more. */
  readonly onBroken?: (error: unknown) => void
  /** How large the journal may grow before it is folded into the snapshot; 64 MiB unless given. */
  readonly minJournalBytes?: number
}

/**
 * The default store: lowdb over one JSON file that lowdb itself can read, and a journal beside it. What was answered is
 * in the journal; lowdb's read replays it, lowdb's write folds it into the file.
 */
export async function openLowdbStore(options: LowdbOptions): Promise<Store> {
  await makePrivateFolder(options.file)
  // Its lock would be beside what is no database.
  await refusePlanted(options.file)
  const lock = await lockDatabase(options.file, options)
  try {
    return await openLocked(options, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function openLocked(options: LowdbOptions, lock: Lock): Promise<Store> {
  let checkpoints: Checkpoints | null = null
  if (options.isReset === true) await forgetDatabase(options.file)
  const adapter: Adapter<Recovered> = {
    read: () => recover(options.file, options),
    async write() {
      if (!(await checkpoints?.make(true))) throw new Error('a write was refused meanwhile')
    },
  }
  const db = new Low<Recovered>(adapter, emptyDatabase())
  await db.read()
  const { records, position, snapshotBytes, oldestGeneration, isClosed, notes } = db.data
  for (const note of notes) options.onNote?.(note)
  const onBroken = options.onBroken ?? (() => {})
  const onCheckpointFailure = (error: unknown) =>
    options.onNote?.(`The database could not be compacted: ${String(error)}`)
  const journal = await Journal.open(options.file, position, { onBroken, pause: options.clockwork.pause })
  checkpoints = openCheckpoints({
    ...options,
    database: options.file,
    records,
    journal,
    snapshotBytes,
    oldestGeneration,
    onFailure: onCheckpointFailure,
  })
  // Whether the journal is no longer needed: only a snapshot written on closing does without one.
  async function foldOnClosing(): Promise<boolean> {
    await journal.settled(journal.lastTransaction).catch(() => undefined)
    if (journal.isBroken) return false
    // A database that did not change keeps its file.
    const isUnchanged = journal.size === 0 && journal.generation === oldestGeneration
    if (isUnchanged && isClosed && snapshotBytes > 0) return true
    try {
      await db.write()
      return true
    } catch (error) {
      onCheckpointFailure(error)
      return false
    }
  }
  const durability = createJournalDurability(journal, checkpoints, async () => {
    const isFolded = await foldOnClosing()
    await journal.close()
    if (isFolded) await rm(journalFile(options.file, journal.generation), { force: true })
    await lock.release()
  })
  return createRecordStore(records, durability)
}

function createJournalDurability(
  journal: Journal,
  checkpoints: Checkpoints,
  close: () => Promise<void>,
): Durability {
  return {
    next: () => journal.lastTransaction + 1,
    persist({ writes, undo }) {
      const durable = journal.append(encodeOperations(writes), undo)
      checkpoints.consider()
      return durable
    },
    isDurable: (stamp) => stamp <= journal.durableTransaction,
    settled: (stamp) =>
      journal.settled(stamp).then(
        () => true,
        () => false,
      ),
    async close() {
      await checkpoints.finished()
      await close()
    },
  }
}
