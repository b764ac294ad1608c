import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { PRIVATE_FILE_MODE, syncParentFolder, writeFully } from '../disk/private-file.ts'

/**
 * An empty line marks the end of a journal that has a successor. The mark is a single byte, so a crash cannot leave it
 * incomplete.
 */
const END_LINE = Buffer.from('\n')

/** Opens a journal file with O_DSYNC: each write is durable when it returns. */
export function openJournalFile(file: string, extraFlags: number): Promise<FileHandle> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC | constants.O_NOFOLLOW | extraFlags
  return open(file, flags, PRIVATE_FILE_MODE)
}

/** Truncates a journal durably, because a rejected transaction must not reappear after a crash. */
export async function truncateJournal(handle: FileHandle, bytes: number): Promise<void> {
  await handle.truncate(bytes)
  await handle.datasync()
}

/**
 * Creates the next journal file and writes the end mark of the current file at `offset`, so that recovery detects a
 * missing successor. After a rejection the current journal stays usable unless `onBroken` was called.
 */
export async function startNextJournal(
  current: FileHandle,
  offset: number,
  next: string,
  onBroken: (error: unknown) => void,
): Promise<FileHandle> {
  const handle = await openJournalFile(next, constants.O_EXCL)
  try {
    await syncParentFolder(next)
    await writeEndMark(current, offset, onBroken)
    return handle
  } catch (error) {
    await handle.close()
    await rm(next, { force: true })
    throw error
  }
}

// After a failure, removes the end mark before the caller deletes the next journal. A crash between the two steps would
// otherwise look like a missing journal.
async function writeEndMark(
  handle: FileHandle,
  offset: number,
  onBroken: (error: unknown) => void,
): Promise<void> {
  try {
    await writeFully(handle, END_LINE, offset)
  } catch (error) {
    await truncateJournal(handle, offset).catch(onBroken)
    throw error
  }
}

/** Returns the generations of a database's journals among the file names of its folder. */
export function listJournalGenerations(names: readonly string[], database: string): number[] {
  return names.flatMap((name) => parseJournalGeneration(name, database) ?? [])
}

/** Returns the generation of a journal from its file name, or null for another file. */
export function parseJournalGeneration(name: string, database: string): number | null {
  const prefix = `${basename(database)}.journal-`
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : ''
  return /^\d+$/.test(digits) ? Number(digits) : null
}
