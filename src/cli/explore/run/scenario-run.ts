import { faults } from '../../../api/index.ts'
import type { Client } from '../../../client/client.ts'
import { UsageError } from '../../errors/usage-error.ts'
import type { RunOptions, RunOutcome, RunRecord } from '../model/run-record.ts'
import { type FaultSchedule, isConcurrentDuplicate, type ScheduledFault } from '../model/schedule.ts'
import { forwardApiRequest } from './api-proxy.ts'
import { type AppProcess, createAppProcess } from './app-process.ts'
import { type BackgroundWatch, createBackgroundWatch } from './background-work.ts'
import type { RunSandbox, RunSandboxes } from './exploration-server.ts'
import type { ProxyHandler } from './local-servers.ts'
import type { ProcessGroups } from './process-groups.ts'
import { createQuiescenceWatch, type QuiescenceWatch } from './quiescence.ts'
import { createRequestBarrier } from './request-barrier.ts'
import { createOutcomeReader, type InspectionCommands, type OutcomeReader } from './run-outcome.ts'
import { createRunRecorder, type RunRecorder } from './run-recorder.ts'
import { runScenario, type Scenario } from './scenario.ts'
import { runShellCommand, type ShellCommandOptions } from './shell-command.ts'
import { forwardWebhook } from './webhook-proxy.ts'

/** The parts that all runs of an exploration share. */
export interface ExplorationSetup {
  readonly scenario: Scenario
  /** The app: a program and its arguments. */
  readonly command: readonly string[]
  readonly commands: InspectionCommands & { readonly reset: string | null }
  /** The address at which the app accepts connections. */
  readonly appUrl: string
  /** The webhook address of the app; null without webhooks. */
  readonly webhookUrl: string | null
  /** The address of the proxy between app and API. */
  readonly apiProxyUrl: string
  readonly env: NodeJS.ProcessEnv
  readonly sandboxes: RunSandboxes
  readonly groups: ProcessGroups
  readonly nowMs: () => number
  /** Sets the handlers of the proxies for the current run. */
  readonly route: (handlers: RunHandlers | null) => void
}

/** The handlers of both proxies for one run. */
export interface RunHandlers {
  readonly run: number
  readonly api: ProxyHandler
  readonly webhook: ProxyHandler
}

/** Durations measured in runs without faults. */
export interface MeasuredDurations {
  /** The time that the app works in the background after it is quiet. */
  settleMs: number
  scenarioMs: number
}

const INSPECTION_TIMEOUT_MS = 30_000
const FIRST_SCENARIO_TIMEOUT_MS = 120_000
const MIN_SCENARIO_TIMEOUT_MS = 30_000
/** The maximum duration of a scenario with faults, as a multiple of its duration without faults. */
const SLOWNESS = 4
const MIN_WATCH_MS = 2000
const SETTLE_MARGIN_MS = 100

/** Runs the scenario once in a new sandbox with the faults of a schedule. */
export async function runScenarioInSandbox(
  setup: ExplorationSetup,
  times: MeasuredDurations,
  schedule: FaultSchedule,
  options: RunOptions,
): Promise<RunRecord> {
  const { sandboxes, groups, nowMs } = setup
  options.signal?.throwIfAborted()
  const startedMs = nowMs()
  const sandbox = await sandboxes.take()
  const run = createRun(setup, sandbox, schedule, options)
  try {
    const outcome = await executeRun(run, times)
    const applied = new Set([...run.recorder.applied, ...(await run.reader.readApplied())])
    return {
      schedule,
      requests: run.recorder.requests,
      deliveries: await run.reader.addFaults(run.recorder.deliveries),
      appChanges: run.recorder.appChanges,
      outcome,
      applied: schedule.filter((one) => applied.has(one)),
      durationMs: Math.round(nowMs() - startedMs),
      log: run.app.log(),
    }
  } finally {
    setup.route(null)
    try {
      await run.app.stop()
    } finally {
      groups.killAll()
      sandboxes.discard(sandbox)
    }
  }
}

interface Run {
  readonly setup: ExplorationSetup
  readonly schedule: FaultSchedule
  readonly options: RunOptions
  readonly client: Client
  readonly recorder: RunRecorder
  readonly app: AppProcess
  readonly shell: ShellCommandOptions
  readonly endpoint: RunSandbox['endpoint']
  readonly quiescence: QuiescenceWatch
  readonly background: BackgroundWatch
  /** The fault rules of the sandbox by id. */
  readonly rules: Map<string, ScheduledFault>
  readonly reader: OutcomeReader
}

function createRun(
  setup: ExplorationSetup,
  { handle, run, endpoint }: RunSandbox,
  schedule: FaultSchedule,
  options: RunOptions,
): Run {
  const { nowMs, groups, appUrl, command, webhookUrl } = setup
  const signal = options.signal ?? new AbortController().signal
  const { client, apiBase, apiKey, checkoutUrl } = handle
  const recorder = createRunRecorder(schedule, nowMs)
  const toolEnv = {
    ...setup.env,
    ...{ PAYCLI_SANDBOX: '', PAYCLI_PROFILE: '', PAYCLI_API_BASE: apiBase, PAYCLI_API_KEY: apiKey },
    ...{ PAYCLI_CHECKOUT_URL: checkoutUrl, PORT: portOf(appUrl) },
  }
  const secret = endpoint === null ? {} : { PAYCLI_WEBHOOK_SECRET: endpoint.secret }
  const env = { ...toolEnv, ...secret, PAYCLI_API_BASE: setup.apiProxyUrl }
  const app = createAppProcess({ command, env, url: appUrl, groups, recorder, nowMs, signal })
  const target = webhookUrl ?? appUrl
  const barrier = createRequestBarrier(nowMs)
  const quiescence = createQuiescenceWatch({ client, recorder, signal, nowMs })
  const apiOptions = { apiBase, recorder, app, barrier, quiescence }
  setup.route({
    run,
    api: (request, response) => forwardApiRequest(request, response, apiOptions),
    webhook: (request, response) => forwardWebhook(request, response, { target, recorder, app, barrier }),
  })
  const shell = { env: toolEnv, groups, timeoutMs: INSPECTION_TIMEOUT_MS, signal }
  const background = createBackgroundWatch({ quiescence, recorder, nowMs, signal })
  const rules = new Map<string, ScheduledFault>()
  const reader = createOutcomeReader({ client, commands: setup.commands, shell, rules })
  return {
    ...{ setup, schedule, options, client, recorder, app, shell, endpoint },
    ...{ quiescence, background, rules, reader },
  }
}

