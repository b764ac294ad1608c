import { loadDatabase, type TornTail } from './file/recovery.ts'
import type { Records } from './memory/records.ts'
import { isDatabaseUrl } from './port/database-url.ts'
import type { writePostgres as WritePostgres } from './postgres/postgres-contents.ts'

/** All records of a database. */
export interface DatabaseContents {
  readonly records: Records
  /** Start of an incomplete last write of a file, or null. */
  readonly tornTail: TornTail | null
}

/** Reads all records of a file or PostgreSQL database without changing it; the database may be in use. */
export async function loadDatabaseContents(
  database: string,
  onProgress?: (done: number, total: number) => void,
): Promise<DatabaseContents> {
  if (!isDatabaseUrl(database)) return loadDatabase(database, onProgress)
  const { loadPostgres } = await import('./postgres/postgres-contents.ts')
  return { records: await loadPostgres(database, onProgress), tornTail: null }
}

/** Calls `writePostgres`; importing it dynamically avoids loading the PostgreSQL client for file databases. */
export async function writePostgresContents(...args: Parameters<typeof WritePostgres>): Promise<void> {
  const { writePostgres } = await import('./postgres/postgres-contents.ts')
  return writePostgres(...args)
}
