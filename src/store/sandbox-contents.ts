import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { StartupError } from '../domain/core/startup-error.ts'
import { DEFAULT_SANDBOX } from '../domain/sandboxes/sandboxes.ts'
import { loadDatabase, type TornTail } from './file/recovery.ts'
import { getSandboxFile } from './file/sandbox-files.ts'
import type { MemoryRecords } from './memory/memory-records.ts'
import { isDatabaseUrl } from './port/database-url.ts'
import type {
  LoadPostgresContentsOptions,
  replacePostgresContents as WritePostgres,
} from './postgres/postgres-contents.ts'

/** All records of a sandbox. */
export interface SandboxContents {
  readonly records: MemoryRecords
  /** Start of an incomplete last batch of the journal, or null. */
  readonly tornTail: TornTail | null
}

const MAX_ATTEMPTS = 3

/**
 * Reads all records of a sandbox of a file or PostgreSQL database without changing it; the database may be in use. Throws
 * a StartupError when there is no database.
 */
export async function loadSandboxContents(
  database: string,
  options: LoadPostgresContentsOptions = {},
): Promise<SandboxContents> {
  if (isDatabaseUrl(database)) {
    const { loadPostgresContents } = await import('./postgres/postgres-contents.ts')
    return { records: await loadPostgresContents(database, options), tornTail: null }
  }
  const { sandbox, onProgress } = options
  const file = await findSandboxFile(database, sandbox)
  for (let tries = 1; ; tries += 1) {
    try {
      return await loadDatabase(file, { ...(onProgress && { onProgress }) })
    } catch (error) {
      // A running daemon may replace the files during a checkpoint, so only repeated damage is reported.
      if (tries === MAX_ATTEMPTS) throw error
    }
  }
}

/** Returns the path of the file of a sandbox; throws a StartupError when neither the file nor its journal exists. */
export async function findSandboxFile(database: string, sandbox = DEFAULT_SANDBOX): Promise<string> {
  const file = getSandboxFile(database, sandbox)
  const names = await readdir(dirname(file)).catch(() => [])
  const name = basename(file)
  if (names.some((one) => one === name || one.startsWith(`${name}.journal-`))) return file
  throw new StartupError(
    'database_missing',
    sandbox === DEFAULT_SANDBOX
      ? `There is no database at ${database}. Give the database file with --db <file>.`
      : `${database} does not contain the sandbox ${sandbox}. List the sandboxes with paycli sandboxes list; sandboxes in memory have no file.`,
  )
}

/** Calls `replacePostgresContents`; importing it dynamically avoids loading the PostgreSQL client for file databases. */
export async function writePostgresContents(...args: Parameters<typeof WritePostgres>): Promise<void> {
  const { replacePostgresContents } = await import('./postgres/postgres-contents.ts')
  return replacePostgresContents(...args)
}
