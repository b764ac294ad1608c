import { existsSync } from 'node:fs'
import { StartupError } from '../domain/core/startup-error.ts'
import { DEFAULT_SANDBOX } from '../domain/sandboxes/sandboxes.ts'
import { checkInvariants, INVARIANTS } from '../engine/invariants.ts'
import { DatabaseDamagedError } from '../store/disk/database-errors.ts'
import { rejectForeignDatabaseFile } from '../store/file/database-format.ts'
import { writeSnapshot } from '../store/file/snapshot-writer.ts'
import type { MemoryRecords } from '../store/memory/memory-records.ts'
import { COLLECTION_NAMES } from '../store/port/collections.ts'
import { findPlainTextWarning, formatDatabaseName, isDatabaseUrl } from '../store/port/database-url.ts'
import type { SuspectRecord } from '../store/salvage/salvage-collector.ts'
import { salvageDatabase } from '../store/salvage/salvage-database.ts'
import { findSandboxFile, loadSandboxContents } from '../store/sandbox-contents.ts'
import { monotonicMs } from './system/clock.ts'
import { createIdGenerators } from './system/ids.ts'
import { waitForNextTurn } from './system/task-scheduling.ts'

/** The result of checking a database. */
export interface DatabaseDiagnosis {
  readonly database: string
  /** Number of records by collection; empty collections are omitted. */
  readonly records: Readonly<Record<string, number>>
  /** Number of invariants checked. */
  readonly rules: number
  /** One sentence for each violated invariant or damaged file. */
  readonly problems: readonly string[]
  /** Warnings that do not affect the data. */
  readonly notes: readonly string[]
}

/** Checks the files of a sandbox and all invariants of its records. Changes nothing, so the database may be in use. */
export async function checkDatabase(
  database: string,
  onProgress: (done: number, total: number) => void,
  sandbox = DEFAULT_SANDBOX,
): Promise<DatabaseDiagnosis> {
  const warning = isDatabaseUrl(database) ? findPlainTextWarning(database) : null
  const warnings = warning === null ? [] : [warning]
  try {
    const { records, tornTail } = await loadSandboxContents(database, { onProgress, sandbox })
    const notes = tornTail === null ? warnings : [describeUnfinishedWrite(tornTail), ...warnings]
    return { ...diagnose(formatDatabaseName(database), records), notes }
  } catch (error) {
    if (!(error instanceof DatabaseDamagedError)) throw error
    return { database, records: {}, rules: 0, problems: [error.message], notes: [] }
  }
}

function diagnose(database: string, contents: MemoryRecords): Omit<DatabaseDiagnosis, 'notes'> {
  const { records, sequence } = contents.capture()
  const counts = Object.entries(records).map(([name, all]) => [name, all.length] as const)
  return {
    database,
    records: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    rules: Object.keys(INVARIANTS).length,
    problems: checkInvariants({ now: 0, checkoutUrl: null, sequence, records }),
  }
}

function describeUnfinishedWrite({ file, byte }: { readonly file: string; readonly byte: number }): string {
  return `${file} ends at byte ${byte} with an incomplete write, which was never acknowledged. Either a server is writing it, or a crash interrupted it and the next start moves it to a separate file.`
}

/** The result of salvaging a database. */
export interface SalvageReport {
  readonly target: string
  readonly saved: number
  readonly lost: readonly string[]
  /** The salvaged records that may be outdated or incomplete. */
  readonly suspect: readonly SuspectRecord[]
}

/** Copies all readable records of a damaged sandbox into a new database; does not change the old files. */
export async function salvageIntoFile(
  database: string,
  target: string,
  sandbox = DEFAULT_SANDBOX,
): Promise<SalvageReport> {
  const file = await findSandboxFile(database, sandbox)
  if (existsSync(target)) {
    throw new StartupError(
      'target_exists',
      `${target} already exists. Name a new file for the salvaged records.`,
    )
  }
  await rejectForeignDatabaseFile(file)
  const { records, lost, suspect } = await salvageDatabase(file)
  await writeSnapshot(target, records, createSnapshotOptions())
  return { target, saved: countRecords(records), lost, suspect }
}

/** Returns the options with which this process writes a snapshot. */
export function createSnapshotOptions() {
  const scheduling = { yieldToEventLoop: waitForNextTurn, monotonicMs }
  return { newSuffix: createIdGenerators().newToken, scheduling }
}

/** Returns the number of records in all collections. */
export function countRecords(records: MemoryRecords): number {
  return COLLECTION_NAMES.reduce((sum, name) => sum + records.count(name), 0)
}
