import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { shellCode } from './processes.ts'
import { UsageError } from './usage-error.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The signals of a process that is asked to end. */
export interface HeldSignals {
  /** Which came first, or null. */
  readonly first: () => NodeJS.Signals | null
  /** Calls this at each that comes from now on. */
  readonly onNext: (act: () => void) => void
}

/** Keeps signals from ending this process, as long as it lives: it has to clean up whatever comes. */
export function holdSignals(): HeldSignals {
  let first: NodeJS.Signals | null = null
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      first ??= signal
    })
  }
  return {
    first: () => first,
    onNext: (act) => {
      for (const signal of SIGNALS) process.on(signal, act)
    },
  }
}

/**
 * Runs a command with this one's terminal, passes signals on to it, and resolves with its exit code. `onSpawn` gets what
 * to signal in order to end it: its process, or its process group as a negative number where no terminal is read.
 */
export function runCommand(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  onSpawn?: (target: number) => void,
): Promise<number> {
  const [program = '', ...args] = words
  // At a terminal the command stays in the group that the terminal sends ^C to.
  const isOwnGroup = onSpawn !== undefined && process.stdin.isTTY !== true && process.platform !== 'win32'
  const child = spawn(program, args, { stdio: 'inherit', env, detached: isOwnGroup })
  const target = isOwnGroup ? -(child.pid ?? 0) : (child.pid ?? 0)
  if (child.pid !== undefined) onSpawn?.(target)
  const hand = (signal: NodeJS.Signals) => {
    if (signal === 'SIGINT' && process.stdin.isTTY === true) return
    const isRunning = child.exitCode === null && child.signalCode === null
    if (!(isOwnGroup && isRunning && signalGroup(target, signal))) child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, hand)
  return new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(program, error, env['PATH'])))
    child.once('exit', (code, signal) => resolve(shellCode(code, signal)))
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, hand)
  })
}

/** Signals a process group; returns false if none of it may be signalled. */
function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(group, signal)
  } catch (error) {
    // A command such as sudo runs as another user.
    if (error instanceof Error && 'code' in error && error.code === 'EPERM') return false
    throw error
  }
}

function notStarted(program: string, error: NodeJS.ErrnoException, path: string | undefined): Error {
  const problem = isAbsent(program, error, path) ? 'There is no such command' : error.message
  const hint = 'Give a command as in a shell, such as paycli exec -- npm test'
  return new UsageError('argument_invalid', `'${program}' cannot be run: ${problem}.`, { hint })
}

// The system reports EACCES, too, when no folder of PATH has the program but one of them cannot be entered.
function isAbsent(program: string, { code }: NodeJS.ErrnoException, path = ''): boolean {
  if (code !== 'EACCES' || program.includes('/')) return code === 'ENOENT'
  const candidates = path.split(delimiter).map((folder) => join(folder, program))
  return !candidates.some((file) => existsSync(file) && statSync(file).isFile())
}
