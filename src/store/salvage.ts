import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Stored } from '../domain/changes.ts'
import { journalFile } from './journal.ts'
import { decodeLine } from './journal-lines.ts'
import { scanLines } from './journal-reader.ts'
import { Records } from './records.ts'
import { type Clockwork, SNAPSHOT_FORMAT, type SnapshotMeta, writeSnapshot } from './snapshot-writer.ts'

/** What could and what could not be read of a damaged database. */
export interface Salvaged {
  readonly records: Records
  /** One sentence for each place that could not be read, with file and byte. */
  readonly lost: readonly string[]
}

/**
 * Reads everything that is still readable in a damaged database, line by line, without changing any of its files.
 * Whether what it finds is complete nobody can know; `lost` names what was passed over.
 */
export async function salvage(database: string): Promise<Salvaged> {
  const records = new Records()
  const lost: string[] = []
  const names = await readdir(dirname(database))
  const scanSnapshot: typeof scanLines = names.includes(basename(database)) ? scanLines : async () => {}
  let oldest = 0
  await scanSnapshot(database, ({ bytes, at }) => {
    const text = bytes.toString('utf8')
    if (at === 0) oldest = oldestGeneration(text)
    const record = readRecord(text)
    if (record === 'damaged') lost.push(`${database}: the line at byte ${at} cannot be read`)
    else if (record !== null)
      tryTo(
        () => records.put(record),
        () => lost.push(`${database}: byte ${at}`),
      )
  })
  // What is in older ones is in the snapshot already, and may have changed since.
  for (const generation of generationsIn(names, database).filter((each) => each >= oldest)) {
    const file = journalFile(database, generation)
    await scanLines(file, ({ bytes, at }) => {
      const line = decodeLine(bytes, generation)
      if (line === null) lost.push(`${file}: the transaction at byte ${at} cannot be read`)
      else records.apply(line.writes, { before: records.newest, stamp: 0 })
    })
  }
  records.resumeSequence(highestSequence(records))
  return { records, lost }
}

interface Writing {
  readonly newSuffix: () => string
  readonly clockwork: Clockwork
  /** The database that a state is of. */
  readonly savedFrom?: string
}

/** Writes what was salvaged as a new database; a file of this name is replaced once all of it is written. */
export async function writeSalvaged(
  target: string,
  { records }: Salvaged,
  { newSuffix, clockwork, savedFrom }: Writing,
): Promise<void> {
  const meta = {
    format: SNAPSHOT_FORMAT,
    // Not that of a journal which could be a whole database: without this file it is not.
    generation: 1,
    transaction: 0,
    sequence: records.sequence,
    closed: true,
    ...(savedFrom === undefined ? {} : { saved_from: savedFrom }),
  }
  const isWhole = async () => true
  await writeSnapshot({ database: target, suffix: newSuffix() }, records, { meta, clockwork, isWhole })
}

// A snapshot has one record on each line; what begins otherwise is the layout around them.
function readRecord(line: string): Stored | null | 'damaged' {
  const text = line.endsWith(',') ? line.slice(0, -1) : line
  if (/^(\{"meta":|"[a-z_]+":\[\]?$|\]$|"check":)/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    const isRecord = typeof value === 'object' && value !== null && 'id' in value && 'object' in value
    return isRecord ? (value as Stored) : 'damaged'
  } catch {
    return 'damaged'
  }
}

function oldestGeneration(metaLine: string): number {
  try {
    return (JSON.parse(`${metaLine.replace(/,$/, '')}}`) as { meta: SnapshotMeta }).meta.generation
  } catch {
    return 0
  }
}

function generationsIn(names: readonly string[], database: string): number[] {
  const prefix = `${basename(database)}.journal-`
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b)
}

function highestSequence(records: Records): number {
  let highest = 0
  for (const event of records.all('events')) {
    if ('sequence' in event) highest = Math.max(highest, Number(event.sequence))
  }
  return highest
}

function tryTo(work: () => void, onFailure: () => void): void {
  try {
    work()
  } catch {
    onFailure()
  }
}
