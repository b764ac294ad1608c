import type { ChildProcess } from 'node:child_process'
import { errorCode } from '../../errors/error-fields.ts'

/** The process groups that an exploration started: the app and the commands of the user. */
export interface ProcessGroups {
  /** Adds the group of a child process that was spawned with `detached`. */
  readonly add: (child: ChildProcess) => void
  /** Kills the group of a child process, with all processes that are still in it. */
  readonly kill: (child: ChildProcess) => void
  readonly killAll: () => void
}

/** Creates an empty set of process groups. `onChange` gets the groups as negative numbers after each change. */
export function createProcessGroups(onChange: (...groups: number[]) => void): ProcessGroups {
  const children = new Set<ChildProcess>()
  const report = () => onChange(...[...children].map(({ pid = 0 }) => -pid))

  function kill(child: ChildProcess): void {
    if (!children.delete(child)) return
    killGroup(child)
    report()
  }

  return {
    add(child) {
      if (child.pid === undefined) return
      children.add(child)
      report()
    },
    kill,
    killAll() {
      for (const child of children) kill(child)
    },
  }
}

function killGroup(child: ChildProcess): void {
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
  } catch (error) {
    // All processes of the group have ended, or this system has no groups.
    if (errorCode(error) !== 'ESRCH' || process.platform === 'win32') child.kill('SIGKILL')
  }
}
