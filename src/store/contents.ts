import { loadDatabase, type Replayed } from './file/recovery.ts'
import type { Records } from './memory/records.ts'
import { isDatabaseUrl } from './port/database-url.ts'
import type { writePostgres as WritePostgres } from './postgres/postgres-contents.ts'

/** What a database holds, and, of a file, how its journal was found. */
export interface Contents {
  readonly records: Records
  readonly replayed: Replayed | null
}

/** Reads all that a database holds, a file or one at a URL, without changing it; it may be in use. */
export async function loadContents(
  database: string,
  onProgress?: (done: number, total: number) => void,
): Promise<Contents> {
  if (!isDatabaseUrl(database)) return loadDatabase(database, onProgress)
  const { loadPostgres } = await import('./postgres/postgres-contents.ts')
  return { records: await loadPostgres(database, onProgress), replayed: null }
}

/** Puts records into the PostgreSQL database of a URL, as `writePostgres`. */
export async function writeContents(...given: Parameters<typeof WritePostgres>): Promise<void> {
  const { writePostgres } = await import('./postgres/postgres-contents.ts')
  return writePostgres(...given)
}
