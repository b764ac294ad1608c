import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../../domain/core/startup-error.ts'
import { returnNullForMissingFile } from '../disk/private-file.ts'
import { RECORD_FORMAT_VERSION } from '../port/format.ts'
import { listJournalGenerations } from './journal-files.ts'
import { readSnapshotTail } from './snapshot-tail.ts'
import type { SnapshotMeta } from './snapshot-writer.ts'

/** The first bytes of every snapshot, in any format version. */
const SNAPSHOT_START = '{"meta":{"format":'
/** Bytes at the start of a snapshot that include the format and the version. */
const HEAD_BYTES = 4096

/**
 * Throws when a file is not a paycli database, such as a JSON file of another program, or has the format of another
 * version. Accepts a damaged database and a missing file.
 */
export async function rejectForeignDatabaseFile(database: string): Promise<void> {
  const handle = await openFileIfExists(database)
  if (handle === null) return
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const head = buffer.toString('latin1', 0, bytesRead)
    const hasChecksums = async () => (await readSnapshotTail(handle, size)) !== null
    if (isOther(head) && !(await hasChecksums())) throw createOtherFormatError(database, head)
    const isTruncated = size > 0 && SNAPSHOT_START.startsWith(head)
    if (formatOf(head) !== null || isTruncated || (await hasChecksums())) return
    const journals = listJournalGenerations(await readdir(dirname(database)), database)
    if (journals.length === 0) throw createForeignFileError(database, size)
  } finally {
    await handle.close()
  }
}

function createOtherFormatError(database: string, head: string): StartupError {
  const version = /"version":"([\w.+-]{1,50})"/.exec(head)?.[1]
  const by = version === undefined ? 'another version of paycli' : `paycli ${version}`
  return new StartupError(
    'database_format',
    `${database} was written by ${by} in format ${formatOf(head) ?? 'unknown'}, and this version reads format ${RECORD_FORMAT_VERSION}. Nothing was changed. Use the installation that wrote it, or name another file with --db.`,
  )
}

function formatOf(head: string): number | null {
  const digits = new RegExp(`^${SNAPSHOT_START.replace(/[{]/g, '\\{')}(\\d{1,9})(?:[,}]|$)`).exec(head)?.[1]
  return digits === undefined ? null : Number(digits)
}

const isOther = (head: string) => (formatOf(head) ?? RECORD_FORMAT_VERSION) !== RECORD_FORMAT_VERSION

function createForeignFileError(database: string, size: number): StartupError {
  const why = size === 0 ? 'the file is empty' : 'its first bytes do not match the format'
  return new StartupError(
    'database_foreign',
    `${database} is not a paycli database: ${why}. Nothing was changed. Name another file, such as --db paycli.json, or omit --db for the default.`,
  )
}

/** Opens a file for reading without following links; returns null for a missing file. */
export function openFileIfExists(file: string): Promise<FileHandle | null> {
  return open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(returnNullForMissingFile)
}

/** Parses the first line of a snapshot, without its comma; throws for another format. */
export function parseSnapshotMeta(database: string, line: string): SnapshotMeta {
  const { meta } = JSON.parse(`${line}}`) as { meta: SnapshotMeta }
  if (meta.format === RECORD_FORMAT_VERSION) return meta
  throw createOtherFormatError(database, line)
}
