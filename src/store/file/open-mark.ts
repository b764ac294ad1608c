import { constants } from 'node:fs'
import { chmod, open } from 'node:fs/promises'
import { PRIVATE_FILE_MODE } from '../disk/private-file.ts'

/**
 * The last byte of a snapshot says whether a process opened the database since the snapshot was written. Both are white
 * space to JSON, and they differ in two bits, so that no single flipped bit turns one into the other.
 */
const CLOSED = '\n'
const OPENED = '\t'

/** The end of a snapshot, for a regular expression. */
export const MARKS = `[${CLOSED}${OPENED}]`

/** Returns whether the text of a snapshot ends with the mark of an opened database. */
export function isMarkedOpen(text: string): boolean {
  return !text.endsWith(CLOSED)
}

/** Marks a snapshot durably: from now on it is not the whole database, which its journal must complete. */
export function markOpen(database: string): Promise<void> {
  return mark(database, OPENED)
}

/** Marks a snapshot durably as the whole database. */
export function markClosed(database: string): Promise<void> {
  return mark(database, CLOSED)
}

// One byte in place: a crash leaves the old mark or the new one.
async function mark(database: string, text: string): Promise<void> {
  // Its owner may have made it read-only.
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
