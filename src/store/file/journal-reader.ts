import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { DatabaseDamaged } from '../disk/corruption-error.ts'
import { decodeLine, type JournalLine } from './journal-lines.ts'

const READ_BYTES = 4 * 1024 * 1024
const NEWLINE = 0x0a
// A disk writes whole sectors: of those that a power failure kept back nothing but zeros is found.
const SECTOR_BYTES = 512
const LOST_SECTOR = Buffer.alloc(SECTOR_BYTES)

/** A line as it lies in a file, without its newline. */
export interface RawLine {
  /** Overwritten by what is read next. */
  readonly bytes: Buffer
  readonly at: number
  /** Whether a newline follows; only the end of a file has none. */
  readonly isTerminated: boolean
}

interface PlacedLine extends RawLine {
  readonly file: string
  readonly generation: number
}

/** Reads a file line by line without ever holding all of it. */
export async function scanLines(file: string, take: (line: RawLine) => void): Promise<void> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    // One buffer for all reads: for every few that are made V8 collects garbage, of a large database slowly.
    let buffer: Buffer = Buffer.allocUnsafeSlow(READ_BYTES)
    let filled = 0
    let at = 0
    for (;;) {
      if (filled === buffer.length) buffer = Buffer.concat([buffer], 2 * filled)
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled)
      if (bytesRead === 0) break
      filled += bytesRead
      const used = takeLines(buffer.subarray(0, filled), at, take)
      buffer.copyWithin(0, used, filled)
      filled -= used
      at += used
    }
    if (filled > 0) take({ bytes: buffer.subarray(0, filled), at, isTerminated: false })
  } finally {
    await handle.close()
  }
}

function takeLines(bytes: Buffer, at: number, take: (line: RawLine) => void): number {
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    take({ bytes: bytes.subarray(start, end), at: at + start, isTerminated: true })
    start = end + 1
  }
  return start
}

/** Follows the transactions through the journals and tells an unfinished last batch from damage to acknowledged data. */
export class JournalReader {
  readonly #apply: (line: JournalLine) => void
  #transaction: number
  #offset = 0
  #bad: PlacedLine | null = null
  #end: PlacedLine | null = null
  #hasLostSector = false

  constructor(transaction: number, apply: (line: JournalLine) => void) {
    this.#transaction = transaction
    this.#apply = apply
  }

  /** The last transaction that was intact. */
  get transaction(): number {
    return this.#transaction
  }

  /** Length of the intact part of the file read last, in bytes. */
  get offset(): number {
    return this.#offset
  }

  /** Whether the file read last ends as one that another one follows. */
  get isEnded(): boolean {
    return this.#end !== null
  }

  /** Goes on in the next file. Files change after all of the one before was on disk, so that one must be whole. */
  enterNextFile(): void {
    if (this.#bad !== null && !isUnwrittenEnd(this.#bad)) throw damagedAt(this.#bad)
    this.#bad = null
    this.#end = null
    this.#hasLostSector = false
    this.#offset = 0
  }

  take(line: PlacedLine): void {
    if (this.#end !== null) this.#bad ??= this.#end
    if (this.#bad === null && line.isTerminated && line.bytes.length === 0) {
      this.#end = { ...line, bytes: Buffer.alloc(0) }
      return
    }
    const decoded = line.isTerminated ? decodeLine(line.bytes, line.generation) : null
    const isNext = this.#bad === null && decoded?.transaction === this.#transaction + 1
    if (isNext) this.#accept(line, decoded)
    else this.#takeBad(line, decoded)
  }

  /** Where an unfinished last batch starts; null when there is none. Throws for damage. */
  torn(): { readonly file: string; readonly byte: number } | null {
    if (this.#bad === null) return null
    const isCutShort = !this.#bad.isTerminated && !isOnlyNewlineGone(this.#bad)
    if (!isCutShort && !this.#hasLostSector) throw damagedAt(this.#bad)
    return { file: this.#bad.file, byte: this.#bad.at }
  }

  #accept(line: PlacedLine, decoded: JournalLine): void {
    this.#apply(decoded)
    this.#transaction = decoded.transaction
    this.#offset = line.at + line.bytes.length + 1
  }

  #takeBad(line: PlacedLine, decoded: JournalLine | null): void {
    this.#hasLostSector ||= hasLostSector(line, this.#bad === null)
    this.#bad ??= { ...line, bytes: Buffer.from(line.bytes) }
    // A later batch is only begun when all of the earlier one is on disk, so the bad line had been acknowledged.
    if (decoded !== null && decoded.batch > this.#transaction + 1) throw damagedAt(this.#bad)
  }
}

// The unfinished batch may begin amid a sector, and ends amid one where the file ends.
function hasLostSector({ bytes, at, isTerminated }: RawLine, isFirst: boolean): boolean {
  const end = at + bytes.length
  const nextSector = (from: number) => from - (from % SECTOR_BYTES) + SECTOR_BYTES
  let from = isFirst || at % SECTOR_BYTES === 0 ? at : nextSector(at)
  while (from < end && (nextSector(from) <= end || !isTerminated)) {
    const sector = bytes.subarray(from - at, nextSector(from) - at)
    if (sector.equals(LOST_SECTOR.subarray(0, sector.length))) return true
    from = nextSector(from)
  }
  return false
}

// A power failure may keep back the mark at the end of a file though the next file is there already.
function isUnwrittenEnd({ bytes, isTerminated }: RawLine): boolean {
  return !isTerminated && bytes.length === 1 && bytes[0] === 0
}

function isOnlyNewlineGone({ bytes, generation }: PlacedLine): boolean {
  return decodeLine(bytes.subarray(0, -1), generation) !== null
}

function damagedAt(line: PlacedLine): DatabaseDamaged {
  return new DatabaseDamaged(line.file, line.at, 'the transaction there is not as it was written')
}
