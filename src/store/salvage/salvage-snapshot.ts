import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Stored } from '../../domain/changes.ts'
import { databaseNewer } from '../file/database-kind.ts'
import { type RawLine, scanLines } from '../file/journal-reader.ts'
import { isMarkedOpen } from '../file/open-mark.ts'
import { CHECK_START, CHECKSUM_BYTES } from '../file/snapshot-layout.ts'
import { readAt } from '../file/snapshot-reader.ts'
import { BLOCK_BYTES, SNAPSHOT_FORMAT, type SnapshotMeta } from '../file/snapshot-writer.ts'
import type { SalvageLedger } from './salvage-ledger.ts'

/** Bytes of a file, `to` exclusive. */
interface ByteRange {
  readonly from: number
  to: number
}

/** Where the journals of a snapshot begin, or null when nothing proves it. */
export type SalvagedMeta = Pick<SnapshotMeta, 'generation' | 'transaction' | 'closed'> | null

/**
 * Reads every record of a damaged snapshot that can still be parsed. Records that overlap a block which does not match
 * its checksum are kept as unverified, and the block is noted as lost.
 */
export async function salvageSnapshot(file: string, ledger: SalvageLedger): Promise<SalvagedMeta> {
  const { suspect, end, isOpened } = await verify(file)
  for (const { from, to } of suspect) {
    ledger.lost.push(`${file}: the bytes from ${from} to ${to} do not match their checksum`)
  }
  const isVerified = createOverlapCheck(suspect)
  let meta: SalvagedMeta = null
  await scanLines(file, (line) => {
    if (line.at >= end) return
    const isIntact = isVerified(line)
    const text = line.bytes.toString('utf8').replace(/,$/, '')
    if (line.at === 0 && isIntact) meta = parseMeta(file, text)
    if (LAYOUT.test(text)) return
    const place = `${file}: the line at byte ${line.at}`
    const record = parseRecord(text)
    if (record === null) ledger.lost.push(`${place} cannot be read`)
    else ledger.load(record, { isVerified: isIntact, place })
  })
  const found = meta as SalvagedMeta
  return found === null ? null : { ...found, closed: found.closed && !isOpened }
}

// A snapshot has one record on each line; these are the lines around them.
const LAYOUT = /^(\{"meta":|"[a-z_]+":\[\]?$|\]$|$)/

function parseRecord(text: string): Stored | null {
  try {
    const value: unknown = JSON.parse(text)
    const isRecord = typeof value === 'object' && value !== null && 'id' in value && 'object' in value
    return isRecord ? (value as Stored) : null
  } catch {
    // What cannot be parsed is named by its place.
    return null
  }
}

function parseMeta(file: string, text: string): SalvagedMeta {
  const { meta } = JSON.parse(`${text}}`) as { meta: SnapshotMeta }
  if (meta.format === SNAPSHOT_FORMAT) return meta
  throw databaseNewer(file, text)
}

/** Makes the question whether a line lies in intact blocks only; lines are asked about in their order. */
function createOverlapCheck(suspect: readonly ByteRange[]): (line: RawLine) => boolean {
  let next = 0
  return ({ at, bytes }) => {
    while (next < suspect.length && (suspect[next]?.to ?? 0) <= at) next += 1
    const range = suspect[next]
    // The newline belongs to the line.
    return range === undefined || range.from > at + bytes.length
  }
}

interface Verified {
  /** What does not match its checksum, in order; all of the file when the checksums cannot be read. */
  readonly suspect: readonly ByteRange[]
  /** Where the records end. */
  readonly end: number
  readonly isOpened: boolean
}

async function verify(file: string): Promise<Verified> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await handle.stat()
    const window = Math.min(size, BLOCK_BYTES + Math.ceil(size / BLOCK_BYTES) * CHECKSUM_BYTES)
    const tail = await readAt(handle, Buffer.allocUnsafe(window), { at: size - window, length: window })
    const start = tail.lastIndexOf(CHECK_START)
    const text = tail.toString('latin1', Math.max(start, 0))
    const list = start < 0 ? null : /^\{"blocks":\[([\d,]*)\]/.exec(text.slice(CHECK_START.length))
    if (list === null) return { suspect: [{ from: 0, to: size }], end: size, isOpened: true }
    const end = size - window + start
    // Of a list that is damaged itself, an entry that matches its block still proves that block.
    const checksums = (list[1] ?? '').split(',').map(Number)
    const suspect = await mismatches(handle, checksums, end)
    return { suspect, end, isOpened: isMarkedOpen(text) }
  } finally {
    await handle.close()
  }
}

async function mismatches(
  handle: FileHandle,
  checksums: readonly number[],
  end: number,
): Promise<ByteRange[]> {
  const suspect: ByteRange[] = []
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES)
  for (let at = 0; at < end; at += BLOCK_BYTES) {
    const block = await readAt(handle, buffer, { at, length: Math.min(BLOCK_BYTES, end - at) })
    if (crc32(block) === checksums[at / BLOCK_BYTES]) continue
    const last = suspect.at(-1)
    if (last?.to === at) last.to = at + block.length
    else suspect.push({ from: at, to: at + block.length })
  }
  return suspect
}
