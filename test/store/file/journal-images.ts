import { encodeLine, encodeWrites } from '../../../src/store/file/journal-lines.ts'
import { type FileLine, JournalReader } from '../../../src/store/file/journal-reader.ts'
import type { Write } from '../../../src/store/port/store.ts'
import { customer } from '../fixture.ts'

export const SECTOR_BYTES = 512
const NEWLINE = 0x0a
const BITS = [1, 2, 4, 8, 16, 32, 64, 128, 255]

/** The bytes of a journal of generation 0. */
export interface JournalImage {
  readonly bytes: Buffer
  /** Offset of each transaction. */
  readonly starts: readonly number[]
  /** Offset of the last batch. */
  readonly lastBatch: number
  /** Number of transactions before the last batch. */
  readonly acknowledged: number
}

/** Returns the writes of a transaction: a customer with a name of this length. */
export function writesOf(transaction: number, nameLength: number): Write[] {
  return [{ put: customer(`cus_${transaction}`, { name: 'Zoë '.repeat(nameLength).slice(0, nameLength) }) }]
}

/** Creates a journal from batches, each a list of name lengths for its transactions. */
export function createJournalImage(batches: readonly (readonly number[])[]): JournalImage {
  const lines: Buffer[] = []
  const starts: number[] = []
  let [transaction, at, lastBatch, acknowledged] = [0, 0, 0, 0]
  for (const batch of batches) {
    lastBatch = at
    acknowledged = transaction
    const first = transaction + 1
    for (const length of batch) {
      transaction += 1
      const operations = encodeWrites(writesOf(transaction, length))
      const line = Buffer.from(encodeLine(operations, { transaction, batch: first, generation: 0 }))
      lines.push(line)
      starts.push(at)
      at += line.length
    }
  }
  return { bytes: Buffer.concat(lines), starts, lastBatch, acknowledged }
}

function linesIn(bytes: Buffer): FileLine[] {
  const lines: FileLine[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, offset)
    lines.push({
      bytes: bytes.subarray(offset, end < 0 ? bytes.length : end),
      offset,
      isTerminated: end >= 0,
    })
    offset = end < 0 ? bytes.length : end + 1
  }
  return lines
}

/** Reads a journal image of generation 0; throws if the image is damaged. */
export function readImage(bytes: Buffer): { readonly transactions: number; readonly torn: number | null } {
  let transactions = 0
  const reader = new JournalReader(0, ({ transaction }) => {
    transactions = transaction
  })
  reader.enterNextFile()
  for (const line of linesIn(bytes)) reader.addLine({ ...line, file: 'journal', generation: 0 })
  return { transactions, torn: reader.findTornTail()?.byte ?? null }
}

/** Yields copies with one changed byte: each bit flipped, all bits flipped, NUL, newline and space. */
export function* flippedBytes(original: Buffer, at: number): Generator<{ bytes: Buffer; isToNul: boolean }> {
  const old = original[at] ?? 0
  const values = new Set([...BITS.map((mask) => old ^ mask), 0, NEWLINE, 0x20])
  values.delete(old)
  for (const value of values) {
    const bytes = Buffer.from(original)
    bytes[at] = value
    yield { bytes, isToNul: value === 0 }
  }
}

/** Returns a copy with sectors replaced by zeros, but only from byte `from` on. */
export function loseSectors(original: Buffer, sectors: readonly number[], from: number): Buffer {
  const bytes = Buffer.from(original)
  for (const sector of sectors) {
    bytes.fill(0, Math.max(from, sector * SECTOR_BYTES), Math.min((sector + 1) * SECTOR_BYTES, bytes.length))
  }
  return bytes
}

/** Returns the numbers of the sectors from a byte to the end. */
export function sectorsFrom(bytes: Buffer, from: number): number[] {
  const first = Math.floor(from / SECTOR_BYTES)
  const count = Math.ceil(bytes.length / SECTOR_BYTES) - first
  return Array.from({ length: count }, (_, index) => first + index)
}
