import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { runWithTimeout } from '../../client/timing.ts'
import { findSystemErrorCode } from '../errors/error-fields.ts'

export type ProcessGroups = ReturnType<typeof createProcessGroups>

/** Maximum wait for the output of an ended process, because its background processes may keep the output open. */
const OUTPUT_GRACE_MS = 200

/**
 * Creates an empty set of process groups. After each change, `onChange` receives the negative ids of the remaining
 * groups.
 */
export function createProcessGroups(onChange: (...groups: number[]) => void) {
  const children = new Set<ChildProcess>()
  const report = () => onChange(...[...children].map(({ pid = 0 }) => -pid))

  /** Kills the group of a child process, with all remaining processes of the group. */
  function kill(child: ChildProcess): void {
    if (!children.delete(child)) return
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch (error) {
      // All processes of the group have ended, or this system has no process groups.
      if (findSystemErrorCode(error) !== 'ESRCH' || process.platform === 'win32') child.kill('SIGKILL')
    }
    report()
  }

  return {
    /** Starts a program with its arguments in a new process group. */
    start([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv) {
      const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
      if (child.pid !== undefined) {
        children.add(child)
        report()
      }
      return child
    },
    kill,
    killAll() {
      for (const child of children) kill(child)
    },
  }
}

/** Waits for the last output of a process that has ended. */
export async function waitForOutputEnd({
  stdout,
  stderr,
}: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
  await runWithTimeout(OUTPUT_GRACE_MS, (signal) =>
    Promise.allSettled([finished(stdout, { signal }), finished(stderr, { signal })]),
  )
}
