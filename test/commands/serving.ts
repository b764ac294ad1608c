import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Location } from '../../src/daemon/locator.ts'
import { ROOT } from '../support/root.ts'

/** A real `paycli serve` that answers. */
export interface Serving {
  readonly location: Location
  /** The first line of its stdout. */
  readonly firstLine: string
  readonly pid: number
  /** Resolves with its whole stderr once that matches; rejects when the process ends without such a line. */
  readonly said: (pattern: RegExp) => Promise<string>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Resolves when it has ended, with its exit code or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

/** Starts `paycli serve --json` as a process of its own, on free ports unless told otherwise; resolves when it answers. */
export async function startServing(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const port = args.includes('--port') ? ['--checkout-port', '0'] : ['--port', '0']
  const all = [join(ROOT, 'bin', 'run.js'), 'serve', ...port, '--json', ...args]
  const child = spawn(process.execPath, all, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  const lines = createInterface({ input: child.stdout })
  const [firstLine] = await Promise.race([once(lines, 'line'), ended.then(() => [])])
  if (firstLine === undefined) throw new Error(`paycli serve did not start: ${stderr}`)
  return {
    location: JSON.parse(firstLine) as Location,
    firstLine,
    pid: child.pid ?? 0,
    async said(pattern) {
      const hasEnded = () => child.stderr.readableEnded || child.stderr.destroyed
      while (!pattern.test(stderr) && !hasEnded()) await Promise.race([once(child.stderr, 'data'), ended])
      if (!pattern.test(stderr)) throw new Error(`paycli serve ended and never said ${pattern}: ${stderr}`)
      return stderr
    },
    kill: (signal) => void child.kill(signal),
    ended,
  }
}
