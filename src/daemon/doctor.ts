import { access, readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { StartupProblem } from '../domain/startup-problem.ts'
import type { Snapshot } from '../engine/invariants/snapshot.ts'
import { checkInvariants, INVARIANTS } from '../engine/invariants.ts'
import { loadContents } from '../store/contents.ts'
import { DatabaseDamaged } from '../store/disk/corruption-error.ts'
import { refuseForeign } from '../store/file/database-kind.ts'
import { writeWholeSnapshot } from '../store/file/whole-snapshot.ts'
import type { Records } from '../store/memory/records.ts'
import { COLLECTION_NAMES } from '../store/port/collections.ts'
import { isDatabaseUrl, nameOfDatabase, plainTextWarning } from '../store/port/database-url.ts'
import { salvage } from '../store/salvage/salvage.ts'
import type { SuspectRecord } from '../store/salvage/salvage-ledger.ts'
import { createIds } from './ids.ts'
import { nextTurn } from './ticker.ts'

/** What an examination of a database found. */
export interface Diagnosis {
  readonly database: string
  /** How many records each collection holds; those with none are left out. */
  readonly records: Readonly<Record<string, number>>
  /** How many rules were checked against all of them. */
  readonly rules: number
  /** Each broken rule or damaged place, in a sentence. */
  readonly problems: readonly string[]
  /** What is worth knowing and no problem. */
  readonly notes: readonly string[]
}

const MAX_TRIES = 3

/** Checks a database's files and all rules on what they hold, without changing anything; it may be in use. */
export async function examine(
  database: string,
  onProgress: (done: number, total: number) => void,
): Promise<Diagnosis> {
  if (!isDatabaseUrl(database)) await requireDatabase(database)
  const warning = isDatabaseUrl(database) ? plainTextWarning(database) : null
  const warnings = warning === null ? [] : [warning]
  for (let tries = 1; ; tries += 1) {
    try {
      const { records, replayed } = await loadContents(database, onProgress)
      const torn = replayed?.torn ?? null
      return {
        ...diagnose(nameOfDatabase(database), records),
        notes: [...(torn === null ? [] : [unfinished(torn)]), ...warnings],
      }
    } catch (error) {
      // A daemon that is compacting exchanges files while they are read: look again before believing it.
      if (tries === MAX_TRIES && error instanceof DatabaseDamaged) return damaged(database, error)
      if (tries === MAX_TRIES || isDatabaseUrl(database)) throw error
    }
  }
}

function diagnose(database: string, records: Records): Omit<Diagnosis, 'notes'> {
  const all = Object.fromEntries(COLLECTION_NAMES.map((name) => [name, [...records.all(name)]]))
  const snapshot: Snapshot = {
    now: 0,
    checkoutUrl: null,
    sequence: records.sequence,
    records: all as unknown as Snapshot['records'],
  }
  const counts = Object.entries(all).map(([name, list]) => [name, list.length] as const)
  return {
    database,
    records: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    rules: Object.keys(INVARIANTS).length,
    problems: checkInvariants(snapshot),
  }
}

function damaged(database: string, { message }: DatabaseDamaged): Diagnosis {
  return { database, records: {}, rules: 0, problems: [message], notes: [] }
}

function unfinished({ file, byte }: { readonly file: string; readonly byte: number }): string {
  return `${file} ends at byte ${byte} with a write that was not acknowledged: a running daemon's, or one cut short by a crash, which the next start sets aside.`
}

/** What a salvage brought back. */
export interface SalvageReport {
  readonly target: string
  readonly saved: number
  readonly lost: readonly string[]
  /** Every saved record that may differ from what the database had. */
  readonly suspect: readonly SuspectRecord[]
}

/** Copies all that is still readable of a damaged database into a new one; the old files stay as they are. */
export async function salvageInto(database: string, target: string): Promise<SalvageReport> {
  await requireDatabase(database)
  if (await exists(target)) {
    throw new StartupProblem(
      'target_exists',
      `${target} exists already. Name a new file for what is salvaged.`,
    )
  }
  await refuseForeign(database)
  const { records, lost, suspect } = await salvage(database)
  await writeWholeSnapshot(target, records, {
    newSuffix: createIds().newToken,
    clockwork: { pause: nextTurn, monotonicMs: () => performance.now() },
  })
  const saved = COLLECTION_NAMES.reduce((sum, name) => sum + records.count(name), 0)
  return { target, saved, lost, suspect }
}

/** Refuses a path at which there is no database. */
export async function requireDatabase(database: string): Promise<void> {
  const names = await readdir(dirname(database)).catch(() => [])
  const name = basename(database)
  if (names.some((one) => one === name || one.startsWith(`${name}.journal-`))) return
  throw new StartupProblem(
    'database_missing',
    `There is no database at ${database}. Name one with --db <file>.`,
  )
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file)
    return true
  } catch {
    return false
  }
}
