import { spawn } from 'node:child_process'
import { shellCode } from './processes.ts'
import { UsageError } from './usage-error.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Keeps signals from ending this process; what it gives back lets go of them, and tells which came first or null. */
export function holdSignals(): () => NodeJS.Signals | null {
  let first: NodeJS.Signals | null = null
  const note = (signal: NodeJS.Signals) => {
    first ??= signal
  }
  for (const signal of SIGNALS) process.on(signal, note)
  return () => {
    for (const signal of SIGNALS) process.off(signal, note)
    return first
  }
}

/** Runs a command with this one's terminal, hands signals on to it, and resolves with its exit code. */
export function runCommand(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [program = '', ...args] = words
  const child = spawn(program, args, { stdio: 'inherit', env })
  const hand = (signal: NodeJS.Signals) => {
    // A terminal tells its whole group of ^C by itself.
    if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, hand)
  return new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(program, error)))
    child.once('exit', (code, signal) => resolve(shellCode(code, signal)))
  }).finally(() => {
    for (const signal of SIGNALS) process.off(signal, hand)
  })
}

function notStarted(program: string, error: NodeJS.ErrnoException): Error {
  const problem = error.code === 'ENOENT' ? 'There is no such command' : error.message
  const hint = 'Give a command as in a shell, such as paycli exec -- npm test'
  return new UsageError('argument_invalid', `'${program}' cannot be run: ${problem}.`, { hint })
}
