import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { PRIVATE_FILE_MODE, syncFolder, writeFully } from '../disk/private-file.ts'

/** Ends a journal that another one follows: an empty line, one byte, so that a crash cannot leave half of it. */
const END_LINE = Buffer.from('\n')

/** Opens a journal; each write returns when it is durable. */
export function openJournalFile(file: string, extraFlags: number): Promise<FileHandle> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC | constants.O_NOFOLLOW | extraFlags
  return open(file, flags, PRIVATE_FILE_MODE)
}

/** Cuts a journal to its durable part; durable, because a crash must not bring back a rejected transaction. */
export async function cutBack(handle: FileHandle, bytes: number): Promise<void> {
  await handle.truncate(bytes)
  await handle.datasync()
}

/** The journal that is written to and the length of its durable part, in bytes. */
interface FullJournal {
  readonly handle: FileHandle
  readonly offset: number
}

/**
 * Creates the journal that follows `full` and marks `full` as ended, so that recovery notices when the new file is
 * missing. When it rejects, `full` can be written to as before unless `onBroken` was called.
 */
export async function startNextJournal(
  full: FullJournal,
  next: string,
  onBroken: (error: unknown) => void,
): Promise<FileHandle> {
  const handle = await openJournalFile(next, constants.O_EXCL)
  try {
    await syncFolder(next)
    await writeEnd(full, onBroken)
    return handle
  } catch (error) {
    await handle.close()
    await rm(next, { force: true })
    throw error
  }
}

// The mark goes before the file that it announces, or a crash between the two would look like a lost file.
async function writeEnd({ handle, offset }: FullJournal, onBroken: (error: unknown) => void): Promise<void> {
  try {
    await writeFully(handle, END_LINE, offset)
  } catch (error) {
    await cutBack(handle, offset).catch(onBroken)
    throw error
  }
}

/** The generations of the journals among the names in a database's folder. */
export function generationsIn(names: readonly string[], database: string): number[] {
  return names.flatMap((name) => generationOf(name, database) ?? [])
}

/** The generation of a journal by its name, or null for another file. */
export function generationOf(name: string, database: string): number | null {
  const prefix = `${basename(database)}.journal-`
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : ''
  return /^\d+$/.test(digits) ? Number(digits) : null
}
