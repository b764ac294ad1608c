import { rm } from 'node:fs/promises'
import { type Adapter, Low } from 'lowdb'
import { makePrivateFolder, refusePlanted } from '../disk/private-file.ts'
import { createRecordStore, type Durability } from '../memory/record-store.ts'
import { Records } from '../memory/records.ts'
import type { Store } from '../port/store.ts'
import { type Checkpoints, openCheckpoints } from './checkpoints.ts'
import { refuseForeign } from './database-kind.ts'
import { type FileWatch, openFileWatch } from './file-watch.ts'
import { Journal, journalFile } from './journal.ts'
import { encodeOperations } from './journal-lines.ts'
import { type Lock, type LockHolder, lockDatabase } from './lock.ts'
import { markClosed, markOpen } from './open-mark.ts'
import { emptyDatabase, type Recovered, recover } from './recovery.ts'
import { forgetDatabase } from './replacement.ts'
import { describeLosses, filesLost, rescue } from './rescue.ts'
import { type Clockwork, SNAPSHOT_FORMAT, writeSnapshot } from './snapshot-writer.ts'

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
  /** Calls `look` every second, never twice at once, until it is stopped; without it nothing watches the files. */
  readonly watch?: (look: () => Promise<void>) => { readonly stop: () => Promise<void> }
  /** Hears once that files were deleted or replaced, and how to continue: nothing can be stored any more. */
  readonly onLost?: (message: string) => void
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
  await refuseForeign(options.file)
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
  const { records, snapshotBytes, oldestGeneration, notes } = db.data
  for (const note of notes) options.onNote?.(note)
  const { journal, watch } = await openFiles(options, lock, db.data)
  const onCheckpointFailure = (error: unknown) =>
    options.onNote?.(`The database could not be compacted: ${String(error)}`)
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
  const open = { options, lock, journal, watch, found: db.data, fold: () => db.write(), onCheckpointFailure }
  const ticker = options.watch?.(() => lookForLosses(open))
  const durability = createJournalDurability(journal, checkpoints, async () => {
    await ticker?.stop()
    await closeFiles(open)
  })
  return createRecordStore(records, durability)
}

interface OpenFiles {
  readonly options: LowdbOptions
  readonly lock: Lock
  readonly journal: Journal
  readonly watch: FileWatch
  readonly found: Recovered
  /** Folds the journal into a snapshot that is the whole database. */
  readonly fold: () => Promise<void>
  readonly onCheckpointFailure: (error: unknown) => void
}

async function openFiles(
  options: LowdbOptions,
  lock: Lock,
  found: Recovered,
): Promise<Pick<OpenFiles, 'journal' | 'watch'>> {
  const onBroken = options.onBroken ?? (() => {})
  const { pause } = options.clockwork
  const journal = await Journal.open(options.file, found.position, { onBroken, pause })
  try {
    // After the journal is there: from now on the snapshot alone is refused.
    if (found.snapshotBytes > 0) await markOpen(options.file)
    else await writeFirstSnapshot(options, found)
    return { journal, watch: await openFileWatch(options.file, journal, lock) }
  } catch (error) {
    await journal.close()
    throw error
  }
}

// Empty, for a journal alone could be deleted without a trace.
async function writeFirstSnapshot(options: LowdbOptions, { oldestGeneration }: Recovered): Promise<void> {
  const meta = { format: SNAPSHOT_FORMAT, generation: oldestGeneration, transaction: 0, sequence: 0 }
  const target = { database: options.file, suffix: options.newSuffix() }
  await writeSnapshot(target, new Records(), {
    meta: { ...meta, closed: false },
    clockwork: options.clockwork,
    isWhole: async () => true,
  })
}

async function lookForLosses({ options, journal, watch }: OpenFiles): Promise<void> {
  if (journal.isBroken) return
  const losses = await watch.findLosses()
  if (losses.length === 0) return
  journal.halt(filesLost())
  options.onLost?.(describeLosses(options.file, losses))
}

async function closeFiles(open: OpenFiles): Promise<void> {
  const { options, lock, journal, watch } = open
  await journal.settled(journal.lastTransaction).catch(() => undefined)
  try {
    const losses = await watch.findLosses()
    const isFolded = losses.length === 0 && (await foldOnClosing(open))
    await journal.close()
    if (isFolded) await rm(journalFile(options.file, journal.generation), { force: true })
    if (losses.length > 0) {
      const { records } = open.found
      options.onNote?.(await rescue({ ...options, database: options.file, records, journal }, losses))
    }
  } finally {
    await watch.close()
    await lock.release()
  }
}

// Whether the journal is no longer needed: only a snapshot written on closing does without one.
async function foldOnClosing({ options, journal, found, ...open }: OpenFiles): Promise<boolean> {
  if (journal.isBroken) return false
  // A database that did not change keeps its file.
  const isUnchanged = journal.size === 0 && journal.generation === found.oldestGeneration
  try {
    if (isUnchanged && found.isClosed && found.snapshotBytes > 0) await markClosed(options.file)
    else await open.fold()
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
    next: () => journal.lastTransaction + 1,
    persist({ writes, undo }) {
      const durable = journal.append(encodeOperations(writes), undo)
      checkpoints.consider()
      return durable
    },
    isDurable: (stamp) => stamp <= journal.durableTransaction,
    failure: () => journal.failure,
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
