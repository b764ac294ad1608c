import { resolve } from 'node:path'
import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { removeDatabasePasswords } from '../src/cli/databases/app-database.ts'
import type { ExplorationResult } from '../src/cli/explore/exploration.ts'
import { explore } from '../src/cli/explore/explore.ts'
import {
  exploreFlags,
  globalExploreFlags,
  readFindingsToReplay,
  requireScenario,
} from '../src/cli/explore/explore-flags.ts'
import { renderReplayFile } from '../src/cli/explore/replay-file.ts'
import { toExplorationJson } from '../src/cli/explore/report/exploration-json.ts'
import { createExplorationDisplay } from '../src/cli/explore/report/explore-progress.ts'
import { toJUnit } from '../src/cli/explore/report/junit.ts'
import { printReport } from '../src/cli/explore/report/print-report.ts'
import { formatExploration } from '../src/cli/explore/report/report.ts'
import { createObservation } from '../src/cli/explore/run/database-observer.ts'
import { readScenario } from '../src/cli/explore/run/scenario.ts'
import { openScenarioRunner } from '../src/cli/explore/run/scenario-runner.ts'
import { splitAtDoubleDash } from '../src/cli/fixtures/child-command.ts'
import { EXIT_CODES } from '../src/cli/output/exit-codes.ts'
import { toShellCommand } from '../src/cli/output/shell-command.ts'
import { parseDurationSeconds } from '../src/cli/parse/duration.ts'
import { textArg } from '../src/cli/parse/flag-builders.ts'
import { type FlagValues, findFlagText } from '../src/cli/parse/params.ts'
import { runInterruptibly } from '../src/cli/serve/interrupts.ts'
import { writePrivateFileOrUsageError } from '../src/cli/service/user-file.ts'
import type { ViewOptions } from '../src/cli/views/view-options.ts'
import { systemClock } from '../src/daemon/system/clock.ts'

/** A parsed command line. */
interface ExploreInput {
  readonly scenario: string
  readonly flags: FlagValues
  readonly own: readonly string[]
  /** The command that starts the app, with its arguments. */
  readonly command: readonly string[]
}

export default class Explore extends BaseCommand {
  static override summary = 'Find faults that break your integration'
  static override description =
    'Runs a scenario with your app, first without faults, then repeatedly with faults. Faults are webhooks that arrive twice, late, out of order or before the API response, lost responses, API errors and a killed app. Each run has a new sandbox and starts the app anew with PAYCLI_API_BASE, PAYCLI_API_KEY, PAYCLI_WEBHOOK_SECRET, PAYCLI_CHECKOUT_URL and PORT. When the state of the app or its payments differ at the end, the command prints the fewest faults that cause the difference and exits with 8. Without a terminal, the report goes to stderr, and --json prints JSON to stdout. SCENARIO is a fixture file (.json) with requests to the API, a recording of paycli grade --init (.json), or a shell command that uses the app, such as a script that buys and pays. The scenario and the shell commands of flags get PORT, PAYCLI_API_BASE, PAYCLI_API_KEY and PAYCLI_CHECKOUT_URL. Faults do not affect the requests of these commands.'
  static override strict = false
  static override baseFlags: FlagInput = globalExploreFlags
  static override args: ArgInput = {
    scenario: textArg({
      description: 'Fixture file, recording, or shell command that uses the app.',
      required: true,
    }),
  }
  static override flags: FlagInput = exploreFlags
  static override usage = 'explore SCENARIO [flags] -- COMMAND…'
  static override examples = toExamples([
    "./buy.sh --forward-to /webhooks --observe 'curl -sf localhost:$PORT/orders' -- npm start",
    "shop.json --forward-to 3000/webhooks --reset 'npm run db:reset' --expect 'npm run check' --time 5m -- npm start",
    './buy.sh --forward-to /webhooks --replay paycli-schedule.json -- npm start',
    "./renew.sh --from seeded-shop --observe 'npm run --silent access' --all --junit report.xml -- node server.js",
  ])

  override async run(): Promise<void> {
    const { own, command } = splitAtDoubleDash(this.argv)
    const { words, flags } = await this.readInput(own)
    const input = { scenario: requireScenario(words, command), flags, own, command }
    const { result, isInterrupted } = await runInterruptibly((signal) => runExploration(input, signal))
    if (result !== null) await this.report(result, input, isInterrupted)
  }

  private async report(
    exploration: ExplorationResult,
    input: ExploreInput,
    isInterrupted: boolean,
  ): Promise<void> {
    const { flags, scenario } = input
    const { findings, unconfirmed, isReplay, explored } = exploration
    const [finding] = [...findings, ...unconfirmed]
    const file = findFlagText(flags['write']) ?? ''
    const isWritten = finding !== undefined && !isReplay
    const replayCommand = isWritten ? commandWith(input, '--replay', file) : null
    const format = (view: Pick<ViewOptions, 'style' | 'width'>) =>
      formatExploration(exploration, { ...view, replayCommand })
    printReport(flags, () => toExplorationJson(exploration), format)
    // Write the file after the report, so that a failed write does not hide the report.
    if (isWritten) await writePrivateFileOrUsageError(resolve(file), renderReplayFile(finding, scenario))
    const junit = findFlagText(flags['junit'])
    if (junit !== undefined)
      await writePrivateFileOrUsageError(resolve(junit), toJUnit(exploration, scenario))
    if (isInterrupted) return
    const isUnclear = isReplay && explored.some(({ result }) => result === 'aborted')
    if (findings.length > 0) process.exitCode = EXIT_CODES.assertion
    else if (isUnclear) process.exitCode = EXIT_CODES.usage
  }
}

async function runExploration(input: ExploreInput, signal: AbortSignal): Promise<ExplorationResult> {
  const { scenario, flags, command } = input
  const textOf = (name: string) => findFlagText(flags[name]) ?? null
  const timeMs = parseDurationSeconds('time', textOf('time') ?? '') * 1000
  const replays = readFindingsToReplay(textOf('replay'))
  const { nowMs } = systemClock
  const display = createExplorationDisplay(process.stderr)
  const runner = await openScenarioRunner({
    ...{ flags, env: process.env, nowMs, portSeed: process.pid, command, forwardTo: textOf('forward-to') },
    scenario: await readScenario(scenario),
    commands: {
      ...createObservation(textOf('observe'), textOf('database')),
      ...{ expect: textOf('expect'), reset: textOf('reset') },
    },
  })
  try {
    return await explore(runner, {
      ...{ timeMs, seed: textOf('seed') ?? '', replays, isExhaustive: flags['all'] === true },
      ...{ nowMs, signal, onProgress: display.show, onDifference: display.announce },
      suggestCommand: flags['allow-unchanged'] === true ? null : (...more) => commandWith(input, ...more),
    })
  } finally {
    display.clear()
    await runner.close()
  }
}

// Returns the command line of the user with further flags.
function commandWith({ own, command }: ExploreInput, ...flags: readonly string[]): string {
  return toShellCommand([
    'paycli',
    'explore',
    ...[...own, ...flags, '--', ...command].map(removeDatabasePasswords),
  ])
}
