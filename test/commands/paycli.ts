import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../support/root.ts'

/** The result of a run of the command line. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Surroundings {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly stdin?: string
  /** Whether to close stdout after its first bytes, as `head` does. */
  readonly isImpatient?: boolean
}

/** Starts `paycli` as a process without a standard input. */
export function spawnPaycli(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, [join(ROOT, 'bin', 'run.js'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs `paycli` as a process with pipes. */
export function paycli(
  args: readonly string[],
  { env = {}, cwd, stdin = '', isImpatient }: Surroundings = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'run.js'), ...args], {
    env: { ...process.env, ...env },
    cwd,
  })
  const ended = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    ended.stdout += text
    if (isImpatient) child.stdout.destroy()
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    ended.stderr += text
  })
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ ...ended, code }))
  })
}
