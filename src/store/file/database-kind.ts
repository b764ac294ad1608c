import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { generationsIn } from './journal-files.ts'
import { CHECK_START, CHECKSUM_BYTES } from './snapshot-layout.ts'
import { BLOCK_BYTES, SNAPSHOT_FORMAT } from './snapshot-writer.ts'

/** How every snapshot begins, of any version. */
const BEGINNING = '{"meta":{"format":'
/** Bytes of the first line that hold the format and the version. */
const HEAD_BYTES = 4096

/**
 * Throws when a file exists that is not a paycli database, such as the JSON file of another program, or that a newer
 * paycli wrote in a format which this version does not read. A damaged database passes.
 */
export async function refuseForeign(database: string): Promise<void> {
  const handle = await openExisting(database)
  if (handle === null) return
  try {
    const { size } = await handle.stat()
    const head = await textAt(handle, 0, HEAD_BYTES)
    const tailBytes = BLOCK_BYTES + Math.ceil(size / BLOCK_BYTES) * CHECKSUM_BYTES
    const hasCheck = async () =>
      (await textAt(handle, Math.max(0, size - tailBytes), tailBytes)).includes(CHECK_START)
    if (isNewer(head) && !(await hasCheck())) throw databaseNewer(database, head)
    const isCutShort = size > 0 && BEGINNING.startsWith(head)
    if (formatOf(head) !== null || isCutShort || (await hasCheck())) return
    const journals = generationsIn(await readdir(dirname(database)), database)
    if (journals.length === 0) throw foreign(database, size)
  } finally {
    await handle.close()
  }
}

/** The error for a snapshot in the format of a newer version; `head` is the beginning of its first line. */
export function databaseNewer(database: string, head: string): StartupProblem {
  const version = /"version":"([\w.+-]{1,50})"/.exec(head)?.[1]
  const by = version === undefined ? 'a newer version of paycli' : `paycli ${version}`
  return new StartupProblem(
    'database_newer',
    `${database} was written by ${by} in format ${formatOf(head) ?? 'unknown'}, and this version reads format ${SNAPSHOT_FORMAT}. Nothing was changed. Use ${version === undefined ? 'the version that wrote it' : 'that version'}, or name another file with --db.`,
  )
}

function formatOf(head: string): number | null {
  const digits = new RegExp(`^${BEGINNING.replace(/[{]/g, '\\{')}(\\d{1,9})(?:[,}]|$)`).exec(head)?.[1]
  return digits === undefined ? null : Number(digits)
}

const isNewer = (head: string) => (formatOf(head) ?? 0) > SNAPSHOT_FORMAT

function foreign(database: string, size: number): StartupProblem {
  const why = size === 0 ? 'the file is empty' : 'it does not begin like one'
  return new StartupProblem(
    'database_foreign',
    `${database} is not a paycli database: ${why}. Nothing was changed. Name another file with --db, or remove this one yourself.`,
  )
}

async function openExisting(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function textAt(handle: FileHandle, at: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at)
  return buffer.toString('latin1', 0, bytesRead)
}
