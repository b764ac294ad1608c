import { spawn } from 'node:child_process'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type JsonObject, parseJson } from '../../client/json-object.ts'
import { errorCode } from '../errors/error-fields.ts'
import { isProcessRunning } from './processes.ts'
import { readUserFile, writeUserFile } from './user-file.ts'

const PREFIX = 'paycli-run-'
const OWNER_FILE = 'owner.json'

// Reads from standard input the process to end (a group as a negative number), or `done` when nothing is left to clean up.
// When the process that started the guard is killed, standard input ends before `done`.
const SCRIPT = `
target=
while read -r line; do
  if [ "$line" = done ]; then exit 0; fi
  target=$line
done
if [ -n "$target" ]; then
  kill -s TERM -- "$target"
  for second in 1 2 3; do
    kill -s 0 -- "$target" || break
    sleep 1
  done
  kill -s KILL -- "$target"
fi
rm -rf -- "$1"
`

/** A process that removes a temporary home folder and ends the command that uses it when this process is killed. */
export interface HomeGuard {
  /** Sets the process to end. A negative number is a process group. */
  readonly watch: (target: number) => void
  /** Ends the guard without cleaning up. */
  readonly release: () => void
}

/** Starts the guard of a home folder. Without a POSIX shell it does nothing. */
export function startHomeGuard(home: string): HomeGuard {
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'paycli-guard', home], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A separate process group, so that a signal to the group of this process does not end the guard.
    detached: true,
  })
  // Without a guard, the next createTemporaryHome cleans up.
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  guard.unref()
  return {
    watch: (target) => void guard.stdin.write(`${target}\n`),
    release: () => void guard.stdin.end('done\n'),
  }
}

/** Creates a home folder for a daemon of this process, and removes the folders of processes that were killed. */
export async function createTemporaryHome(below = tmpdir()): Promise<string> {
  await removeOrphanedHomes(below)
  const home = await mkdtemp(join(below, PREFIX))
  await writeUserFile(join(home, OWNER_FILE), JSON.stringify({ pid: process.pid, host: hostname() }))
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
  if (errorCode(error) === 'EACCES') return []
  throw error
}

async function isOrphaned(home: string): Promise<boolean> {
  const stats = await lstat(home).catch(() => null)
  if (stats?.isDirectory() !== true || stats.uid !== (process.getuid?.() ?? stats.uid)) return false
  const { pid, host } = readOwner(home)
  // Containers may share this folder, but not their process ids.
  return typeof pid === 'number' && host === hostname() && !isProcessRunning(pid)
}

// Empty for a file that is incomplete or belongs to another user: its folder must not be removed.
function readOwner(home: string): JsonObject {
  try {
    const owner = parseJson(readUserFile(join(home, OWNER_FILE)) ?? '')
    return isJsonObject(owner) ? owner : {}
  } catch {
    return {}
  }
}
