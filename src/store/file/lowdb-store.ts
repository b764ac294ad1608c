import { rm } from 'node:fs/promises'
import { type Adapter, Low } from 'lowdb'
import { createPrivateFolder, requireOwnFile } from '../disk/private-file.ts'
import { createRecordStore, type Durability } from '../memory/record-store.ts'
import { Records } from '../memory/records.ts'
import type { Store } from '../port/store.ts'
import { type Checkpoints, openCheckpoints } from './checkpoints.ts'
import { requirePaycliDatabase } from './database-format.ts'
import { type FileWatch, openFileWatch } from './file-watch.ts'
import { getJournalPath, Journal } from './journal.ts'
import { encodeOperations } from './journal-lines.ts'
import { type DatabaseLock, type LockHolder, lockDatabase } from './lock.ts'
import { createEmptyDatabase, type RecoveredDatabase, recoverDatabase } from './recovery.ts'
import { eraseDatabase } from './replace-database.ts'
import { createFilesLostError, describeLosses, rescueDatabase } from './rescue-database.ts'
import { markClosed, markOpen } from './snapshot-tail.ts'
import { type SliceScheduling, SNAPSHOT_FORMAT, writeSnapshot } from './snapshot-writer.ts'

export interface LowdbStoreOptions {
  /** Path of the JSON file; the file and its folder are created when missing. */
  readonly file: string
  /** Generates an unguessable suffix for a temporary file. */
  readonly newSuffix: () => string
  readonly scheduling: SliceScheduling
  /** Deletes the existing data first. */
  readonly isReset?: boolean
  readonly holder: LockHolder
  /** Called with the loaded and the total number of bytes. */
  readonly onProgress?: (done: number, total: number) => void
  /** Called with messages for the log. */
  readonly onNote?: (note: string) => void
  /** Called when a write fails for another reason than a full disk; writes are disabled from then on. */
  readonly onBroken?: (error: unknown) => void
  /** Calls `check` every second, without overlap, until stopped. Without it lost files are not detected. */
  readonly poll?: (check: () => Promise<void>) => { readonly stop: () => Promise<void> }
  /** Called once when files were deleted or replaced, with a message for the log; writes are disabled from then on. */
  readonly onFilesLost?: (message: string) => void
  /** Journal size in bytes below which no checkpoint starts (default: 64 MiB). */
  readonly minJournalBytes?: number
}

/**
 * Opens the default store: a JSON snapshot that lowdb can read, and a write-ahead journal. lowdb's `read` recovers both;
 * its `write` replaces them by a new snapshot.
 */
