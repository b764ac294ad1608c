import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { listJournalGenerations } from '../file/journal-files.ts'
import type { MemoryRecords } from '../memory/memory-records.ts'
import { SalvageCollector, type SuspectRecord } from './salvage-collector.ts'
import { salvageJournals } from './salvage-journals.ts'
import { type SalvagedMeta, salvageSnapshot } from './salvage-snapshot.ts'

/** The records of a damaged database and a report of the damage. */
export interface SalvageResult {
  readonly records: MemoryRecords
  /** One message per problem, with the file and, if known, the byte. */
  readonly lost: readonly string[]
  /** Records whose latest version may be missing. */
  readonly suspect: readonly SuspectRecord[]
}

/**
 * Reads all readable records of a damaged database without changing its files. Checksums prove that a returned record which
 * is not in `suspect` has its latest state.
 */
export async function salvageDatabase(database: string): Promise<SalvageResult> {
  const collector = new SalvageCollector()
  const names = await readdir(dirname(database))
  const found = listJournalGenerations(names, database).sort((a, b) => a - b)
  const hasSnapshot = names.includes(basename(database))
  const meta = hasSnapshot ? await salvageSnapshot(database, collector) : null
  // Without the first line of the snapshot, the set of required journals is unknown.
  if (meta === null && hasSnapshot) {
    collector.reportLostTransactions(
      `${database}: its first line cannot be verified, so a missing journal may go unnoticed`,
    )
  } else if (meta === null && found[0] !== 0) collector.lost.push(`${database}: the file is missing`)
  // Older journals are already in the snapshot. Without the meta line, apply all journals, which is safe in their
  // order.
  const generations = found.filter((generation) => generation >= (meta?.generation ?? 0))
  const missing = findFirstMissing(meta, generations)
  if (missing !== null) collector.reportMissingJournal(database, missing)
  // The journal of generation 0 starts with an empty database.
  const firstOfJournals = generations[0] === 0 ? 1 : null
  const firstTransaction = meta === null ? firstOfJournals : meta.transaction + 1
  await salvageJournals(database, collector, { generations, firstTransaction })
  const { records, lost } = collector
  return { records, lost, suspect: collector.findSuspects() }
}

function findFirstMissing(meta: SalvagedMeta, generations: readonly number[]): number | null {
  if (meta === null) return null
  if (generations.length === 0) return meta.closed ? null : meta.generation
  return generations[0] === meta.generation ? null : meta.generation
}
