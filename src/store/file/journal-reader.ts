import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { DatabaseDamagedError } from '../disk/database-errors.ts'
import { decodeLine, type JournalEntry } from './journal-lines.ts'

const READ_BYTES = 4 * 1024 * 1024
const NEWLINE = 0x0a
// Disks write whole sectors. A sector that was lost in a power failure reads as zeros.
const SECTOR_BYTES = 512
const ZERO_SECTOR = Buffer.alloc(SECTOR_BYTES)

/** A line of a file without its newline. */
export interface FileLine {
  /** The bytes of the line, which the next read overwrites. */
  readonly bytes: Buffer
  /** Position in the file, in bytes. */
  readonly offset: number
  /** Whether the line ends with a newline; false only for an incomplete last line. */
  readonly isTerminated: boolean
}

interface JournalFileLine extends FileLine {
  readonly file: string
  readonly generation: number
}

/** Reads a file line by line, so that memory use does not depend on the file size. */
export async function visitFileLines(file: string, onLine: (line: FileLine) => void): Promise<void> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    // All reads use one buffer, because allocating buffers triggers garbage collections, which a large heap slows down.
    let buffer: Buffer = Buffer.allocUnsafeSlow(READ_BYTES)
    let filled = 0
    let offset = 0
    for (;;) {
      if (filled === buffer.length) buffer = Buffer.concat([buffer], 2 * filled)
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled)
      if (bytesRead === 0) break
      filled += bytesRead
      const used = splitLines(buffer.subarray(0, filled), offset, onLine)
      buffer.copyWithin(0, used, filled)
      filled -= used
      offset += used
    }
    if (filled > 0) onLine({ bytes: buffer.subarray(0, filled), offset, isTerminated: false })
  } finally {
    await handle.close()
  }
}

/** Calls `onLine` for each complete line; returns the length of these lines in bytes. */
function splitLines(bytes: Buffer, offset: number, onLine: (line: FileLine) => void): number {
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    onLine({ bytes: bytes.subarray(start, end), offset: offset + start, isTerminated: true })
    start = end + 1
  }
  return start
}

/** Replays journals and distinguishes an incomplete last batch from damage to acknowledged transactions. */
export class JournalReader {
  readonly #apply: (entry: JournalEntry) => void
  #transaction: number
  #offset = 0
  #corrupt: JournalFileLine | null = null
  #end: JournalFileLine | null = null
  #hasZeroSector = false

  constructor(transaction: number, apply: (entry: JournalEntry) => void) {
    this.#transaction = transaction
    this.#apply = apply
  }

  /** Number of the last intact transaction. */
  get transaction(): number {
    return this.#transaction
  }

  /** Length of the intact part of the current file, in bytes. */
  get offset(): number {
    return this.#offset
  }

  /** Whether the current file ends with the mark of a journal that has a successor. */
  get isEnded(): boolean {
    return this.#end !== null
  }

  /**
   * Continues with the next file. Throws when the previous file is damaged, because a journal is durable before its
   * successor is used.
   */
  enterNextFile(): void {
    if (this.#corrupt !== null && !isUnwrittenEndMark(this.#corrupt)) throw createDamageError(this.#corrupt)
    this.#corrupt = null
    this.#end = null
    this.#hasZeroSector = false
    this.#offset = 0
  }

  addLine(line: JournalFileLine): void {
    if (this.#end !== null) this.#corrupt ??= this.#end
    if (this.#corrupt === null && line.isTerminated && line.bytes.length === 0) {
      this.#end = { ...line, bytes: Buffer.alloc(0) }
      return
    }
    const decoded = line.isTerminated ? decodeLine(line.bytes, line.generation) : null
    const isNext = this.#corrupt === null && decoded?.transaction === this.#transaction + 1
    if (isNext) this.#accept(line, decoded)
    else this.#addCorrupt(line, decoded)
  }

  /** Returns the start of an incomplete last batch, or null. Throws when acknowledged transactions are damaged. */
  findTornTail(): { readonly file: string; readonly byte: number } | null {
    if (this.#corrupt === null) return null
    const isTruncated = !this.#corrupt.isTerminated && !isOnlyNewlineMissing(this.#corrupt)
    if (!isTruncated && !this.#hasZeroSector) throw createDamageError(this.#corrupt)
    return { file: this.#corrupt.file, byte: this.#corrupt.offset }
  }

  #accept(line: JournalFileLine, decoded: JournalEntry): void {
    this.#apply(decoded)
    this.#transaction = decoded.transaction
    this.#offset = line.offset + line.bytes.length + 1
  }

  #addCorrupt(line: JournalFileLine, decoded: JournalEntry | null): void {
    this.#hasZeroSector ||= hasZeroSector(line, this.#corrupt === null)
    this.#corrupt ??= { ...line, bytes: Buffer.from(line.bytes) }
    // A batch starts only after the previous batch is durable, so the corrupt line was acknowledged.
    if (decoded !== null && decoded.batch > this.#transaction + 1) throw createDamageError(this.#corrupt)
  }
}

// The first and the last sector of the incomplete batch may be partial, next to earlier lines or the end of the file.
function hasZeroSector({ bytes, offset, isTerminated }: FileLine, isFirst: boolean): boolean {
  const end = offset + bytes.length
  const nextSector = (from: number) => from - (from % SECTOR_BYTES) + SECTOR_BYTES
  let from = isFirst || offset % SECTOR_BYTES === 0 ? offset : nextSector(offset)
  while (from < end && (nextSector(from) <= end || !isTerminated)) {
    const sector = bytes.subarray(from - offset, nextSector(from) - offset)
    if (sector.equals(ZERO_SECTOR.subarray(0, sector.length))) return true
    from = nextSector(from)
  }
  return false
}

// After a power failure the end mark may be a zero byte although the next file exists.
function isUnwrittenEndMark({ bytes, isTerminated }: FileLine): boolean {
  return !isTerminated && bytes.length === 1 && bytes[0] === 0
}

function isOnlyNewlineMissing({ bytes, generation }: JournalFileLine): boolean {
  return decodeLine(bytes.subarray(0, -1), generation) !== null
}

function createDamageError(line: JournalFileLine): DatabaseDamagedError {
  return new DatabaseDamagedError(line.file, line.offset, 'the transaction there is corrupt')
}
