import { chmod, lstat, readFile, rm } from 'node:fs/promises'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { PRIVATE_FILE_MODE, refusePlanted, replaceFile } from '../disk/private-file.ts'

/** Who holds a database, for the message of whoever comes second. */
export interface LockHolder {
  readonly pid: number
  readonly url: string
}

const SQLITE_BUSY = 5

export interface Lock {
  readonly file: string
  /** Which file is locked, whatever lies at its path. */
  readonly identity: { readonly dev: number; readonly ino: number }
  readonly release: () => Promise<void>
}

/**
 * Takes a database for this process alone. The kernel frees the lock when the process ends, however it ends, so a
 * crash or a sleeping machine never leaves a stale one.
 */
export async function lockDatabase(
  database: string,
  { holder, newSuffix }: { readonly holder: LockHolder; readonly newSuffix: () => string },
): Promise<Lock> {
  const file = `${database}.lock`
  const holderFile = `${file}-holder`
  await refusePlanted(file)
  const { DatabaseSync } = await loadSqlite()
  const held = new DatabaseSync(file, { open: false })
  let identity: Lock['identity']
  try {
    held.open()
    await chmod(file, PRIVATE_FILE_MODE)
    held.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    identity = await lstat(file)
    await replaceFile(holderFile, `${JSON.stringify(holder)}\n`, newSuffix())
  } catch (error) {
    if (held.isOpen) held.close()
    // The upper bits only say why it is busy.
    const isTaken =
      error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === SQLITE_BUSY
    throw isTaken ? databaseLocked(database, await readHolder(holderFile)) : lockFailed(file, error)
  }
  return {
    file,
    identity,
    async release() {
      const found = await lstat(file).catch(() => null)
      // Another process may have locked a file that was put in place of ours: what lies beside it is its own.
      if (found?.dev === identity.dev && found.ino === identity.ino) await rm(holderFile, { force: true })
      held.close()
    },
  }
}

async function loadSqlite(): Promise<typeof import('node:sqlite')> {
  const { emitWarning } = process
  try {
    // Node 22 warns of it, to whoever starts the service; what is used of it is the same in all versions.
    process.emitWarning = () => {}
    return await import('node:sqlite')
  } catch {
    throw new StartupProblem(
      'node_too_old',
      `A database file needs Node 22.19 or newer, and this is Node ${process.version}. Start paycli with npm start, which brings its own Node, or keep everything in memory with --memory.`,
    )
  } finally {
    process.emitWarning = emitWarning
  }
}

function databaseLocked(database: string, holder: LockHolder | null): StartupProblem {
  const who =
    holder === null ? 'another process' : `the paycli daemon with pid ${holder.pid} at ${holder.url}`
  return new StartupProblem(
    'database_locked',
    `${database} is in use by ${who}. Use that one, stop it, or name another file with --db.`,
  )
}

function lockFailed(file: string, error: unknown): StartupProblem {
  return new StartupProblem(
    'lock_failed',
    `${file} cannot be locked: ${String(error)}. Make sure that the folder can be written to, or name another file with --db.`,
  )
}

async function readHolder(file: string): Promise<LockHolder | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LockHolder
  } catch {
    // It is only for the message; the lock itself is what counts.
    return null
  }
}
