import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { journalFile } from '../file/journal.ts'
import { generationsIn } from '../file/journal-files.ts'
import type { Records } from '../memory/records.ts'
import { JournalSalvage } from './salvage-journals.ts'
import { SalvageLedger, type SuspectRecord } from './salvage-ledger.ts'
import { type SalvagedMeta, salvageSnapshot } from './salvage-snapshot.ts'

/** What could and what could not be read of a damaged database. */
export interface Salvaged {
  readonly records: Records
  /** One sentence for each place that could not be read, with file and byte. */
  readonly lost: readonly string[]
  /** Every record that may differ from what the database had. */
  readonly suspect: readonly SuspectRecord[]
}

/**
 * Reads everything that is still readable in a damaged database, without changing any of its files. A record that is
 * neither in `suspect` nor missing is proved by checksums to be the latest state that the database had of it.
 */
export async function salvage(database: string): Promise<Salvaged> {
  const ledger = new SalvageLedger()
  const names = await readdir(dirname(database))
  const found = generationsIn(names, database).sort((a, b) => a - b)
  const hasSnapshot = names.includes(basename(database))
  const meta = hasSnapshot ? await salvageSnapshot(database, ledger) : null
  if (meta === null) noteUnknownStart(database, ledger, { hasSnapshot, first: found[0] })
  // Older ones are in the snapshot already; applied completely and in order, they do no harm either.
  const generations = found.filter((generation) => generation >= (meta?.generation ?? 0))
  const missing = firstMissing(meta, generations)
  if (missing !== null) ledger.loseTransactions(`${journalFile(database, missing)}: the file is missing`)
  const next = meta === null ? firstTransaction(generations) : meta.transaction + 1
  await new JournalSalvage(database, ledger, next).read(generations)
  const { records, lost } = ledger
  records.resumeSequence(highestSequence(records))
  return { records, lost, suspect: ledger.suspects() }
}

// Without the first line of the snapshot nothing says which journals there have to be.
function noteUnknownStart(
  database: string,
  ledger: SalvageLedger,
  { hasSnapshot, first }: { readonly hasSnapshot: boolean; readonly first: number | undefined },
): void {
  if (hasSnapshot) {
    ledger.loseTransactions(
      `${database}: its first line cannot be verified, so a journal may be missing without a trace`,
    )
  } else if (first !== 0) ledger.lost.push(`${database}: the file is missing`)
}

function firstMissing(meta: SalvagedMeta, generations: readonly number[]): number | null {
  if (meta === null) return null
  if (generations.length === 0) return meta.closed ? null : meta.generation
  return generations[0] === meta.generation ? null : meta.generation
}

// The journal of generation 0 begins an empty database.
const firstTransaction = (generations: readonly number[]) => (generations[0] === 0 ? 1 : null)

function highestSequence(records: Records): number {
  let highest = 0
  for (const event of records.all('events')) {
    const sequence = 'sequence' in event ? Number(event.sequence) : 0
    // An unverified event may have any.
    if (Number.isSafeInteger(sequence)) highest = Math.max(highest, sequence)
  }
  return highest
}
