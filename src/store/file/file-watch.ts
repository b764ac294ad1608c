import type { Stats } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { type Journal, journalFile } from './journal.ts'
import type { Lock } from './lock.ts'

/** A file of an open database that is not the one that was opened any more. */
export interface FileLoss {
  readonly file: string
  /** What happened to it, as the end of a sentence. */
  readonly what: string
  /** Whether something else lies at its path, which must not be overwritten. */
  readonly isReplaced: boolean
}

/** Watches whether the files of an open database are still those that this process opened. */
export interface FileWatch {
  readonly findLosses: () => Promise<readonly FileLoss[]>
  /** Called before a new snapshot is put in place; resolves with whether that overwrites nothing but our own files. */
  readonly beforeSnapshot: () => Promise<boolean>
  /** Called when the new snapshot is in place, or is dropped. */
  readonly afterSnapshot: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The open file, or what it was when it was opened. */
type Own = Pick<Stats, 'dev' | 'ino' | 'size'>

/** Opens the watch of a database that has a snapshot and a journal. */
export async function openFileWatch(database: string, journal: Journal, lock: Lock): Promise<FileWatch> {
  // Held open, because the file system may give the inode number of a deleted file to the next one.
  let pin = await open(database)
  let snapshot: Own = await pin.stat()
  let isReplacing = false
  let replaced = 0

  async function findSnapshotLoss(): Promise<FileLoss | null> {
    const round = replaced
    const loss = await lossOf(database, snapshot, (found) => found.size !== snapshot.size)
    return isReplacing || replaced !== round ? null : loss
  }

  async function findJournalLoss(): Promise<FileLoss | null> {
    const { generation, size } = journal
    const own = await journal.stat()
    const loss = await lossOf(journalFile(database, generation), own, (found) => found.size < size)
    return journal.generation === generation ? loss : null
  }

  async function findLosses(): Promise<readonly FileLoss[]> {
    const losses = [lossOf(lock.file, lock.identity, () => false), findSnapshotLoss(), findJournalLoss()]
    return (await Promise.all(losses)).filter((loss) => loss !== null)
  }

  return {
    findLosses,
    async beforeSnapshot() {
      const losses = await findLosses()
      isReplacing = losses.length === 0
      return isReplacing
    },
    async afterSnapshot() {
      if (!isReplacing) return
      const next: FileHandle = await open(database)
      await pin.close()
      pin = next
      snapshot = await pin.stat()
      replaced += 1
      isReplacing = false
    },
    close: () => pin.close(),
  }
}

async function lossOf(
  file: string,
  own: Own | { readonly dev: number; readonly ino: number },
  isChanged: (found: Stats) => boolean,
): Promise<FileLoss | null> {
  const found = await lstat(file).catch(absent)
  if (found === null) return { file, what: 'was deleted or moved', isReplaced: false }
  const isOther = found.dev !== own.dev || found.ino !== own.ino
  if (isOther) return { file, what: 'was replaced by another file', isReplaced: true }
  return isChanged(found) ? { file, what: 'was changed by another program', isReplaced: true } : null
}

// A path below what is no folder any more leads nowhere either.
function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
    return null
  throw error
}
