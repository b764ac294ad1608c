import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { DatabaseIncomplete } from '../disk/corruption-error.ts'
import { refusePlanted, replaceFile } from '../disk/private-file.ts'
import { Records } from '../memory/records.ts'
import type { Write } from '../port/store.ts'
import { type JournalPosition, journalFile } from './journal.ts'
import { generationOf, generationsIn } from './journal-files.ts'
import type { JournalLine } from './journal-lines.ts'
import { JournalReader, scanLines } from './journal-reader.ts'
import { readSnapshot } from './snapshot-reader.ts'
import type { SnapshotMeta } from './snapshot-writer.ts'

/** What opening a database found. */
export interface Recovered {
  readonly records: Records
  readonly position: JournalPosition
  /** Bytes in the snapshot file; 0 when there is none yet. */
  readonly snapshotBytes: number
  /** What a person should know, such as a torn tail that was set aside. */
  readonly notes: readonly string[]
  /** The oldest journal file there is. */
  readonly oldestGeneration: number
  /** Whether the snapshot holds all there is, so that no journal need be there. */
  readonly isClosed: boolean
}

const EMPTY: SnapshotMeta = { format: 1, generation: 0, transaction: 0, sequence: 0, closed: true }

/**
 * Loads the snapshot and replays the journals that are newer. Only a last batch that was never acknowledged may be
 * incomplete: it is set aside and cut off. Anything else that is not as it was written refuses with file and byte.
 */
export async function recover(
  database: string,
  options: {
    readonly newSuffix: () => string
    readonly onProgress?: (done: number, total: number) => void
  },
): Promise<Recovered> {
  const { meta, replayed, ...loaded } = await loadDatabase(database, options.onProgress)
  await removeLeftovers(database, meta.generation)
  const notes = await setTailAside(replayed, options.newSuffix)
  const { generation: oldestGeneration, closed: isClosed } = meta
  return { ...loaded, position: replayed.position, oldestGeneration, isClosed, notes }
}

/** What the files of a database hold. */
export interface Loaded {
  readonly records: Records
  /** Bytes in the snapshot file; 0 when there is none yet. */
  readonly snapshotBytes: number
  readonly meta: SnapshotMeta
  readonly replayed: Replayed
}

/** Reads a database without changing any of its files; refuses as `recover` does. */
export async function loadDatabase(
  database: string,
  onProgress?: (done: number, total: number) => void,
): Promise<Loaded> {
  const records = new Records()
  let snapshotBytes = 0
  const found = await readSnapshot(database, {
    load: (record) => keep(database, () => records.load(record)),
    onProgress: (done, total) => {
      snapshotBytes = total
      onProgress?.(done, total)
    },
  })
  const meta = found ?? EMPTY
  records.resumeSequence(meta.sequence)
  const replayed = await replay(database, meta, (line) =>
    keep(database, () => applyLine(records, line.writes)),
  )
  return { records, snapshotBytes, meta, replayed }
}

/** A database with nothing in it. */
export function emptyDatabase(): Recovered {
  return {
    records: new Records(),
    position: { generation: 0, offset: 0, transaction: 0 },
    snapshotBytes: 0,
    oldestGeneration: 0,
    isClosed: true,
    notes: [],
  }
}

// What is intact and still cannot be kept was written by a paycli that knows more than this one.
function keep(database: string, put: () => void): void {
  try {
    put()
  } catch (error) {
    throw new StartupProblem(
      'database_newer',
      `${database} holds what this paycli cannot keep: ${String(error)}. Use the version that wrote it, or name another file with --db.`,
    )
  }
}

function applyLine(records: Records, writes: readonly Write[]): void {
  records.apply(writes, { before: records.newest, stamp: 0 })
  for (const write of writes) {
    if ('put' in write && write.put.object === 'event' && 'sequence' in write.put) {
      records.resumeSequence(Number(write.put.sequence))
    }
  }
}

async function removeLeftovers(database: string, oldest: number): Promise<void> {
  const names = await readdir(dirname(database))
  const own = names.filter((name) => name.startsWith(`${basename(database)}.`))
  const old = own.filter((name) => name.endsWith('.tmp') || (generationOf(name, database) ?? oldest) < oldest)
  await Promise.all(old.map((name) => rm(join(dirname(database), name), { force: true })))
}

/** What replaying the journals found. */
export interface Replayed {
  readonly position: JournalPosition
  /** Where the unfinished last batch starts, or null when the journal ends in order. */
  readonly torn: { readonly file: string; readonly byte: number } | null
}

async function replay(
  database: string,
  meta: SnapshotMeta,
  apply: (line: JournalLine) => void,
): Promise<Replayed> {
  const reader = new JournalReader(meta.transaction, apply)
  const generations = await journalsFrom(database, meta)
  for (const generation of generations) {
    const file = journalFile(database, generation)
    await refusePlanted(file)
    reader.enterNextFile()
    await scanLines(file, (line) => reader.take({ ...line, file, generation }))
  }
  const generation = generations.at(-1) ?? meta.generation
  if (reader.isEnded && reader.torn() === null) throw journalMissing(database, generation + 1)
  return {
    position: { generation, offset: reader.offset, transaction: reader.transaction },
    torn: reader.torn(),
  }
}

async function setTailAside({ torn }: Replayed, newSuffix: () => string): Promise<string[]> {
  if (torn === null) return []
  const tail = Buffer.concat(await createReadStream(torn.file, { start: torn.byte }).toArray())
  const aside = `${torn.file}.torn-${torn.byte}`
  await replaceFile(aside, tail, newSuffix())
  return [
    `The last ${tail.length} bytes of ${torn.file} were a write that was cut short and never acknowledged. They were set aside in ${aside}.`,
  ]
}

async function journalsFrom(database: string, meta: SnapshotMeta): Promise<number[]> {
  const names = await readdir(dirname(database))
  const found = generationsIn(names, database)
    // A crash may have left older ones, which the snapshot has swallowed.
    .filter((generation) => generation >= meta.generation)
    .sort((a, b) => a - b)
  const isComplete = found.every((generation, index) => generation === meta.generation + index)
  if (isComplete && (found.length > 0 || meta.closed)) return found
  const missing = found.findIndex((generation, index) => generation !== meta.generation + index)
  const isSnapshotMissing = meta === EMPTY && missing === 0
  if (isSnapshotMissing) throw new DatabaseIncomplete(database, 'all that is older than its journals')
  throw journalMissing(database, meta.generation + (missing < 0 ? found.length : missing))
}

function journalMissing(database: string, generation: number): DatabaseIncomplete {
  return new DatabaseIncomplete(
    journalFile(database, generation),
    `the latest acknowledged changes of ${database}`,
  )
}