export async function openLowdbStore(options: LowdbStoreOptions): Promise<Store> {
  await createPrivateFolder(options.file)
  // Checked before the lock creates files next to the path.
  await requireOwnFile(options.file)
  await requirePaycliDatabase(options.file)
  const lock = await lockDatabase(options.file, options)
  try {
    return await openLocked(options, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function openLocked(options: LowdbStoreOptions, lock: DatabaseLock): Promise<Store> {
  let checkpoints: Checkpoints | null = null
  if (options.isReset === true) await eraseDatabase(options.file)
  const adapter: Adapter<RecoveredDatabase> = {
    read: () => recoverDatabase(options.file, options),
    async write() {
      if (!(await checkpoints?.checkpoint(true))) throw new Error('a concurrent write failed')
    },
  }
  const db = new Low<RecoveredDatabase>(adapter, createEmptyDatabase())
  await db.read()
  const { records, snapshotBytes, oldestGeneration, notes } = db.data
  for (const note of notes) options.onNote?.(note)
  const { journal, watch } = await openFiles(options, lock, db.data)
  const onCheckpointFailure = (error: unknown) =>
    options.onNote?.(`Cannot compact the database: ${String(error)}`)
  checkpoints = openCheckpoints({
    ...options,
    database: options.file,
    records,
    journal,
    watch,
    snapshotBytes,
    oldestGeneration,
    onFailure: onCheckpointFailure,
  })
  const openDatabase: OpenDatabase = {
    options,
    lock,
    journal,
    watch,
    recovered: db.data,
    writeSnapshot: () => db.write(),
    onCheckpointFailure,
  }
  const ticker = options.poll?.(() => checkForLosses(openDatabase))
  const durability = createJournalDurability(journal, checkpoints, async () => {
    await ticker?.stop()
    await closeFiles(openDatabase)
  })
  return createRecordStore(records, durability)
}

interface OpenDatabase {
  readonly options: LowdbStoreOptions
  readonly lock: DatabaseLock
  readonly journal: Journal
  readonly watch: FileWatch
  readonly recovered: RecoveredDatabase
  /** Writes a snapshot that needs no journal. */
  readonly writeSnapshot: () => Promise<void>
  readonly onCheckpointFailure: (error: unknown) => void
}

async function openFiles(
  options: LowdbStoreOptions,
  lock: DatabaseLock,
  recovered: RecoveredDatabase,
): Promise<Pick<OpenDatabase, 'journal' | 'watch'>> {
  const onBroken = options.onBroken ?? (() => {})
  const { yieldToEventLoop } = options.scheduling
  const journal = await Journal.open(options.file, recovered.position, { onBroken, yieldToEventLoop })
  try {
    // The mark requires a journal, so the journal is created first.
    if (recovered.snapshotBytes > 0) await markOpen(options.file)
    else await writeFirstSnapshot(options, recovered)
    return { journal, watch: await openFileWatch(options.file, journal, lock) }
  } catch (error) {
    await journal.close()
    throw error
  }
}

// Writes an empty snapshot, because the deletion of a journal without a snapshot would go unnoticed.
async function writeFirstSnapshot(
  options: LowdbStoreOptions,
  { oldestGeneration }: RecoveredDatabase,
): Promise<void> {
  const meta = { format: SNAPSHOT_FORMAT, generation: oldestGeneration, transaction: 0, sequence: 0 }
  const target = { database: options.file, suffix: options.newSuffix() }
  await writeSnapshot(target, new Records(), {
    meta: { ...meta, closed: false },
    scheduling: options.scheduling,
    canReplace: async () => true,
  })
}

async function checkForLosses({ options, journal, watch }: OpenDatabase): Promise<void> {
  if (journal.isBroken) return
  const losses = await watch.findLosses()
  if (losses.length === 0) return
  journal.halt(createFilesLostError())
  options.onFilesLost?.(describeLosses(options.file, losses))
}

async function closeFiles(open: OpenDatabase): Promise<void> {
  const { options, lock, journal, watch } = open
  await journal.waitUntilSettled(journal.lastTransaction).catch(() => undefined)
  try {
    const losses = await watch.findLosses()
    const isJournalObsolete = losses.length === 0 && (await checkpointOnClose(open))
    await journal.close()
    if (isJournalObsolete) await rm(getJournalPath(options.file, journal.generation), { force: true })
    if (losses.length > 0) {
      const { records } = open.recovered
      options.onNote?.(await rescueDatabase({ ...options, database: options.file, records, journal }, losses))
    }
  } finally {
    await watch.close()
    await lock.release()
  }
}

// Returns whether the journal can be deleted, which requires a snapshot that is marked as closed.
async function checkpointOnClose({ options, journal, recovered, ...open }: OpenDatabase): Promise<boolean> {
  if (journal.isBroken) return false
  // An unchanged database keeps its snapshot.
  const isUnchanged = journal.size === 0 && journal.generation === recovered.oldestGeneration
  try {
    if (isUnchanged && recovered.isClosed && recovered.snapshotBytes > 0) await markClosed(options.file)
    else await open.writeSnapshot()
    return true
  } catch (error) {
    open.onCheckpointFailure(error)
    return false
  }
}

function createJournalDurability(
  journal: Journal,
  checkpoints: Checkpoints,
  close: () => Promise<void>,
): Durability {
  return {
    nextTransaction: () => journal.lastTransaction + 1,
    persist({ writes, undo }) {
      const durable = journal.append(encodeOperations(writes), undo)
      checkpoints.startIfNeeded()
      return durable
    },
    isDurable: (transaction) => transaction <= journal.durableTransaction,
    failure: () => journal.failure,
    waitUntilSettled: (transaction) =>
      journal.waitUntilSettled(transaction).then(
        () => true,
        () => false,
      ),
    async close() {
      await checkpoints.waitUntilIdle()
      await close()
    },
  }
}
