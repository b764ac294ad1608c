import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findSystemErrorCode } from '../errors/error-fields.ts'
import { isOwnProcessRunning } from './processes.ts'
import { tryReadRecord } from './service-discovery.ts'
import { writePrivateFileOrUsageError } from './user-file.ts'

const PREFIX = 'paycli-run-'
const OWNER_FILE = 'owner.json'

/** Creates a home folder for a daemon of this process, and removes the folders of processes that were killed. */
export async function createTemporaryHome(below = tmpdir()): Promise<string> {
  await removeOrphanedHomes(below)
  const home = await mkdtemp(join(below, PREFIX))
  await writePrivateFileOrUsageError(
    join(home, OWNER_FILE),
    JSON.stringify({ pid: process.pid, host: hostname() }),
  )
  return home
}

async function removeOrphanedHomes(below: string): Promise<void> {
  const names = (await readdir(below).catch(emptyWhenForbidden)).filter((name) => name.startsWith(PREFIX))
  for (const name of names) {
    if (await isOrphaned(join(below, name))) await rm(join(below, name), { recursive: true, force: true })
  }
}

// Some temporary folders can only be listed by their owner.
function emptyWhenForbidden(error: unknown): string[] {
  if (findSystemErrorCode(error) === 'EACCES') return []
  throw error
}

async function isOrphaned(home: string): Promise<boolean> {
  const stats = await lstat(home).catch(() => null)
  if (stats?.isDirectory() !== true || stats.uid !== (process.getuid?.() ?? stats.uid)) return false
  // An incomplete file, or a file of another user, names no owner, so that its folder is not removed.
  const { pid, host } = tryReadRecord(join(home, OWNER_FILE)) ?? {}
  // Containers may share this folder, but not their process ids.
  return typeof pid === 'number' && host === hostname() && !isOwnProcessRunning(pid)
}
