import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Stored } from '../domain/changes.ts'
import { DatabaseDamaged } from './damage.ts'
import { refusePlanted } from './private-file.ts'
import { BLOCK_BYTES, SNAPSHOT_FORMAT, type SnapshotMeta } from './snapshot-writer.ts'

const READ_BYTES = 32 * BLOCK_BYTES
/** The longest that a checksum can be in the list of them, comma included. */
const CHECKSUM_BYTES = '4294967295,'.length
const CHECK_START = ',\n"check":'

export interface SnapshotReading {
  readonly put: (record: Stored) => void
  /** Hears how many bytes of how many were read. */
  readonly onProgress: (done: number, total: number) => void
}

/** Reads a snapshot record by record, each block checked before anything in it is used; null when there is no file. */
export async function readSnapshot(database: string, reading: SnapshotReading): Promise<SnapshotMeta | null> {
  await refusePlanted(database)
  const handle = await openExisting(database)
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    const end = await findCheck(handle, database, size)
    const lines = new SnapshotLines(database, reading.put)
    const buffer = Buffer.allocUnsafe(READ_BYTES)
    for (let at = 0; at < end.dataBytes; at += READ_BYTES) {
      const chunk = await readAt(handle, buffer, { at, length: Math.min(READ_BYTES, end.dataBytes - at) })
      verifyBlocks(chunk, { database, at, checksums: end.blocks })
      lines.feed(chunk)
      reading.onProgress(at + chunk.length, size)
    }
    return lines.finish()
  } finally {
    await handle.close()
  }
}

async function openExisting(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

interface End {
  readonly dataBytes: number
  readonly blocks: readonly number[]
}

// The last line holds the checksums; it is found from the end.
async function findCheck(handle: FileHandle, database: string, size: number): Promise<End> {
  const longest = BLOCK_BYTES + Math.ceil(size / BLOCK_BYTES) * CHECKSUM_BYTES
  const window = Math.min(longest, size)
  const tail = await readAt(handle, Buffer.allocUnsafe(window), { at: size - window, length: window })
  const found = tail.lastIndexOf(CHECK_START)
  if (found >= 0) return parseCheck(tail.toString('latin1', found), database, size - window + found)
  throw new DatabaseDamaged(database, size, 'its last line, which holds the checksums, is not there')
}

function parseCheck(text: string, database: string, at: number): End {
  const body = text.slice(CHECK_START.length)
  const match = /^\{"blocks":(\[[\d,]*\]),"crc32":(\d+)\}\}\n$/.exec(body)
  const [, list = '', crc = ''] = match ?? []
  if (match === null || crc32(list) !== Number(crc)) {
    throw new DatabaseDamaged(database, at, 'its list of checksums is not as it was written')
  }
  return { dataBytes: at, blocks: JSON.parse(list) as number[] }
}

async function readAt(
  handle: FileHandle,
  buffer: Buffer,
  { at, length }: { readonly at: number; readonly length: number },
): Promise<Buffer> {
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(buffer, read, length - read, at + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return buffer.subarray(0, read)
}

function verifyBlocks(
  chunk: Buffer,
  {
    database,
    at,
    checksums,
  }: { readonly database: string; readonly at: number; readonly checksums: readonly number[] },
): void {
  for (let from = 0; from < chunk.length; from += BLOCK_BYTES) {
    const block = chunk.subarray(from, from + BLOCK_BYTES)
    if (crc32(block) === checksums[(at + from) / BLOCK_BYTES]) continue
    throw new DatabaseDamaged(
      database,
      at + from,
      `the ${block.length} bytes from there do not match their checksum`,
    )
  }
}

/** Takes a snapshot's lines apart: the meta line, the heads of collections, and one record on each other line. */
class SnapshotLines {
  readonly #database: string
  readonly #put: (record: Stored) => void
  #carry: Buffer = Buffer.alloc(0)
  #meta: SnapshotMeta | null = null

  constructor(database: string, put: (record: Stored) => void) {
    this.#database = database
    this.#put = put
  }

  feed(chunk: Buffer): void {
    const bytes = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk])
    // A newline byte is never part of another character, and JSON text has none inside a record.
    const end = bytes.lastIndexOf(0x0a)
    this.#carry = Buffer.from(bytes.subarray(end + 1))
    if (end >= 0) for (const line of bytes.toString('utf8', 0, end).split('\n')) this.#take(line)
  }

  finish(): SnapshotMeta {
    if (this.#carry.length > 0) this.#take(this.#carry.toString('utf8'))
    if (this.#meta === null)
      throw new DatabaseDamaged(this.#database, 0, 'its first line is not that of a snapshot')
    return this.#meta
  }

  #take(line: string): void {
    const text = line.endsWith(',') ? line.slice(0, -1) : line
    if (text.startsWith('{"meta":')) this.#meta = this.#parseMeta(text)
    else if (text.startsWith('{')) this.#put(JSON.parse(text) as Stored)
  }

  #parseMeta(text: string): SnapshotMeta {
    const { meta } = JSON.parse(`${text}}`) as { meta: SnapshotMeta }
    if (meta.format === SNAPSHOT_FORMAT) return meta
    throw new Error(
      `${this.#database} has format ${meta.format}, and this paycli reads format ${SNAPSHOT_FORMAT}. Use the version that wrote it, or name another file with --db.`,
    )
  }
}
