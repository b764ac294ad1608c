import { quoteForShell } from '../../../domain/text/shell-quote.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { runShellCommand, type ShellCommandOptions } from '../../processes/shell-command.ts'
import type { ObservedState } from '../model/run-record.ts'
import type { DeliveryPoint } from '../model/schedule.ts'

/** Maximum total time of the observations of a run, because each delivery waits for an observation. */
const MAX_TOTAL_MS = 1000

/** Returns the state of an app: a shell command, or a function; null if the state is not observed. */
export type StateSource = string | (() => Promise<string>) | null

/** Observes the app. `problem` is the error of the observer, or null. Resolves with null without an observer. */
export async function observeApp(command: StateSource, shell: ShellCommandOptions) {
  if (command === null) return null
  if (typeof command === 'function') return callObserver(command)
  const { stdout, output, problem } = await runShellCommand(command, shell)
  if (problem === null) return { observation: stdout, problem }
  // A failed command differs from a successful command with the same output.
  const observation = `${stdout}(${problem})`
  return { observation, problem: createCommandError('observe', command, { problem, output }) }
}

async function callObserver(observe: () => Promise<string>) {
  try {
    return { observation: await observe(), problem: null }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { observation: `(${error.message})`, problem: error }
  }
}

/** Creates the watch of the states of an app during a scenario. */
export function createStateWatch(command: StateSource, shell: ShellCommandOptions, nowMs: () => number) {
  const states: ObservedState[] = []
  let totalMs = 0
  return {
    states,
    /** Observes the app after a delivery, or before the scenario. */
    async observe(after: DeliveryPoint | null): Promise<void> {
      if (totalMs > MAX_TOTAL_MS) return
      const startedMs = nowMs()
      const observed = await observeApp(command, shell)
      totalMs += nowMs() - startedMs
      if (observed !== null) states.push({ after, observation: observed.observation })
    },
  }
}

/** Returns the error of a shell command of a flag that failed. */
export function createCommandError(
  flag: 'reset' | 'observe',
  command: string,
  { problem, output }: { readonly problem: string; readonly output: string },
): UsageError {
  // In double quotes, the shell of the user has already replaced $PORT.
  const withPort = command.replace(/(localhost|127\.0\.0\.1)(?::\d*)?(?=\/)/, '$1:$PORT')
  const isPortMissing = !command.includes('PORT') && withPort !== command
  return new UsageError(
    'command_failed',
    `The command of --${flag} failed: ${`${problem}\n${output}`.trim()}\n$ ${command}`,
    {
      param: flag,
      hint: isPortMissing
        ? `The command has no $PORT. In double quotes, your shell replaces it, so use single quotes: --${flag} ${quoteForShell(withPort)}`
        : 'It runs with sh -c. The port of the app is in $PORT.',
    },
  )
}
