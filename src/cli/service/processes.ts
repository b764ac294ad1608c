import { readFileSync } from 'node:fs'
import { constants } from 'node:os'

// What shells add to the number of the signal that ended a process.
const EXIT_AFTER_SIGNALS = 128

/** Whether a process still does anything; one that has ended and that nobody asked about yet does not. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    // Linux tells the state behind the name, which may hold anything, a parenthesis too.
    return !/\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

/** The exit code that a shell gives for a process that ended so. */
export function shellCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? EXIT_AFTER_SIGNALS + (signal === null ? 0 : constants.signals[signal])
}
