import { join } from 'node:path'
import type { ScenarioRunner } from '../../../../src/cli/explore/model/run-record.ts'
import {
  openScenarioRunner,
  type ScenarioRunnerOptions,
} from '../../../../src/cli/explore/run/scenario-runner.ts'
import type { TestDaemon } from '../../../support/daemon.ts'
import { newFolder } from '../../../support/folders.ts'
import { ROOT } from '../../../support/root.ts'

/** Ends a run as soon as the app is quiet. Without this option, a run also measures the background work of the app. */
export const QUIET = { isExpected: () => true }

export const TINY_APP = [process.execPath, join(ROOT, 'dist', 'test', 'cli', 'explore', 'tiny-app.js')]
/** A scenario that buys once; it repeats a purchase that fails. */
export const BUY = 'curl -s --retry 20 --retry-delay 0 --retry-all-errors -f localhost:$PORT/buy'

export type TinyAppOptions = Partial<Omit<ScenarioRunnerOptions, 'commands'>> & {
  readonly traits?: string
  readonly commands?: Partial<ScenarioRunnerOptions['commands']>
}

function open(
  { location: { api_url, api_key } }: TestDaemon,
  { traits = '', commands = {}, ...given }: TinyAppOptions,
): Promise<ScenarioRunner> {
  const database = join(newFolder(), 'rows.txt')
  return openScenarioRunner({
    ...{
      flags: { sandbox: true, 'api-base': api_url, 'api-key': api_key },
      nowMs: Date.now,
      command: TINY_APP,
    },
    ...{ env: { ...process.env, DATABASE: database, TINY_APP: traits }, portSeed: process.pid },
    ...{ scenario: { command: BUY }, forwardTo: '/webhooks', ...given },
    commands: {
      ...{ observe: 'curl -sf localhost:$PORT/orders', expect: null, reset: `rm -f ${database}` },
      ...commands,
    },
  })
}

/** Runs `use` with a runner of the tiny app, in sandboxes of a server, and closes it at the end. */
export async function withTinyApp<T>(
  daemon: TestDaemon,
  given: TinyAppOptions,
  use: (runner: ScenarioRunner) => Promise<T>,
): Promise<T> {
  const runner = await open(daemon, given)
  return use(runner).finally(runner.close)
}
