import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type Fields, isFields } from '../../client/fields.ts'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Where a daemon that was started as a child is. */
export interface ChildLocation {
  readonly api_url: string
  readonly checkout_url: string
  readonly api_key: string
  readonly webhook_secret: string
}

export interface ChildDaemon {
  readonly location: ChildLocation
  /** Stops the child and resolves when it has ended. */
  readonly stop: () => Promise<void>
  /** Ends the child at once. */
  readonly kill: () => void
}

/**
 * Runs `paycli serve` with these arguments as a child process and resolves once it answers. It is in a group of its own,
 * so that a ^C at the terminal does not reach it before what uses it has ended; it never outlives this process.
 */
export async function startChildDaemon(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<ChildDaemon> {
  const [, script = ''] = process.argv
  const own = ['serve', '--json', '--log-format', 'silent', '--until-stdin-ends']
  const child = spawn(process.execPath, [script, ...own, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
    env: { ...env },
  })
  const errors: string[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString('utf8')))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { value, done } = await lines.next()
  if (done) {
    await ended
    throw notStarted(errors.join(''))
  }
  return {
    location: JSON.parse(value) as ChildLocation,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
    kill: () => {
      child.kill('SIGKILL')
    },
  }
}

// It was asked for JSON, so that is how it says what is wrong; a crash says it otherwise.
function notStarted(said: string): Error {
  const { type, code, message, hint } = reportIn(said)
  if (type === 'startup_error')
    return new StartupProblem(String(code), `The service did not start: ${message}`)
  const details = typeof hint === 'string' ? { hint } : {}
  return new UsageError(
    'service_not_started',
    `The service did not start: ${message ?? said.trim()}`,
    details,
  )
}

function reportIn(text: string): Fields {
  try {
    const { error } = JSON.parse(text)
    return isFields(error) ? error : {}
  } catch {
    return {}
  }
}
