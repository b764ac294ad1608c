import type { FileHandle } from 'node:fs/promises'
import { BLOCK_BYTES } from './snapshot-writer.ts'

/** Start of a snapshot's last line, which lists the checksums. */
export const CHECKSUMS_START = ',\n"check":'

/** Maximum length of a checksum in the list, comma included. */
const MAX_CHECKSUM_BYTES = '4294967295,'.length

/** The last line of a snapshot; `at` is its offset in the file. */
export interface SnapshotTail {
  readonly at: number
  readonly text: string
}

/** Returns the last line of a snapshot of `size` bytes, or null when it does not list checksums. */
export async function readSnapshotTail(handle: FileHandle, size: number): Promise<SnapshotTail | null> {
  const length = Math.min(size, BLOCK_BYTES + Math.ceil(size / BLOCK_BYTES) * MAX_CHECKSUM_BYTES)
  const tail = await readAt(handle, Buffer.allocUnsafe(length), size - length, length)
  const start = tail.lastIndexOf(CHECKSUMS_START)
  return start < 0 ? null : { at: size - length + start, text: tail.toString('latin1', start) }
}

/** Reads bytes of a file into a buffer; returns fewer at the end of the file. */
export async function readAt(
  handle: FileHandle,
  buffer: Buffer,
  at: number,
  length: number,
): Promise<Buffer> {
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(buffer, read, length - read, at + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return buffer.subarray(0, read)
}
