import { rm } from 'node:fs/promises'
import { Low } from 'lowdb'
import { MemoryRecords } from '../memory/memory-records.ts'
import { createRecordStore } from '../memory/record-store.ts'
import type { Store } from '../port/store.ts'
import { type Checkpointer, type CheckpointerOptions, createCheckpointer } from './checkpointer.ts'
import { openFileLossDetector } from './file-loss-detector.ts'
import { getJournalPath, Journal, type JournalOptions } from './journal.ts'
import { encodeWrites } from './journal-lines.ts'
import type { DatabaseFileLock } from './lock.ts'
import { type LoadDatabaseOptions, type RecoveredDatabase, recoverDatabase } from './recovery.ts'
import { createFilesLostError, formatLossMessage, rescueDatabase } from './rescue-database.ts'
import { setSnapshotState } from './snapshot-tail.ts'
import { writeSnapshot } from './snapshot-writer.ts'

export interface LowdbStoreOptions
  extends Pick<CheckpointerOptions, 'newSuffix' | 'scheduling' | 'minJournalBytes'>,
    Pick<LoadDatabaseOptions, 'onProgress'>,
    Partial<Pick<JournalOptions, 'onBroken'>> {
  /** Path of the JSON file, which is created when missing; its folder must exist. */
  readonly file: string
  /** Called with messages for the log. */
  readonly onNote?: (note: string) => void
  /** Calls `check` every second, without overlap, until stopped. Without `poll`, lost files are not detected. */
  readonly poll?: (check: () => Promise<void>) => { readonly stop: () => Promise<void> }
  /** Called once when files were deleted or replaced, with a message for the log; writes are disabled from then on. */
  readonly onFilesLost?: (message: string) => void
}

/**
 * Opens a JSON snapshot that lowdb can read, and its write-ahead journal. `read` of lowdb recovers both files; `write`
 * replaces both files with a new snapshot. The caller must hold the lock; `close` releases the lock.
 */
export async function openLowdbStore(options: LowdbStoreOptions, lock: DatabaseFileLock): Promise<Store> {
  const { file: database, onNote } = options
  const db: Low<RecoveredDatabase | null> = new Low<RecoveredDatabase | null>(
    {
      read: () => recoverDatabase(database, options),
      write: (data): Promise<void> => compact(database, data, journal, checkpoints),
    },
    null,
  )
  await db.read()
  const recovered: RecoveredDatabase | null = db.data
  if (recovered === null) throw new Error(`${database} was not recovered`)
  for (const note of recovered.notes) onNote?.(note)
  const files = await openFiles(options, lock, recovered)
  const { journal } = files
  const onFailure = (error: unknown) => onNote?.(`Cannot compact the database: ${String(error)}`)
  const checkpoints = createCheckpointer({ ...options, ...recovered, ...files, database, onFailure })
  const ticker = options.poll?.(() => checkForLosses(options, files))
  return createRecordStore(recovered.records, {
    nextTransaction: () => journal.lastTransaction + 1,
    persist({ writes, undo }) {
      const durable = journal.append(encodeWrites(writes), undo)
      checkpoints.startIfNeeded()
      return durable
    },
    isDurable: (transaction) => transaction <= journal.position.transaction,
    failure: () => journal.failure,
    scheduling: options.scheduling,
    waitUntilSettled: (transaction) =>
      journal.waitUntilSettled(transaction).then(
        () => true,
        () => false,
      ),
    async close() {
      await checkpoints.waitUntilIdle()
      await ticker?.stop()
      await closeFiles(options, files, recovered.records, () =>
        db.write().then(
          () => true,
          (error: unknown) => {
            onFailure(error)
            return false
          },
        ),
      )
    },
  })
}

/** Makes the journal obsolete: writes a snapshot, or marks the existing snapshot as closed when nothing changed. */
async function compact(
  database: string,
  recovered: RecoveredDatabase | null,
  { position: { generation, offset } }: Journal,
  { checkpoint }: Checkpointer,
): Promise<void> {
  const isUnchanged = offset === 0 && generation === recovered?.oldestGeneration
  if (isUnchanged && recovered.isClosed && recovered.snapshotBytes > 0)
    await setSnapshotState(database, 'closed')
  else if (!(await checkpoint(true))) throw new Error('a concurrent write failed')
}

type DatabaseFiles = Awaited<ReturnType<typeof openFiles>>

async function openFiles(
  options: LowdbStoreOptions,
  lock: DatabaseFileLock,
  { position, snapshotBytes, oldestGeneration }: RecoveredDatabase,
) {
  const onBroken = options.onBroken ?? (() => {})
  const { yieldToEventLoop } = options.scheduling
  const journal = await Journal.open(options.file, position, { onBroken, yieldToEventLoop })
  try {
    // The mark `opened` requires a journal, so the journal is created first.
    if (snapshotBytes > 0) await setSnapshotState(options.file, 'opened')
    else {
      // Writes an empty snapshot, because the deletion of a journal without a snapshot would go unnoticed.
      const meta = { generation: oldestGeneration, closed: false }
      await writeSnapshot(options.file, new MemoryRecords(), { ...options, meta })
    }
    return { lock, journal, watch: await openFileLossDetector(options.file, journal, lock) }
  } catch (error) {
    await journal.close()
    throw error
  }
}

async function checkForLosses(
  { file, onFilesLost }: LowdbStoreOptions,
  { journal, watch }: DatabaseFiles,
): Promise<void> {
  if (journal.failure !== null) return
  const losses = await watch.findLosses()
  if (losses.length === 0) return
  journal.halt(createFilesLostError())
  onFilesLost?.(formatLossMessage(file, losses))
}

/** Closes the files of a store; `tryCompact` resolves with whether the journal is obsolete. */
async function closeFiles(
  options: LowdbStoreOptions,
  { lock, journal, watch }: DatabaseFiles,
  records: MemoryRecords,
  tryCompact: () => Promise<boolean>,
): Promise<void> {
  const { file, onNote } = options
  await journal.waitUntilSettled(journal.lastTransaction).catch(() => undefined)
  try {
    const losses = await watch.findLosses()
    const isJournalObsolete = losses.length === 0 && journal.failure === null && (await tryCompact())
    await journal.close()
    if (isJournalObsolete) await rm(getJournalPath(file, journal.position.generation), { force: true })
    if (losses.length > 0)
      onNote?.(await rescueDatabase({ ...options, database: file, records, journal }, losses))
  } finally {
    await watch.close()
    await lock.release()
  }
}
