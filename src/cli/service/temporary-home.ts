import { spawn } from 'node:child_process'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFields } from '../../client/fields.ts'
import { readOwnFile, writeOwnFile } from './own-file.ts'
import { isProcessRunning } from './processes.ts'

const PREFIX = 'paycli-run-'
const OWNER = 'owner.json'

// Reads one line per process or group to end, and `done` when there is nothing left to clean up. Standard input ends
// before that when the process that started it was killed. A group is a negative number.
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

/** What removes a temporary home folder, and ends the command that uses it, when this process is killed. */
export interface HomeGuard {
  /** Names the process to end, or with a negative number the process group. */
  readonly watch: (target: number) => void
  /** Ends the guard: there is nothing left to clean up. */
  readonly release: () => void
}

/** Starts a guard for a home folder. Where there is no POSIX shell, nothing guards it. */
export function guardHome(home: string): HomeGuard {
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'paycli-guard', home], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // In a group of its own, so that whatever kills the group of this process does not kill it, too.
    detached: true,
  })
  // Without a shell, or when it was killed as well, the next start cleans up.
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  guard.unref()
  return {
    watch: (target) => void guard.stdin.write(`${target}\n`),
    release: () => void guard.stdin.end('done\n'),
  }
}

/** Makes a home folder for a service of this process, and removes those of processes that were killed with their guards. */
export async function makeTemporaryHome(below = tmpdir()): Promise<string> {
  await removeLeftHomes(below)
  const home = await mkdtemp(join(below, PREFIX))
  await writeOwnFile(join(home, OWNER), JSON.stringify({ pid: process.pid, host: hostname() }))
  return home
}

async function removeLeftHomes(below: string): Promise<void> {
  const names = (await readdir(below).catch(noneWhenSecret)).filter((name) => name.startsWith(PREFIX))
  for (const name of names) {
    if (await isLeft(join(below, name))) await rm(join(below, name), { recursive: true, force: true })
  }
}

// A folder for temporary files may be one that only its owner may list.
function noneWhenSecret(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'EACCES') return []
  throw error
}

async function isLeft(home: string): Promise<boolean> {
  const stats = await lstat(home).catch(() => null)
  if (stats?.isDirectory() !== true || stats.uid !== (process.getuid?.() ?? stats.uid)) return false
  const { pid, host } = ownerOf(home)
  // Containers may share this folder, but not their process numbers.
  return typeof pid === 'number' && host === hostname() && !isProcessRunning(pid)
}

function ownerOf(home: string): Readonly<Record<string, unknown>> {
  try {
    const owner: unknown = JSON.parse(readOwnFile(join(home, OWNER)) ?? '{}')
    return isFields(owner) ? owner : {}
  } catch {
    // Half written, or not ours: then it is not ours to remove.
    return {}
  }
}
