import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { StoredObject } from '../../domain/core/changes.ts'
import { isJsonObject, parseJson } from '../../domain/core/json-object.ts'
import { parseSnapshotMeta } from '../file/database-format.ts'
import { type FileLine, visitFileLines } from '../file/journal-reader.ts'
import { CHECKSUM_LINE_START, isMarkedOpen, readAt, readSnapshotTail } from '../file/snapshot-tail.ts'
import { CHECKSUM_BLOCK_BYTES, type SnapshotMeta } from '../file/snapshot-writer.ts'
import type { SalvageCollector } from './salvage-collector.ts'

/** Byte offsets in a file; `to` is exclusive. */
interface ByteRange {
  readonly from: number
  to: number
}

/** The verified part of the meta line that selects the journals, or null when the line is damaged. */
export type SalvagedMeta = Pick<SnapshotMeta, 'generation' | 'transaction' | 'closed'> | null

/**
 * Reads every record of a damaged snapshot that can still be parsed. A block that does not match its checksum is reported
 * as lost, and the records in it are unverified.
 */
export async function salvageSnapshot(file: string, collector: SalvageCollector): Promise<SalvagedMeta> {
  const { suspect, end, isOpened } = await verifySnapshot(file)
  for (const { from, to } of suspect) {
    collector.lost.push(`${file}: the bytes from ${from} to ${to} do not match their checksum`)
  }
  const isVerified = createIntactLineCheck(suspect)
  let meta: SalvagedMeta = null
  await visitFileLines(file, (line) => {
    if (line.offset >= end) return
    const isIntact = isVerified(line)
    const text = line.bytes.toString('utf8').replace(/,$/, '')
    if (line.offset === 0 && isIntact) meta = parseSnapshotMeta(file, text)
    if (LAYOUT_LINE.test(text)) return
    const place = `${file}: the line at byte ${line.offset}`
    const record = parseRecord(text)
    if (record === null) collector.lost.push(`${place} cannot be read`)
    else collector.load(record, isIntact, place)
  })
  const intactMeta = meta as SalvagedMeta
  return intactMeta === null ? null : { ...intactMeta, closed: intactMeta.closed && !isOpened }
}

// Matches the lines of a snapshot that contain no record.
const LAYOUT_LINE = /^(\{"meta":|"[a-z_]+":\[\]?$|\]$|$)/

function parseRecord(text: string): StoredObject | null {
  const value = parseJson(text)
  return isJsonObject(value) && 'id' in value && 'object' in value ? (value as unknown as StoredObject) : null
}

/** Creates a function that returns whether a line is in intact blocks only; call it for the lines in order. */
function createIntactLineCheck(suspect: readonly ByteRange[]): (line: FileLine) => boolean {
  let next = 0
  return ({ offset, bytes }) => {
    while (next < suspect.length && (suspect[next]?.to ?? 0) <= offset) next += 1
    const range = suspect[next]
    // The byte range of a line includes its newline.
    return range === undefined || range.from > offset + bytes.length
  }
}

/**
 * Returns the sorted byte ranges that do not match their checksums, and the byte after the last record. When the
 * checksums cannot be read, the only range is the whole file.
 */
async function verifySnapshot(file: string) {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await handle.stat()
    const tail = await readSnapshotTail(handle, size)
    const list = /^\{"blocks":\[([\d,]*)\]/.exec(tail?.text.slice(CHECKSUM_LINE_START.length) ?? '')
    if (tail === null || list === null) return { suspect: [{ from: 0, to: size }], end: size, isOpened: true }
    // In a damaged list, a checksum that matches its block still proves that the block is intact.
    const checksums = (list[1] ?? '').split(',').map(Number)
    const suspect = await findMismatches(handle, checksums, tail.offset)
    return { suspect, end: tail.offset, isOpened: isMarkedOpen(tail.text) }
  } finally {
    await handle.close()
  }
}

async function findMismatches(
  handle: FileHandle,
  checksums: readonly number[],
  end: number,
): Promise<ByteRange[]> {
  const suspect: ByteRange[] = []
  const buffer = Buffer.allocUnsafe(CHECKSUM_BLOCK_BYTES)
  for (let at = 0; at < end; at += CHECKSUM_BLOCK_BYTES) {
    const block = await readAt(handle, buffer, at, Math.min(CHECKSUM_BLOCK_BYTES, end - at))
    if (crc32(block) === checksums[at / CHECKSUM_BLOCK_BYTES]) continue
    const last = suspect.at(-1)
    if (last?.to === at) last.to = at + block.length
    else suspect.push({ from: at, to: at + block.length })
  }
  return suspect
}
