import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { DatabaseDamaged } from '../disk/corruption-error.ts'
import { refusePlanted } from '../disk/private-file.ts'
import { RawRecord } from '../memory/raw-record.ts'
import { databaseNewer, refuseForeign } from './database-kind.ts'
import { isMarkedOpen, MARKS } from './open-mark.ts'
import { CHECK_START, CHECKSUM_BYTES } from './snapshot-layout.ts'
import { BLOCK_BYTES, SNAPSHOT_FORMAT, type SnapshotMeta } from './snapshot-writer.ts'

// Short of a million, because V8 keeps the text of what is longer outside of its heap and collects garbage for it.
const READ_BYTES = 15 * BLOCK_BYTES
const NEWLINE = 0x0a
/** No meta line is longer: a path has up to 4096 characters, and each takes up to six as JSON. */
const META_BYTES = 32_768

export interface SnapshotReading {
  readonly load: (record: RawRecord) => void
  /** Hears how many bytes of how many were read. */
  readonly onProgress: (done: number, total: number) => void
}

/** Reads a snapshot record by record, each block checked before anything in it is used; null when there is no file. */
export async function readSnapshot(database: string, reading: SnapshotReading): Promise<SnapshotMeta | null> {
  await refusePlanted(database)
  await refuseForeign(database)
  const handle = await openExisting(database)
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    const end = await findCheck(handle, database, size)
    const lines = new SnapshotLines(database, reading.load)
    const buffer = Buffer.allocUnsafe(READ_BYTES)
    for (let at = 0; at < end.dataBytes; at += READ_BYTES) {
      const chunk = await readAt(handle, buffer, { at, length: Math.min(READ_BYTES, end.dataBytes - at) })
      verifyBlocks(chunk, { database, at, checksums: end.blocks })
      lines.feed(chunk)
      reading.onProgress(at + chunk.length, size)
    }
    const meta = lines.finish()
    return { ...meta, closed: meta.closed && !end.isMarkedOpen }
  } finally {
    await handle.close()
  }
}

/** The name of the database that a state was saved from, by its first line alone; null where that does not say it. */
export async function readSavedFrom(file: string): Promise<string | null> {
  const handle = await openExisting(file)
  if (handle === null) return null
  try {
    const bytes = await readAt(handle, Buffer.allocUnsafe(META_BYTES), { at: 0, length: META_BYTES })
    const line = bytes.toString('utf8', 0, bytes.indexOf(NEWLINE))
    const { meta } = JSON.parse(`${line.replace(/,$/, '')}}`) as { meta?: Partial<SnapshotMeta> }
    return meta?.saved_from ?? null
  } catch {
    // Whoever loads it tells what is damaged.
    return null
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
  readonly isMarkedOpen: boolean
}

const CHECK = new RegExp(`^\\{"blocks":(\\[[\\d,]*\\]),"crc32":(\\d+)\\}\\}${MARKS}$`)

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
  const match = CHECK.exec(body)
  const [, list = '', crc = ''] = match ?? []
  if (match === null || crc32(list) !== Number(crc)) {
    throw new DatabaseDamaged(database, at, 'its list of checksums is not as it was written')
  }
  return { dataBytes: at, blocks: JSON.parse(list) as number[], isMarkedOpen: isMarkedOpen(body) }
}

/** Reads bytes of a file into a buffer; fewer at the end of the file. */
export async function readAt(
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
  readonly #load: (record: RawRecord) => void
  #carry: Buffer = Buffer.alloc(0)
  #meta: SnapshotMeta | null = null

  constructor(database: string, load: (record: RawRecord) => void) {
    this.#database = database
    this.#load = load
  }

  feed(chunk: Buffer): void {
    // A newline byte is never part of another character, and JSON text has none inside a record.
    const first = chunk.indexOf(NEWLINE)
    const last = chunk.lastIndexOf(NEWLINE)
    if (first < 0) {
      this.#carry = Buffer.concat([this.#carry, chunk])
      return
    }
    this.#takeLines(Buffer.concat([this.#carry, chunk.subarray(0, first + 1)]))
    this.#takeLines(chunk.subarray(first + 1, last + 1))
    this.#carry = Buffer.from(chunk.subarray(last + 1))
  }

  finish(): SnapshotMeta {
    this.#takeLines(Buffer.concat([this.#carry, Buffer.from('\n')]))
    if (this.#meta === null)
      throw new DatabaseDamaged(this.#database, 0, 'its first line is not that of a snapshot')
    return this.#meta
  }

  // One text for all lines: what becomes of them are parts of it.
  #takeLines(lines: Buffer): void {
    const bytes = lines.toString('latin1')
    let from = 0
    for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', from)) {
      const to = bytes[end - 1] === ',' ? end - 1 : end
      if (bytes.startsWith('{"meta":', from)) this.#meta = this.#parseMeta(bytes.slice(from, to))
      else if (bytes[from] === '{') this.#load(new RawRecord(bytes, from, to))
      from = end + 1
    }
  }

  #parseMeta(text: string): SnapshotMeta {
    const { meta } = JSON.parse(`${text}}`) as { meta: SnapshotMeta }
    if (meta.format === SNAPSHOT_FORMAT) return meta
    throw databaseNewer(this.#database, text)
  }
}
