import { DEFAULT_SANDBOX } from '../domain/sandboxes/sandboxes.ts'
import { loadDatabase, type TornTail } from './file/recovery.ts'
import { getSandboxFile } from './file/sandbox-files.ts'
import type { MemoryRecords } from './memory/memory-records.ts'
import { isDatabaseUrl } from './port/database-url.ts'
import type { replacePostgresContents as WritePostgres } from './postgres/postgres-contents.ts'

/** All records of a sandbox. */
export interface SandboxContents {
  readonly records: MemoryRecords
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
    return loadDatabase(getSandboxFile(database, sandbox), { ...(onProgress && { onProgress }) })
  const { loadPostgresContents } = await import('./postgres/postgres-contents.ts')
  return { records: await loadPostgresContents(database, options), tornTail: null }
}

/** Calls `replacePostgresContents`; importing it dynamically avoids loading the PostgreSQL client for file databases. */
export async function writePostgresContents(...args: Parameters<typeof WritePostgres>): Promise<void> {
  const { replacePostgresContents } = await import('./postgres/postgres-contents.ts')
  return replacePostgresContents(...args)
}
