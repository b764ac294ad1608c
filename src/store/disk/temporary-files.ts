import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Matches the end of a name from `getTemporaryPath`; the group is the id of the process that writes the file. */
const TEMPORARY_FILE = /\.(\d{1,10})-\w+\.tmp$/

/**
 * Deletes the temporary files of killed processes in a folder. Call it before this process writes there: it also
 * deletes files with the id of this process, which restarted containers often reuse.
 */
export async function removeLeftoverTemporaries(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(TEMPORARY_FILE.exec(name)?.[1] ?? 0)
    const isLeftover = pid > 0 && (pid === process.pid || !isProcessRunning(pid))
    if (isLeftover) await rm(join(folder, name), { force: true })
  }
}

/** Returns whether a process is running, even if it belongs to another user. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
