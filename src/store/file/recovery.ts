import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StartupError } from '../../domain/core/startup-error.ts'
import { DatabaseIncompleteError } from '../disk/database-errors.ts'
import { replaceFile, requireOwnFileIfExists } from '../disk/private-file.ts'
import { MemoryRecords } from '../memory/memory-records.ts'
import { RECORD_FORMAT_VERSION } from '../port/format.ts'
import type { Write } from '../port/store.ts'
import { getJournalPath, type JournalPosition } from './journal.ts'
import { listJournalGenerations, parseJournalGeneration } from './journal-files.ts'
import type { JournalEntry } from './journal-lines.ts'
import { JournalReader, visitFileLines } from './journal-reader.ts'
import { loadSnapshotRecords } from './snapshot-reader.ts'
import type { SnapshotMeta } from './snapshot-writer.ts'

/** The contents of a database's files. */
export interface LoadedDatabase {
  readonly records: MemoryRecords
  /** The end of the newest journal. */
  readonly position: JournalPosition
  /** Start of an incomplete last batch, or null when the last batch is complete. */
  readonly tornTail: TornTail | null
  /** Size of the snapshot file in bytes; 0 without a snapshot. */
  readonly snapshotBytes: number
  /** Generation of the oldest journal file. */
  readonly oldestGeneration: number
  /** Whether the snapshot is complete without a journal. */
  readonly isClosed: boolean
}

/** The start of an incomplete last batch in a journal. */
export interface TornTail {
  readonly file: string
  readonly byte: number
}

/** A database that is ready to be opened. */
export interface RecoveredDatabase extends LoadedDatabase {
  /** Messages for the log, such as the path of a file with the bytes of an incomplete batch. */
  readonly notes: readonly string[]
}

const EMPTY_META: SnapshotMeta = {
  format: RECORD_FORMAT_VERSION,
  generation: 0,
  transaction: 0,
  sequence: 0,
  closed: true,
}

/**
 * Loads the snapshot and replays newer journals. An incomplete last batch was never acknowledged: its bytes are saved to
 * another file. Any other damage throws an error that names file and byte.
 */
export async function recoverDatabase(
  database: string,
  options: Pick<LoadDatabaseOptions, 'onProgress'> & { readonly newSuffix: () => string },
): Promise<RecoveredDatabase> {
  const loaded = await loadDatabase(database, options)
  await removeLeftovers(database, loaded.oldestGeneration)
  return { ...loaded, notes: await saveTornTail(loaded, options.newSuffix) }
}

export interface LoadDatabaseOptions {
  /** Called with the loaded and the total number of bytes. */
  readonly onProgress?: (done: number, total: number) => void
  /** Selects the records to load by their `object` (default: all). */
  readonly isKept?: (record: { readonly object: string }) => boolean
}

/** Reads a database without changing its files; throws like `recoverDatabase`. */
export async function loadDatabase(
  database: string,
  { onProgress, isKept }: LoadDatabaseOptions = {},
): Promise<LoadedDatabase> {
  const records = new MemoryRecords()
  const isWriteKept = (write: Write) => isKept?.('put' in write ? write.put : write.remove) !== false
  let snapshotBytes = 0
  const found = await loadSnapshotRecords(database, {
    load(record) {
      if (isKept === undefined || isKept(record.parseKeys() ?? record.parse()))
        requireKnownRecord(database, () => records.load(record))
    },
    onProgress: (done, total) => {
      snapshotBytes = total
      onProgress?.(done, total)
    },
  })
  const meta = found ?? EMPTY_META
  records.resumeSequence(meta.sequence)
  const replayed = await replayJournals(database, meta, ({ writes }) =>
    requireKnownRecord(database, () => records.apply(isKept ? writes.filter(isWriteKept) : writes, 0)),
  )
  const { generation: oldestGeneration, closed: isClosed } = meta
  return { records, snapshotBytes, oldestGeneration, isClosed, ...replayed }
}

// An intact record that cannot be loaded was written by a newer version of paycli.
function requireKnownRecord(database: string, put: () => void): void {
  try {
    put()
  } catch (error) {
    throw new StartupError(
      'database_format',
      `${database} contains a record that this version of paycli cannot load: ${String(error)}. Use the version that wrote it, or name another file with --db.`,
    )
  }
}

async function removeLeftovers(database: string, oldest: number): Promise<void> {
  const names = await readdir(dirname(database))
  const own = names.filter((name) => name.startsWith(`${basename(database)}.`))
  const obsolete = own.filter(
    (name) => name.endsWith('.tmp') || (parseJournalGeneration(name, database) ?? oldest) < oldest,
  )
  await Promise.all(obsolete.map((name) => rm(join(dirname(database), name), { force: true })))
}

async function replayJournals(
  database: string,
  meta: SnapshotMeta,
  apply: (entry: JournalEntry) => void,
): Promise<Pick<LoadedDatabase, 'position' | 'tornTail'>> {
  const reader = new JournalReader(meta.transaction, apply)
  const generations = await findJournals(database, meta)
  for (const generation of generations) {
    const file = getJournalPath(database, generation)
    await requireOwnFileIfExists(file)
    reader.enterNextFile()
    await visitFileLines(file, (line) => reader.addLine({ ...line, file, generation }))
  }
  const generation = generations.at(-1) ?? meta.generation
  const tornTail = reader.findTornTail()
  if (reader.isEnded && tornTail === null) throw createJournalMissingError(database, generation + 1)
  return { position: { generation, offset: reader.offset, transaction: reader.transaction }, tornTail }
}

async function saveTornTail({ tornTail }: LoadedDatabase, newSuffix: () => string): Promise<string[]> {
  if (tornTail === null) return []
  const { file, byte } = tornTail
  const tail = Buffer.concat(await createReadStream(file, { start: byte }).toArray())
  const copy = `${file}.torn-${byte}`
  await replaceFile(copy, tail, newSuffix())
  return [
    `The last ${tail.length} bytes of ${file} were an incomplete write that was never acknowledged. They were moved to ${copy}.`,
  ]
}

async function findJournals(database: string, meta: SnapshotMeta): Promise<number[]> {
  const names = await readdir(dirname(database))
  const found = listJournalGenerations(names, database)
    // Skip older journals, which a crash may leave although the snapshot contains their transactions.
    .filter((generation) => generation >= meta.generation)
    .sort((a, b) => a - b)
  const isComplete = found.every((generation, index) => generation === meta.generation + index)
  if (isComplete && (found.length > 0 || meta.closed)) return found
  const missing = found.findIndex((generation, index) => generation !== meta.generation + index)
  const isSnapshotMissing = meta === EMPTY_META && missing === 0
  if (isSnapshotMissing)
    throw new DatabaseIncompleteError(database, 'all data that is older than its journals')
  throw createJournalMissingError(database, meta.generation + (missing < 0 ? found.length : missing))
}

function createJournalMissingError(database: string, generation: number): DatabaseIncompleteError {
  return new DatabaseIncompleteError(
    getJournalPath(database, generation),
    `the latest acknowledged changes of ${database}`,
  )
}
