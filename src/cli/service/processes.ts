import { readFileSync } from 'node:fs'
import { constants } from 'node:os'

const SIGNAL_EXIT_BASE = 128

/** Returns whether a process runs. Zombie processes do not count. */
export function isOwnProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    // The state is the field after the name of the program, which may contain parentheses.
    return !/\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

/** Returns the exit code that a shell reports for a process: 128 plus the signal number after a signal. */
export function toShellExitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? SIGNAL_EXIT_BASE + (signal === null ? 0 : constants.signals[signal])
}