function portOf(url: string): string {
  const { port, protocol } = new URL(url)
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port
}

async function executeRun(run: Run, times: MeasuredDurations): Promise<RunOutcome> {
  const { setup, recorder, app, options, quiescence } = run
  const isBaseline = options.isExpected === undefined
  await Promise.all([resetApp(run), addFaultRules(run)])
  const startError = await startApp(run)
  setup.sandboxes.prepare()
  const timeoutMs = isBaseline
    ? FIRST_SCENARIO_TIMEOUT_MS
    : Math.max(MIN_SCENARIO_TIMEOUT_MS, SLOWNESS * times.scenarioMs)
  recorder.start()
  const scenarioError =
    startError ?? (await runScenario(setup.scenario, run.client, { ...run.shell, timeoutMs }))
  if (isBaseline) times.scenarioMs = Math.max(times.scenarioMs, recorder.elapsedMs())
  await quiescence.waitUntilQuiet()
  if (options.restartAtEnd === true) {
    // Work in the background that a restart interrupts is no lost state.
    await awaitOutcome(run, times, scenarioError)
    await app.restart()
    await quiescence.waitUntilQuiet()
  }
  return isBaseline ? learnOutcome(run, times, scenarioError) : awaitOutcome(run, times, scenarioError)
}

async function resetApp({ setup, shell }: Run): Promise<void> {
  const { reset } = setup.commands
  if (reset === null) return
  const { problem, output } = await runShellCommand(reset, shell)
  if (problem !== null) throw commandError('reset', problem, output)
}

async function addFaultRules({ schedule, client, endpoint, rules }: Run): Promise<void> {
  for (const scheduled of schedule) {
    const { fault: type, at, options } = scheduled
    if (at.kind !== 'delivery' || type === 'restart' || isConcurrentDuplicate(scheduled)) continue
    const { moment: _moment, ...faultOptions } = options
    const match = { event_type: at.event_type, ...(endpoint && { webhook_endpoint: endpoint.id }) }
    const params = { type, match, ...faultOptions, skip: at.occurrence - 1, times: 1 }
    const { id } = await client.call(faults.create, params)
    rules.set(id, scheduled)
  }
}

// A fault on a request that the app sends while it starts may end the app, which is a result of the run.
async function startApp({ app, recorder }: Run): Promise<string | null> {
  try {
    await app.start()
    return null
  } catch (error) {
    if (!(error instanceof UsageError) || recorder.applied.size === 0) throw error
    // A restart that is scheduled for such a request kills the first process; wait for the second.
    await app.waitUntilReady()
    return recorder.appChanges.at(-1)?.kind === 'restarted' ? null : error.message
  }
}

async function learnOutcome(run: Run, times: MeasuredDurations, scenarioError: string | null) {
  const { app, background, reader } = run
  if (scenarioError !== null)
    throw failureWithLog('scenario_failed', 'The scenario failed', scenarioError, app)
  const { last, settleMs } = await background.learn(async () => {
    const observed = await reader.readObservation()
    if (app.hasCrashed()) throw failureWithLog('app_crashed', 'The app ended without faults', '', app)
    return observed
  })
  if (last.problem !== null) throw commandError('observe', last.problem, '')
  times.settleMs = Math.max(times.settleMs, settleMs)
  return reader.complete(last, { scenarioError, hasCrashed: app.hasCrashed() })
}

async function awaitOutcome(
  { app, background, reader, options }: Run,
  times: MeasuredDurations,
  scenarioError: string | null,
) {
  const { settleMs } = times
  if (settleMs > 0) await background.settle(settleMs * 1.5 + SETTLE_MARGIN_MS)
  const read = async () =>
    reader.complete(await reader.readObservation(), { scenarioError, hasCrashed: app.hasCrashed() })
  const isExpected = options.isExpected ?? (() => true)
  return background.waitUntilExpected(read, isExpected, Math.max(MIN_WATCH_MS, 2 * settleMs))
}

function commandError(flag: 'reset' | 'observe', problem: string, output: string): UsageError {
  return new UsageError(
    'command_failed',
    `The command of --${flag} failed: ${`${problem}\n${output}`.trim()}`,
    {
      param: flag,
      hint: 'It runs with sh -c. The port of the app is in $PORT.',
    },
  )
}

function failureWithLog(code: string, what: string, problem: string, app: AppProcess): UsageError {
  const log = app.log()
  const hint = log === '' ? 'The app printed nothing.' : `The output of the app:\n${log}`
  return new UsageError(code, problem === '' ? `${what}.` : `${what}: ${problem}`, { hint })
}
