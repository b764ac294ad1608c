import { constants } from 'node:fs'
import { chmod, open } from 'node:fs/promises'
import { PRIVATE_FILE_MODE } from '../disk/private-file.ts'

/**
 * The last byte of a snapshot records whether a process has opened the database since the snapshot was written. Both values
 * are whitespace in JSON and differ in two bits, so a single flipped bit cannot turn one into the other.
 */
const CLOSED = '\n'
const OPENED = '\t'

/** Regular expression source that matches either mark. */
export const MARK_PATTERN = `[${CLOSED}${OPENED}]`

/** Returns whether the text of a snapshot ends with the mark of an opened database. */
export function isMarkedOpen(text: string): boolean {
  return !text.endsWith(CLOSED)
}

/** Marks a snapshot durably as incomplete without its journal. */
export function markOpen(database: string): Promise<void> {
  return writeMark(database, OPENED)
}

/** Marks a snapshot durably as complete without a journal. */
export function markClosed(database: string): Promise<void> {
  return writeMark(database, CLOSED)
}

// Overwrites a single byte, so a crash leaves the old mark or the new one.
async function writeMark(database: string, text: string): Promise<void> {
  // The owner may have made the file read-only.
  await chmod(database, PRIVATE_FILE_MODE)
  const handle = await open(database, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    const at = (await handle.stat()).size - 1
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at)
    if (buffer.toString() === text) return
    await handle.write(Buffer.from(text), 0, 1, at)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
