import { existsSync } from 'node:fs'
import { StartupError } from '../domain/core/startup-error.ts'
import { getJournalPath } from './file/journal.ts'
import { type LowdbDatabaseOptions, openLowdbDatabase } from './file/lowdb-database.ts'
import { createMemoryDatabase } from './memory/memory-sandboxes.ts'
import type { Database } from './port/database.ts'
import { isDatabaseUrl } from './port/database-url.ts'
import type { PostgresDatabaseOptions } from './postgres/postgres-database.ts'

export type OpenDatabaseOptions = Omit<LowdbDatabaseOptions, 'file'> &
  Pick<PostgresDatabaseOptions, 'pause' | 'sampleClock'> & {
    /** Path of the database file, URL of a PostgreSQL database, or null for the memory store. */
    readonly file: string | null
  }

/** Opens the database selected by the options; the caller closes it. */
export async function openDatabase({
  file,
  sampleClock,
  pause,
  ...options
}: OpenDatabaseOptions): Promise<Database> {
  const { scheduling } = options
  if (file === null) return createMemoryDatabase(scheduling)
  if (!isDatabaseUrl(file)) return openLowdbDatabase({ ...options, file })
  if (options.isReset === true) {
    throw new StartupError(
      'reset_refused',
      '--reset does not apply to a PostgreSQL database, because other processes may use it. For an empty database use another schema, such as ?schema=staging2.',
    )
  }
  // Import the PostgreSQL client dynamically, because this import would slow down the start of other stores.
  const { openPostgresDatabase } = await import('./postgres/postgres-database.ts')
  const { monotonicMs } = scheduling
  return openPostgresDatabase({ url: file, newSuffix: options.newSuffix, sampleClock, pause, monotonicMs })
}

/** Returns whether a path holds a database; a process killed during its first start leaves only the journal. */
export function hasDatabase(file: string): boolean {
  return existsSync(file) || existsSync(getJournalPath(file, 0))
}
