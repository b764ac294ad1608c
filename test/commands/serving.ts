import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { DaemonLocation } from '../../src/daemon/locator.ts'
import { spawnPaycli } from './paycli.ts'

/** A running `paycli serve` process. */
export interface Serving {
  readonly location: DaemonLocation
  /** The first line of stdout. */
  readonly firstLine: string
  readonly pid: number
  /** Resolves with all of stderr once it matches; rejects if the process ends first. */
  readonly waitForStderr: (pattern: RegExp) => Promise<string>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Resolves with the exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

/** Starts `paycli serve --json` as a process (default: on free ports); resolves when it is ready. */
export async function startServing(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const port = args.includes('--port') ? ['--checkout-port', '0'] : ['--port', '0']
  const child = spawnPaycli(['serve', ...port, '--json', ...args], env)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  const lines = createInterface({ input: child.stdout })
  const [firstLine] = await Promise.race([once(lines, 'line'), ended.then(() => [])])
  if (firstLine === undefined) throw new Error(`paycli serve did not start: ${stderr}`)
  return {
    location: JSON.parse(firstLine) as DaemonLocation,
    firstLine,
    pid: child.pid ?? 0,
    async waitForStderr(pattern) {
      const hasEnded = () => child.stderr.readableEnded || child.stderr.destroyed
      while (!pattern.test(stderr) && !hasEnded()) await Promise.race([once(child.stderr, 'data'), ended])
      if (!pattern.test(stderr))
        throw new Error(`paycli serve ended before stderr matched ${pattern}: ${stderr}`)
      return stderr
    },
    kill: (signal) => void child.kill(signal),
    ended,
  }
}
