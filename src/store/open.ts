import { existsSync } from 'node:fs'
import { StartupProblem } from '../domain/startup-problem.ts'
import { journalFile } from './file/journal.ts'
import { type LowdbOptions, openLowdbStore } from './file/lowdb.ts'
import { createMemoryStore } from './memory/memory.ts'
import { isDatabaseUrl } from './port/database-url.ts'
import type { MeasureTime, Store } from './port/store.ts'

export type StoreOptions = Omit<LowdbOptions, 'file'> & {
  /** Path of the database file or URL of a PostgreSQL database, or null to keep everything in memory only. */
  readonly file: string | null
  /** Waits for some milliseconds before a server that gives no more connections is asked again. */
  readonly pause?: (ms: number) => Promise<void>
  /** Measures the clock of a database that several processes share. */
  readonly measureTime?: MeasureTime
}

/** Opens the store that the options name; the caller closes it. */
export async function openStore({ file, measureTime, pause, ...options }: StoreOptions): Promise<Store> {
  if (file === null) return createMemoryStore()
  if (!isDatabaseUrl(file)) return openLowdbStore({ ...options, file })
  if (options.isReset === true) {
    throw new StartupProblem(
      'reset_refused',
      'A PostgreSQL database may be shared, so --reset leaves it alone. Begin anew in another schema, such as ?schema=staging2.',
    )
  }
  // Whoever has no PostgreSQL need not load its client.
  const { openPostgresStore } = await import('./postgres/postgres.ts')
  return openPostgresStore({
    newSuffix: options.newSuffix,
    ...(options.onNote === undefined ? {} : { onNote: options.onNote }),
    url: file,
    ...(measureTime === undefined ? {} : { measureTime }),
    ...(pause === undefined ? {} : { pause }),
  })
}

/** Whether there is a database at this path; one that was killed early is a journal alone. */
export function hasDatabase(file: string): boolean {
  return existsSync(file) || existsSync(journalFile(file, 0))
}
