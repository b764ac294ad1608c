import type { Stats } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { returnNullForMissingPath } from '../disk/private-file.ts'
import { getJournalPath, type Journal } from './journal.ts'
import type { DatabaseFileLock } from './lock.ts'

/** A file of an open database that was deleted, replaced or changed by another program. */
export interface FileLoss {
  readonly file: string
  /** Ends a sentence that starts with the file, such as 'was deleted or moved'. */
  readonly description: string
  /** Whether the path holds another file, which must not be overwritten. */
  readonly isReplaced: boolean
}

/** Detects when the paths of an open database no longer hold the files that this process opened. */
export type FileLossDetector = Awaited<ReturnType<typeof openFileLossDetector>>

/** Opens the detector for the snapshot, the journal and the lock file of a database. */
export async function openFileLossDetector(database: string, journal: Journal, lock: DatabaseFileLock) {
  // Keep the file open, because the file system may reuse the inode number of a deleted file.
  let pin = await open(database)
  let snapshot = await pin.stat()
  let isReplacing = false
  let replacements = 0

  async function findSnapshotLoss(): Promise<FileLoss | null> {
    const replacementsBefore = replacements
    const loss = await findLoss(database, snapshot, (found) => found.size !== snapshot.size)
    return isReplacing || replacements !== replacementsBefore ? null : loss
  }

  async function findJournalLoss(): Promise<FileLoss | null> {
    const { generation, offset } = journal.position
    const own = await journal.stat()
    const loss = await findLoss(getJournalPath(database, generation), own, (found) => found.size < offset)
    return journal.position.generation === generation ? loss : null
  }

  async function findLosses(): Promise<readonly FileLoss[]> {
    const losses = [findLoss(lock.file, lock.identity, () => false), findSnapshotLoss(), findJournalLoss()]
    return (await Promise.all(losses)).filter((loss) => loss !== null)
  }

  return {
    findLosses,
    /** Checks the files before a new snapshot replaces the old snapshot; resolves with false when a file is lost. */
    async beforeSnapshot(): Promise<boolean> {
      const losses = await findLosses()
      isReplacing = losses.length === 0
      return isReplacing
    },
    /** Watches the current snapshot after a new snapshot has replaced the old snapshot or was discarded. */
    async afterSnapshot(): Promise<void> {
      if (!isReplacing) return
      const next = await open(database)
      await pin.close()
      pin = next
      snapshot = await pin.stat()
      replacements += 1
      isReplacing = false
    },
    close: () => pin.close(),
  }
}

async function findLoss(
  file: string,
  own: Pick<Stats, 'dev' | 'ino'>,
  isChanged: (found: Stats) => boolean,
): Promise<FileLoss | null> {
  const found = await lstat(file).catch(returnNullForMissingPath)
  if (found === null) return { file, description: 'was deleted or moved', isReplaced: false }
  const isOther = found.dev !== own.dev || found.ino !== own.ino
  if (isOther) return { file, description: 'was replaced by another file', isReplaced: true }
  return isChanged(found) ? { file, description: 'was changed by another program', isReplaced: true } : null
}
