import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Stored } from '../domain/changes.ts'
import { COLLECTION_NAMES } from './collections.ts'
import { PRIVATE_FILE_MODE, syncFolder, writeFully } from './private-file.ts'
import type { Records } from './records.ts'

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
  /** Whether the daemon stopped in order after writing it, so that no journal need be there. */
  readonly closed: boolean
}

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
 * Writes a snapshot beside the database and puts it in its place when `isWhole` says so; resolves with its length in bytes, or
 * null when it was dropped. It is written in slices of a
 * millisecond or two; records that change meanwhile may be in it with their newer state, which the journal repeats.
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
  await output.write(`{"meta":${JSON.stringify(meta)}`)
  for (const name of COLLECTION_NAMES) {
    await output.write(`,\n${JSON.stringify(name)}:[`)
    await writeRecords(output, records.all(name), clockwork)
    await output.write(']')
  }
}

async function writeRecords(
  output: CheckedOutput,
  records: Iterable<Stored>,
  { pause, monotonicMs }: Clockwork,
): Promise<void> {
  let separator = '\n'
  let text = ''
  let count = 0
  let startedMs = monotonicMs()
  for (const record of records) {
    text += separator + JSON.stringify(record)
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

/** Collects what is written into blocks and keeps a checksum of each, which the last line of the file lists. */
class CheckedOutput {
  readonly #handle: FileHandle
  readonly #checksums: number[] = []
  #pending: Buffer = Buffer.alloc(0)
  #written = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async write(text: string): Promise<void> {
    const bytes = Buffer.concat([this.#pending, Buffer.from(text)])
    const whole = bytes.length - (bytes.length % BLOCK_BYTES)
    for (let at = 0; at < whole; at += BLOCK_BYTES) {
      this.#checksums.push(crc32(bytes.subarray(at, at + BLOCK_BYTES)))
    }
    if (whole > 0) await this.#put(bytes.subarray(0, whole))
    this.#pending = Buffer.from(bytes.subarray(whole))
  }

  /** Writes the rest and the checksums; resolves with the length of the file in bytes. */
  async finish(): Promise<number> {
    if (this.#pending.length > 0) this.#checksums.push(crc32(this.#pending))
    const list = JSON.stringify(this.#checksums)
    const check = `,\n"check":{"blocks":${list},"crc32":${crc32(list)}}}\n`
    await this.#put(Buffer.concat([this.#pending, Buffer.from(check)]))
    return this.#written
  }

  async #put(bytes: Buffer): Promise<void> {
    await writeFully(this.#handle, bytes, this.#written)
    this.#written += bytes.length
  }
}
