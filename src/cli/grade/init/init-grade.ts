import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { waitUnlessAborted } from '../../../client/timing.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { requireDatabaseAddress } from '../../databases/app-database.ts'
import { UsageError } from '../../errors/usage-error.ts'
import type { RecordedStep } from '../../explore/run/recorded-scenario.ts'
import { printNote } from '../../output/output.ts'
import { toShellCommand } from '../../output/shell-command.ts'
import { writePrivateFileOrUsageError } from '../../service/user-file.ts'
import {
  createCustomerEvent,
  discoverPath,
  type GradeOptions,
  openGradeRunner,
  waitWhileStarting,
} from '../grade.ts'
import { type DetectedApp, detectApp } from './detect-app.ts'
import { recordRequests } from './record-requests.ts'

const SCENARIO_FILE = 'paycli.scenario.json'

/** Writes a configuration for the app in the current folder. With a command, also records a scenario. */
export async function initGrade(file: string, options: GradeOptions): Promise<void> {
  const { command, config, env } = options
  const written = command.length === 0 ? [file] : [file, SCENARIO_FILE]
  const existing = written.filter((name) => existsSync(name))
  if (existing.length > 0) {
    const [noun, verb] = existing.length === 1 ? ['file', 'exists'] : ['files', 'exist']
    throw new UsageError('file_exists', `The ${noun} '${existing.join("' and '")}' already ${verb}.`, {
      ...{ param: 'init', hint: `Move away or delete: ${existing.join(', ')}` },
    })
  }
  const app = detectApp('.', env)
  const url = config.url ?? (app.webhookPaths.length === 1 ? app.webhookPaths[0] : undefined)
  const recorded = command.length === 0 ? null : await record(app, options)
  const steps = recorded?.steps ?? []
  if (steps.length > 0) {
    const text = JSON.stringify({ $comment: SCENARIO_COMMENT, requests: steps }, null, 2)
    await writePrivateFileOrUsageError(resolve(SCENARIO_FILE), `${text}\n`)
  }
  // The app may have created its database during the recording.
  const database = keepReadable(detectApp('.', env).database)
  const values = {
    $comment: explain({ ...app, database }, command),
    ...{ url: recorded?.url ?? url, database: database ?? undefined },
    ...(steps.length > 0 && { scenario: SCENARIO_FILE }),
  }
  await writePrivateFileOrUsageError(resolve(file), `${JSON.stringify(values, null, 2)}\n`)
  printNote(`Wrote ${file}${steps.length > 0 ? ` and ${SCENARIO_FILE} (${describeSteps(steps)})` : ''}.`)
  for (const line of values.$comment) printNote(line)
}

function describeSteps(steps: readonly RecordedStep[]): string {
  const unpaid = '; no hosted page was completed, so the scenario pays nothing'
  const hasCompletion = steps.some(({ complete }) => complete !== undefined)
  return `${formatCountWithNoun(steps.length, 'step')}${hasCompletion ? '' : unpaid}`
}

/** Returns the address of a database, or null with a note if paycli cannot read such a database. */
function keepReadable(address: string | null): string | null {
  try {
    if (address !== null) requireDatabaseAddress(address)
    return address
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    printNote(error.message)
    return null
  }
}

const SCENARIO_COMMENT = [
  'Requests to the app, recorded by paycli grade --init. The file contains your input, such as passwords.',
  '{{2|text}} is the value after this text in the response to step 2. {{run}} differs in each run: use it in values that must be new, such as an email.',
]

/** Starts the app behind a recording proxy, until the developer ends the recording. */
async function record(app: DetectedApp, options: GradeOptions) {
  const { signal, timeMs, tools, config } = options
  const given = config.url
  const runner = await openGradeRunner(options)
  let steps: readonly RecordedStep[] = []
  let url: string | null = given ?? null
  try {
    await runner.perform(async (run) => {
      await waitWhileStarting(run)
      if (given !== undefined) return
      const found = discoverPath(run, await createCustomerEvent(run, config), tools, app.webhookPaths)
      url = await found.catch((error: unknown) => {
        if (error instanceof UsageError) printNote(error.message)
        else throw error
        return null
      })
    }, signal)
    // ^C ends the recording, and not the command.
    const unaborted = new AbortController().signal
    await runner.perform(async (run) => {
      await waitWhileStarting(run)
      steps = await recordRequests(run, async (address) => {
        printNote(`Open ${address}, buy once with a test card, and press Enter here.`)
        await waitForEnd(timeMs, signal)
      })
    }, unaborted)
  } finally {
    await runner.close()
  }
  return { steps, url: url ?? undefined }
}

/** Resolves when the developer presses Enter or ^C, or after the time limit. */
async function waitForEnd(timeMs: number, signal: AbortSignal): Promise<void> {
  const end = new AbortController()
  const over = AbortSignal.any([signal, end.signal])
  try {
    await Promise.race([once(process.stdin, 'data', { signal: over }), waitUnlessAborted(timeMs, over)])
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    end.abort()
    process.stdin.pause()
  }
}

/** Returns the lines that explain the configuration. */
function explain({ framework, database, access, paid }: DetectedApp, command: readonly string[]): string[] {
  const app = command.length === 0 ? 'COMMAND' : toShellCommand(command)
  const found = [framework ?? 'an unknown framework', database === null ? null : `the database ${database}`]
  const suggest = (key: string, candidates: readonly string[], other: string) =>
    candidates.length === 0 ? other : candidates.map((one) => `"${key}": "${one}"`).join(' or ')
  return [
    `Detected: ${found.filter((one) => one !== null).join(', ')}. Next: paycli grade -- ${app}`,
    ...(database === null
      ? ['For the runs with faults, add "database": an SQLite file or a postgres:// URL.']
      : []),
    `To check access, add ${suggest('access', access, '"access": a path or command that prints whether {customer} has access')}.`,
    `To check money, add ${suggest('paid', paid, '"paid": a path or command that prints the payments of {customer} minus refunds, in minor units')}.`,
    ...(command.length === 0
      ? [
          `To record a scenario, delete ${existsSync(SCENARIO_FILE) ? `this file and ${SCENARIO_FILE}` : 'this file'}: paycli grade --init -- COMMAND`,
        ]
      : []),
  ]
}
