import { DEFAULT_SANDBOX } from '../domain/sandboxes/sandboxes.ts'
import { loadDatabase, type TornTail } from './file/recovery.ts'
import { sandboxFile } from './file/sandbox-files.ts'
import type { Records } from './memory/records.ts'
import { isDatabaseUrl } from './port/database-url.ts'
import type { writePostgres as WritePostgres } from './postgres/postgres-contents.ts'

/** All records of a sandbox. */
export interface SandboxContents {
  readonly records: Records
  /** Start of an incomplete last batch of the journal, or null. */
  readonly tornTail: TornTail | null
}

export interface LoadSandboxContentsOptions {
  /** The id of a sandbox of the database (default: the default sandbox). */
  readonly sandbox?: string
  /** Called with the processed and the total number of bytes or records. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Reads all records of a sandbox of a file or PostgreSQL database without changing it; the database may be in use. */
export async function loadSandboxContents(
  database: string,
  options: LoadSandboxContentsOptions = {},
): Promise<SandboxContents> {
  const { sandbox = DEFAULT_SANDBOX, onProgress } = options
  if (!isDatabaseUrl(database))
    return loadDatabase(sandboxFile(database, sandbox), { ...(onProgress && { onProgress }) })
  const { loadPostgres } = await import('./postgres/postgres-contents.ts')
  return { records: await loadPostgres(database, options), tornTail: null }
}

/** Calls `writePostgres`; importing it dynamically avoids loading the PostgreSQL client for file databases. */
export async function writePostgresContents(...args: Parameters<typeof WritePostgres>): Promise<void> {
  const { writePostgres } = await import('./postgres/postgres-contents.ts')
  return writePostgres(...args)
}
