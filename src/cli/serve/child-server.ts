import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { isJsonObject, parseJson } from '../../domain/core/json-object.ts'
import { StartupError } from '../../domain/core/startup-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { StartedServer } from './started-server.ts'

/**
 * Runs `paycli serve` as a child process and waits until it is ready. The child has its own process group, so that ^C
 * does not end the child while this process uses it. The child stops when this process ends.
 */
export async function startChildServer(args: readonly string[], env: NodeJS.ProcessEnv) {
  const [, script = ''] = process.argv
  const fixedArgs = ['serve', '--json', '--log-format', 'silent', '--until-stdin-ends']
  const child = spawn(process.execPath, [script, ...fixedArgs, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
    env,
  })
  const errors: string[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString('utf8')))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { value, done } = await lines.next()
  if (done) {
    await ended
    throw startError(errors.join(''))
  }
  return {
    location: JSON.parse(value) as StartedServer,
    /** Stops the child and waits until it has ended. */
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      await ended
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

// With --json, the daemon prints errors as JSON. A crash prints other text.
function startError(stderr: string): Error {
  const report = parseJson(stderr)
  const error = isJsonObject(report) ? report['error'] : null
  const { type, code, message, hint } = isJsonObject(error) ? error : {}
  if (type === 'startup_error') return new StartupError(String(code), `The server did not start: ${message}`)
  const text = `The server did not start: ${message ?? stderr.trim()}`
  return new UsageError('service_not_started', text, typeof hint === 'string' ? { hint } : {})
}
