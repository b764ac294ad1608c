import { once } from 'node:events'
import { runWithTimeout } from '../../client/timing.ts'
import { type ProcessGroups, waitForOutputEnd } from './process-groups.ts'

export interface ShellCommandOptions {
  readonly env: NodeJS.ProcessEnv
  readonly groups: ProcessGroups
  readonly timeoutMs: number
  /** Kills the command when aborted; the promise then rejects. */
  readonly signal?: AbortSignal | undefined
}

/** The result of a shell command. */
export interface ShellResult {
  /** The exit code; null after a signal or the timeout. */
  readonly code: number | null
  readonly stdout: string
  /** The output on stdout and stderr, in the order in which it was read. */
  readonly output: string
  /** The reason for the failure, such as `exit code 2`; null if the command succeeded. */
  readonly problem: string | null
}

/** Maximum output of a command. A command that prints more is killed, because its output stays in memory. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

/** Runs a command with `sh -c` in a new process group, and kills the group when the command ends or times out. */
export async function runShellCommand(
  command: string,
  { env, groups, timeoutMs, signal }: ShellCommandOptions,
): Promise<ShellResult> {
  signal?.throwIfAborted()
  const child = groups.start(['/bin/sh', '-c', command], env)
  // The `once` call below reports start errors. A later error, such as a failed kill of a process of another user,
  // would end this process if it were unhandled.
  child.on('error', () => {})
  const chunks: Buffer[] = []
  const printed: Buffer[] = []
  let bytes = 0
  const collect = (chunk: Buffer, isStdout: boolean) => {
    bytes += chunk.length
    if (bytes > MAX_OUTPUT_BYTES) return groups.kill(child)
    chunks.push(chunk)
    if (isStdout) printed.push(chunk)
  }
  child.stdout.on('data', (chunk: Buffer) => collect(chunk, true))
  child.stderr.on('data', (chunk: Buffer) => collect(chunk, false))
  const kill = () => groups.kill(child)
  signal?.addEventListener('abort', kill, { once: true })
  try {
    const ended = await runWithTimeout(timeoutMs, (timeout) => once(child, 'exit', { signal: timeout }))
    if (ended !== null) await waitForOutputEnd(child)
    signal?.throwIfAborted()
    const [code = null, endSignal = null]: (number | null)[] = ended ?? []
    const output = { stdout: textOf(printed), output: textOf(chunks) }
    if (bytes > MAX_OUTPUT_BYTES) return { code: null, ...output, problem: 'more than 16 MiB of output' }
    if (ended === null) return { code: null, ...output, problem: `no end within ${timeoutMs / 1000} s` }
    if (code === 0) return { code, ...output, problem: null }
    return { code, ...output, problem: code === null ? `ended by ${endSignal}` : `exit code ${code}` }
  } finally {
    signal?.removeEventListener('abort', kill)
    kill()
  }
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8')
}
