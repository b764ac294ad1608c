import { constants } from 'node:fs'
import { chmod, type FileHandle, open } from 'node:fs/promises'
import { PRIVATE_FILE_MODE } from '../disk/private-file.ts'
import { CHECKSUM_BLOCK_BYTES } from './snapshot-writer.ts'

/** Start of a snapshot's last line, which lists the checksums. */
export const CHECKSUM_LINE_START = ',\n"check":'

/** Maximum length of a checksum in the list, comma included. */
const MAX_CHECKSUM_BYTES = '4294967295,'.length

/** The last line of a snapshot with its position in the file, in bytes. */
export interface SnapshotTail {
  readonly offset: number
  readonly text: string
}

/** Returns the last line of a snapshot of `size` bytes, or null for a line without checksums. */
export async function readSnapshotTail(handle: FileHandle, size: number): Promise<SnapshotTail | null> {
  const length = Math.min(
    size,
    CHECKSUM_BLOCK_BYTES + Math.ceil(size / CHECKSUM_BLOCK_BYTES) * MAX_CHECKSUM_BYTES,
  )
  const tail = await readAt(handle, Buffer.allocUnsafe(length), size - length, length)
  const start = tail.lastIndexOf(CHECKSUM_LINE_START)
  return start < 0 ? null : { offset: size - length + start, text: tail.toString('latin1', start) }
}

/** Reads bytes of a file into a buffer; returns fewer at the end of the file. */
export async function readAt(
  handle: FileHandle,
  buffer: Buffer,
  offset: number,
  length: number,
): Promise<Buffer> {
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(buffer, read, length - read, offset + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return buffer.subarray(0, read)
}

/**
 * The last byte of a snapshot records whether a process has opened the database since the snapshot was written. Both
 * marks are whitespace in JSON and differ in two bits, so a single flipped bit cannot turn one mark into the other.
 */
const CLOSED = '\n'
const OPENED = '\t'

/** Regular expression source that matches either mark. */
export const MARK_PATTERN_SOURCE = `[${CLOSED}${OPENED}]`

/** Returns whether the text of a snapshot ends with the mark of an opened database. */
export function isMarkedOpen(text: string): boolean {
  return !text.endsWith(CLOSED)
}

/** Marks a snapshot durably as closed, which means complete without a journal, or as opened. */
export async function setSnapshotState(database: string, state: 'closed' | 'opened'): Promise<void> {
  const text = state === 'closed' ? CLOSED : OPENED
  // Make the file writable, because the owner may have made it read-only.
  await chmod(database, PRIVATE_FILE_MODE)
  const handle = await open(database, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    const at = (await handle.stat()).size - 1
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at)
    if (buffer.toString() === text) return
    // Overwrites a single byte, so a crash leaves the old mark or the new mark.
    await handle.write(Buffer.from(text), 0, 1, at)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
