import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { getTemporaryPath, PRIVATE_FILE_MODE, syncParentFolder, writeFully } from '../disk/private-file.ts'
import type { SliceScheduling } from '../memory/slices.ts'
import { COLLECTION_NAMES } from '../port/collections.ts'
import { RECORD_FORMAT_VERSION } from '../port/format.ts'
import { PAYCLI_VERSION } from '../port/version.ts'
import type { SnapshotSource } from './snapshot-source.ts'

/** Number of bytes that one checksum covers. */
export const CHECKSUM_BLOCK_BYTES = 65_536

/** The first line of a snapshot. */
export interface SnapshotMeta {
  readonly format: number
  /** Generation of the oldest journal with transactions that are newer than this snapshot. */
  readonly generation: number
  /** Number of the last transaction before that journal. */
  readonly transaction: number
  /** Sequence number of the newest event. */
  readonly sequence: number
  /**
   * Whether the snapshot is complete without a journal because the server stopped cleanly after writing it. The mark in
   * the last byte of the file (`snapshot-tail.ts`) overrides this field once a server opens the database.
   */
  readonly closed: boolean
  /** Name of the source database; only in saved states. */
  readonly saved_from?: string
  /** Id of the source sandbox; only in saved states of a sandbox other than the default sandbox. */
  readonly saved_from_sandbox?: string
}

const BUFFERED_BLOCKS = 4
/** A sync delays the journal, which shares the disk. Small syncs cause shorter delays than one large sync. */
const BYTES_PER_SYNC = 4 * 1024 * 1024
const ENCODER = new TextEncoder()
const RECORDS_PER_SLICE = 200
const SLICE_MS = 1.5

export interface WriteSnapshotOptions {
  /** Generates an unguessable suffix for a temporary file. */
  readonly newSuffix: () => string
  readonly scheduling: SliceScheduling
  /**
   * Overrides fields of the first line (default: the state of a cleanly stopped server without a journal). The
   * generation must be greater than that of every obsolete journal next to the file. The generation is never 0 when
   * `closed` is true, because recovery accepts a journal of generation 0 without a snapshot.
   */
  readonly meta?: Partial<SnapshotMeta>
  /** Called after the snapshot is written; resolves with whether the old snapshot may be replaced (default: true). */
  readonly canReplace?: () => Promise<boolean>
}

/**
 * Writes a snapshot to a temporary file, which replaces the database if `canReplace` allows the replacement. Resolves
 * with the size of the snapshot in bytes, or null if it was discarded. A record that changes during the write may have
 * its new state, which the journal repeats. A record that is inserted during the write is only in the journal.
 */
export async function writeSnapshot(
  database: string,
  records: SnapshotSource,
  { newSuffix, scheduling, meta = {}, canReplace }: WriteSnapshotOptions,
): Promise<number | null> {
  const temporary = getTemporaryPath(database, newSuffix())
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  const handle = await open(temporary, flags, PRIVATE_FILE_MODE)
  try {
    const output = new ChecksummedOutput(handle)
    await writeCollections(output, records, { ...closedMetaOf(records), ...meta }, scheduling)
    const bytes = await output.finish()
    await handle.sync()
    await handle.close()
    if ((await canReplace?.()) === false) {
      await rm(temporary, { force: true })
      return null
    }
    await rename(temporary, database)
    await syncParentFolder(database)
    return bytes
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(temporary, { force: true })
    throw error
  }
}

const closedMetaOf = ({ sequence }: SnapshotSource): SnapshotMeta => ({
  format: RECORD_FORMAT_VERSION,
  generation: 1,
  transaction: 0,
  sequence,
  closed: true,
})

async function writeCollections(
  output: ChecksummedOutput,
  records: SnapshotSource,
  meta: SnapshotMeta,
  scheduling: SliceScheduling,
): Promise<void> {
  await output.write(`{"meta":${JSON.stringify({ ...meta, version: PAYCLI_VERSION })}`)
  for (const name of COLLECTION_NAMES) {
    await output.write(`,\n${JSON.stringify(name)}:[`)
    await writeRecords(output, records.jsonTexts(name, meta.transaction), scheduling)
    await output.write(']')
  }
}

async function writeRecords(
  output: ChecksummedOutput,
  texts: Iterable<string>,
  { yieldToEventLoop, monotonicMs }: SliceScheduling,
): Promise<void> {
  let separator = '\n'
  let text = ''
  let count = 0
  let startedMs = monotonicMs()
  for (const record of texts) {
    text += separator + record
    separator = ',\n'
    count += 1
    if (count % RECORDS_PER_SLICE !== 0 && monotonicMs() - startedMs < SLICE_MS) continue
    await output.write(text)
    text = ''
    await yieldToEventLoop()
    startedMs = monotonicMs()
  }
  await output.write(count === 0 ? '' : `${text}\n`)
}

/**
 * Writes blocks and collects their checksums, which the last line of the file lists. The output reuses one buffer,
 * because allocating buffers triggers garbage collections, which are slow with a large heap.
 */
class ChecksummedOutput {
  readonly #handle: FileHandle
  readonly #checksums: number[] = []
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFERED_BLOCKS * CHECKSUM_BLOCK_BYTES)
  #filled = 0
  #written = 0
  #unsynced = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async write(text: string): Promise<void> {
    for (let rest = text; rest.length > 0; ) {
      const { read, written } = ENCODER.encodeInto(rest, this.#buffer.subarray(this.#filled))
      this.#filled += written
      rest = rest.slice(read)
      if (rest.length > 0) await this.#writeBlocks()
    }
  }

  /** Writes the remaining bytes and the checksums; resolves with the length of the file in bytes. */
  async finish(): Promise<number> {
    await this.#writeBlocks()
    const last = this.#buffer.subarray(0, this.#filled)
    if (last.length > 0) this.#checksums.push(crc32(last))
    const list = JSON.stringify(this.#checksums)
    const check = `,\n"check":{"blocks":${list},"crc32":${crc32(list)}}}\n`
    await this.#writeBytes(Buffer.concat([last, Buffer.from(check)]))
    return this.#written
  }

  // Writes all full blocks and moves the remaining bytes to the start of the buffer.
  async #writeBlocks(): Promise<void> {
    const whole = this.#filled - (this.#filled % CHECKSUM_BLOCK_BYTES)
    for (let at = 0; at < whole; at += CHECKSUM_BLOCK_BYTES) {
      this.#checksums.push(crc32(this.#buffer.subarray(at, at + CHECKSUM_BLOCK_BYTES)))
    }
    await this.#writeBytes(this.#buffer.subarray(0, whole))
    this.#buffer.copyWithin(0, whole, this.#filled)
    this.#filled -= whole
  }

  async #writeBytes(bytes: Buffer): Promise<void> {
    await writeFully(this.#handle, bytes, this.#written)
    this.#written += bytes.length
    this.#unsynced += bytes.length
    if (this.#unsynced < BYTES_PER_SYNC) return
    await this.#handle.datasync()
    this.#unsynced = 0
  }
}
