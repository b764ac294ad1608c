import { crc32 } from 'node:zlib'
import { DatabaseDamagedError } from '../disk/database-errors.ts'
import { requireOwnFileIfExists } from '../disk/private-file.ts'
import { RawRecord } from '../memory/raw-record.ts'
import { openFileIfExists, parseSnapshotMeta, rejectForeignDatabaseFile } from './database-format.ts'
import {
  CHECKSUM_LINE_START,
  isMarkedOpen,
  MARK_PATTERN_SOURCE,
  readAt,
  readSnapshotTail,
  type SnapshotTail,
} from './snapshot-tail.ts'
import { CHECKSUM_BLOCK_BYTES, type SnapshotMeta } from './snapshot-writer.ts'

// Below a million bytes, because V8 stores longer strings outside its heap, which triggers garbage collections.
const READ_BYTES = 15 * CHECKSUM_BLOCK_BYTES
const NEWLINE = 0x0a
/** Upper bound of the meta line: a path has up to 4096 characters, and JSON escapes each with up to six. */
const META_BYTES = 32_768

export interface ReadSnapshotOptions {
  readonly load: (record: RawRecord) => void
  /** Called with the read and the total number of bytes. */
  readonly onProgress: (done: number, total: number) => void
}

/** Reads the records of a snapshot and verifies each block before using it; returns null for a missing file. */
export async function loadSnapshotRecords(
  database: string,
  options: ReadSnapshotOptions,
): Promise<SnapshotMeta | null> {
  await requireOwnFileIfExists(database)
  await rejectForeignDatabaseFile(database)
  const handle = await openFileIfExists(database)
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    const tail = await readSnapshotTail(handle, size)
    if (tail === null)
      throw new DatabaseDamagedError(database, size, 'the last line with the checksums is missing')
    const { checksums, isMarkedOpen } = parseChecksums(tail, database)
    const lines = createLineParser(database, options.load)
    const buffer = Buffer.allocUnsafe(READ_BYTES)
    for (let at = 0; at < tail.offset; at += READ_BYTES) {
      const chunk = await readAt(handle, buffer, at, Math.min(READ_BYTES, tail.offset - at))
      verifyBlocks(chunk, database, at, checksums)
      lines.feed(chunk)
      options.onProgress(at + chunk.length, size)
    }
    const meta = lines.finish()
    return { ...meta, closed: meta.closed && !isMarkedOpen }
  } finally {
    await handle.close()
  }
}

/** The fields of a snapshot that name the source of a saved state. */
export type SnapshotOrigin = Pick<SnapshotMeta, 'saved_from' | 'saved_from_sandbox'>

/** Returns the source database and sandbox of a saved state, as far as the first line contains them. */
export async function readSnapshotOrigin(file: string): Promise<SnapshotOrigin> {
  const handle = await openFileIfExists(file)
  if (handle === null) return {}
  try {
    const bytes = await readAt(handle, Buffer.allocUnsafe(META_BYTES), 0, META_BYTES)
    const line = bytes.toString('utf8', 0, bytes.indexOf(NEWLINE))
    const { meta } = JSON.parse(`${line.replace(/,$/, '')}}`) as { meta?: Partial<SnapshotMeta> }
    const { saved_from, saved_from_sandbox } = meta ?? {}
    return {
      ...(saved_from !== undefined && { saved_from }),
      ...(saved_from_sandbox !== undefined && { saved_from_sandbox }),
    }
  } catch {
    // Ignore the damage, because loading the file reports the damage.
    return {}
  } finally {
    await handle.close()
  }
}

const CHECKSUMS_PATTERN = new RegExp(
  `^\\{"blocks":(\\[[\\d,]*\\]),"crc32":(\\d+)\\}\\}${MARK_PATTERN_SOURCE}$`,
)

function parseChecksums({ offset, text }: SnapshotTail, database: string) {
  const body = text.slice(CHECKSUM_LINE_START.length)
  const match = CHECKSUMS_PATTERN.exec(body)
  const [, list = '', crc = ''] = match ?? []
  if (match === null || crc32(list) !== Number(crc)) {
    throw new DatabaseDamagedError(database, offset, 'the list of checksums is corrupt')
  }
  return { checksums: JSON.parse(list) as number[], isMarkedOpen: isMarkedOpen(body) }
}

function verifyBlocks(chunk: Buffer, database: string, at: number, checksums: readonly number[]): void {
  for (let from = 0; from < chunk.length; from += CHECKSUM_BLOCK_BYTES) {
    const block = chunk.subarray(from, from + CHECKSUM_BLOCK_BYTES)
    if (crc32(block) === checksums[(at + from) / CHECKSUM_BLOCK_BYTES]) continue
    throw new DatabaseDamagedError(
      database,
      at + from,
      `the next ${block.length} bytes do not match their checksum`,
    )
  }
}

/**
 * Creates a parser of the lines of a snapshot: the meta line, the headers of collections, and one record in each other
 * line.
 */
function createLineParser(database: string, load: (record: RawRecord) => void) {
  let carry: Buffer = Buffer.alloc(0)
  let meta: SnapshotMeta | null = null

  // Converts all lines to one string, of which each raw record is a slice.
  function parseLines(lines: Buffer): void {
    const bytes = lines.toString('latin1')
    let from = 0
    for (let end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', from)) {
      const to = bytes[end - 1] === ',' ? end - 1 : end
      if (bytes.startsWith('{"meta":', from)) meta = parseSnapshotMeta(database, bytes.slice(from, to))
      else if (bytes[from] === '{') load(new RawRecord(bytes, from, to))
      from = end + 1
    }
  }

  return {
    feed(chunk: Buffer): void {
      // In UTF-8 a newline byte is never part of another character, and JSON escapes newlines in strings.
      const first = chunk.indexOf(NEWLINE)
      const last = chunk.lastIndexOf(NEWLINE)
      if (first < 0) {
        carry = Buffer.concat([carry, chunk])
        return
      }
      parseLines(Buffer.concat([carry, chunk.subarray(0, first + 1)]))
      parseLines(chunk.subarray(first + 1, last + 1))
      carry = Buffer.from(chunk.subarray(last + 1))
    },
    finish(): SnapshotMeta {
      parseLines(Buffer.concat([carry, Buffer.from('\n')]))
      if (meta !== null) return meta
      throw new DatabaseDamagedError(database, 0, 'the first line is not the header of a snapshot')
    },
  }
}
