import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { PRIVATE_FILE_MODE, syncFolder, writeFully } from '../disk/private-file.ts'
import type { Records } from '../memory/records.ts'
import { COLLECTION_NAMES } from '../port/collections.ts'
import { VERSION } from '../port/version.ts'

/** Layout of the snapshot file; another number means another program wrote it. */
export const SNAPSHOT_FORMAT = 1

/** Bytes that one checksum of the snapshot covers. */
export const BLOCK_BYTES = 65_536

/** The first line of a snapshot. */
export interface SnapshotMeta {
  readonly format: number
  /** The oldest journal that has something newer than this snapshot. */
  readonly generation: number
  /** The last transaction of the journals before it. */
  readonly transaction: number
  /** The number of the newest event. */
  readonly sequence: number
  /**
   * Whether the daemon stopped in order after writing it, so that it is the whole database without a journal. A daemon
   * that opens it says so in the last byte of the file (`open-mark.ts`), and then it is not.
   */
  readonly closed: boolean
  /** Of a state that was saved: the name of the database it was read from. */
  readonly saved_from?: string
}

const BUFFERED_BLOCKS = 4
const ENCODER = new TextEncoder()
const RECORDS_PER_SLICE = 200
const SLICE_MS = 1.5

/** Lets other work have a turn; resolves after it. */
export type Pause = () => Promise<void>

export interface Clockwork {
  readonly pause: Pause
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs: () => number
}

/**
 * Writes a snapshot beside the database and puts it in its place when `isWhole` says so; resolves with its length in
 * bytes, or null when it was dropped. It is written in slices of a millisecond or two; records that change meanwhile may
 * be in it with their newer state, which the journal repeats, and those that come meanwhile are in the journal alone.
 */
export async function writeSnapshot(
  target: { readonly database: string; readonly suffix: string },
  records: Records,
  options: {
    readonly meta: SnapshotMeta
    readonly clockwork: Clockwork
    /** Resolves with whether the snapshot may replace the old one; asked when all of it is written. */
    readonly isWhole: () => Promise<boolean>
  },
): Promise<number | null> {
  const temporary = `${target.database}.${target.suffix}.tmp`
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  const handle = await open(temporary, flags, PRIVATE_FILE_MODE)
  try {
    const output = new CheckedOutput(handle)
    await writeAll(output, records, options)
    const bytes = await output.finish()
    await handle.sync()
    await handle.close()
    if (!(await options.isWhole())) {
      await rm(temporary, { force: true })
      return null
    }
    await rename(temporary, target.database)
    await syncFolder(target.database)
    return bytes
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeAll(
  output: CheckedOutput,
  records: Records,
  { meta, clockwork }: { readonly meta: SnapshotMeta; readonly clockwork: Clockwork },
): Promise<void> {
  await output.write(`{"meta":${JSON.stringify({ ...meta, version: VERSION })}`)
  for (const name of COLLECTION_NAMES) {
    await output.write(`,\n${JSON.stringify(name)}:[`)
    await writeRecords(output, records.texts(name, meta.transaction), clockwork)
    await output.write(']')
  }
}

async function writeRecords(
  output: CheckedOutput,
  texts: Iterable<string>,
  { pause, monotonicMs }: Clockwork,
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
    await pause()
    startedMs = monotonicMs()
  }
  await output.write(count === 0 ? '' : `${text}\n`)
}

/**
 * Collects what is written into blocks and keeps a checksum of each, which the last line of the file lists. It has one
 * buffer for good: V8 collects garbage, and of a large database slowly, for every few buffers that are made.
 */
class CheckedOutput {
  readonly #handle: FileHandle
  readonly #checksums: number[] = []
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFERED_BLOCKS * BLOCK_BYTES)
  #filled = 0
  #written = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async write(text: string): Promise<void> {
    for (let rest = text; rest.length > 0; ) {
      const { read, written } = ENCODER.encodeInto(rest, this.#buffer.subarray(this.#filled))
      this.#filled += written
      rest = rest.slice(read)
      if (rest.length > 0) await this.#putBlocks()
    }
  }

  /** Writes the rest and the checksums; resolves with the length of the file in bytes. */
  async finish(): Promise<number> {
    await this.#putBlocks()
    const last = this.#buffer.subarray(0, this.#filled)
    if (last.length > 0) this.#checksums.push(crc32(last))
    const list = JSON.stringify(this.#checksums)
    const check = `,\n"check":{"blocks":${list},"crc32":${crc32(list)}}}\n`
    await this.#put(Buffer.concat([last, Buffer.from(check)]))
    return this.#written
  }

  // All whole blocks; what is left goes to the front.
  async #putBlocks(): Promise<void> {
    const whole = this.#filled - (this.#filled % BLOCK_BYTES)
    for (let at = 0; at < whole; at += BLOCK_BYTES) {
      this.#checksums.push(crc32(this.#buffer.subarray(at, at + BLOCK_BYTES)))
    }
    await this.#put(this.#buffer.subarray(0, whole))
    this.#buffer.copyWithin(0, whole, this.#filled)
    this.#filled -= whole
  }

  async #put(bytes: Buffer): Promise<void> {
    await writeFully(this.#handle, bytes, this.#written)
    this.#written += bytes.length
  }
}
