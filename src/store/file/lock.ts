import { chmod, lstat, readFile, rm } from 'node:fs/promises'
import { StartupError } from '../../domain/core/startup-error.ts'
import { PRIVATE_FILE_MODE, replaceFile, requireOwnFileIfExists } from '../disk/private-file.ts'
import { loadSqlite } from '../disk/sqlite.ts'

/** The process that holds the lock, for the error message of another process. */
export interface LockHolder {
  readonly pid: number
  readonly url: string
}

const SQLITE_BUSY = 5

export interface DatabaseFileLock {
  readonly file: string
  /** Identifies the locked file, which may differ from the file at its path. */
  readonly identity: { readonly dev: number; readonly ino: number }
  readonly release: () => Promise<void>
}

/**
 * Locks a database for this process. The kernel releases the lock when the process ends, so a crash never leaves a stale
 * lock.
 */
export async function lockDatabase(
  database: string,
  { holder, newSuffix }: { readonly holder: LockHolder; readonly newSuffix: () => string },
): Promise<DatabaseFileLock> {
  const file = `${database}.lock`
  const holderFile = `${file}-holder`
  await requireOwnFileIfExists(file)
  const sqlite = await loadSqlite()
  if (sqlite === null) throw createNodeError()
  const lock = new sqlite.DatabaseSync(file, { open: false })
  let identity: DatabaseFileLock['identity']
  try {
    lock.open()
    await chmod(file, PRIVATE_FILE_MODE)
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    identity = await lstat(file)
    await replaceFile(holderFile, `${JSON.stringify(holder)}\n`, newSuffix())
  } catch (error) {
    if (lock.isOpen) lock.close()
    // The lower 8 bits of an extended SQLite error code are the basic code.
    const isBusy = error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === SQLITE_BUSY
    throw isBusy
      ? createLockedError(database, await readHolder(holderFile))
      : createLockFailedError(file, error)
  }
  return {
    file,
    identity,
    async release() {
      const found = await lstat(file).catch(() => null)
      // If the lock file was replaced, the holder file belongs to the process that locked the new lock file.
      if (found?.dev === identity.dev && found.ino === identity.ino) await rm(holderFile, { force: true })
      lock.close()
    },
  }
}

function createNodeError(): StartupError {
  return new StartupError(
    'node_too_old',
    `A database file needs Node 22.19 or newer, and this is Node ${process.version}. Start paycli with npm start, which uses its own Node, or use the memory store with --memory.`,
  )
}

function createLockedError(database: string, holder: LockHolder | null): StartupError {
  const who =
    holder === null ? 'another process' : `the paycli server with pid ${holder.pid} at ${holder.url}`
  return new StartupError(
    'database_locked',
    `${database} is in use by ${who}. Use that server, or stop it. For a second server, add --memory or name another file with --db.`,
  )
}

function createLockFailedError(file: string, error: unknown): StartupError {
  return new StartupError(
    'lock_failed',
    `Cannot lock ${file}: ${String(error)}. Make sure that the folder is writable, or name another file with --db.`,
  )
}

async function readHolder(file: string): Promise<LockHolder | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LockHolder
  } catch {
    // Ignore an unreadable holder file, because it only improves the error message.
    return null
  }
}
