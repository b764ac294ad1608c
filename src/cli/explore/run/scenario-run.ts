import { faults } from '../../../api/index.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { runShellCommand } from '../../processes/shell-command.ts'
import type { RunOptions, RunOutcome, RunRecord } from '../model/run-record.ts'
import { type FaultSchedule, isAppliedByServer } from '../model/schedule.ts'
import type { AppProcess } from './app-process.ts'
import { readUntilExpected, readUntilStable, waitForBackgroundWork } from './background-work.ts'
import {
  createScenarioRun,
  type ExplorationSetup,
  type PerformScenario,
  type ScenarioRun,
} from './run-context.ts'
import {
  classifyFailureTiming,
  countIssuerDecisions,
  createRunOutcome,
  DECISION_COUNTER_FAULT,
  describeLastRejectedWebhook,
  readAppliedFaults,
  readObservation,
} from './run-outcome.ts'
import { runScenario, type Scenario } from './scenario.ts'
import { createCommandError } from './state-watch.ts'

const FIRST_SCENARIO_TIMEOUT_MS = 120_000
const MIN_SCENARIO_TIMEOUT_MS = 30_000
/** The maximum duration of a scenario with faults, as a multiple of its duration without faults. */
const SLOWNESS = 4
const MIN_WATCH_MS = 2000
const BRIEF_WATCH_MS = 500
const SETTLE_MARGIN_MS = 100
const MIN_PATIENCE_MS = 250

/** Runs the scenario once in a new sandbox with the faults of a schedule. */
export async function runScenarioInSandbox(
  setup: ExplorationSetup,
  scenario: Scenario | PerformScenario,
  schedule: FaultSchedule,
  options: RunOptions,
): Promise<RunRecord> {
  const { sandboxes, groups, nowMs } = setup
  options.signal?.throwIfAborted()
  const startedMs = nowMs()
  const sandbox = await sandboxes.take()
  const run = createScenarioRun(setup, sandbox, schedule, options)
  const { requests, appChanges } = run.recorder
  try {
    setup.current = run
    const outcome = await executeRun(run, scenario)
    return {
      ...{ schedule, requests, appChanges, outcome, ...(await readAppliedFaults(run)) },
      states: run.stateWatch.states,
      issuerDecisions: run.isBaseline ? await countIssuerDecisions(run) : 0,
      durationMs: Math.round(nowMs() - startedMs),
      log: run.app.log(),
    }
  } finally {
    setup.current = null
    try {
      await run.app.stop()
    } finally {
      groups.killAll()
      sandboxes.discard(sandbox)
    }
  }
}

async function executeRun(run: ScenarioRun, scenario: Scenario | PerformScenario): Promise<RunOutcome> {
  const { setup, recorder, app, options, quiescence, isBaseline } = run
  const { times } = setup
  await Promise.all([resetApp(run), addFaultRules(run)])
  const startError = await startApp(run)
  setup.sandboxes.prepare()
  const timeoutMs = isBaseline
    ? FIRST_SCENARIO_TIMEOUT_MS
    : Math.max(MIN_SCENARIO_TIMEOUT_MS, SLOWNESS * times.scenarioMs)
  await run.commands.begin?.()
  await run.stateWatch.observe(null)
  recorder.start()
  const drive = () =>
    typeof scenario === 'function'
      ? performScenario(scenario, run)
      : runScenario(scenario, run.client, { ...run.shell, timeoutMs })
  const scenarioError = startError ?? (await quiescence.sendDuring(drive(), patienceMs(times)))
  const ending = {
    scenarioError,
    scenarioFailure: scenarioError === null ? null : await classifyFailureTiming(run),
  }
  if (isBaseline) {
    times.scenarioMs = Math.max(times.scenarioMs, recorder.elapsedMs())
    times.idleMs = Math.max(times.idleMs, recorder.longestIdleMs())
  }
  await quiescence.waitUntilQuiet()
  if (options.restartAtEnd === true) {
    // Background work that a restart interrupts does not count as lost state.
    await awaitOutcome(run, ending)
    await app.restart()
    await quiescence.waitUntilQuiet()
  }
  return isBaseline ? learnOutcome(run, ending) : awaitOutcome(run, ending)
}

/** Runs a scenario and resolves with its error. Without faults, an error ends the run. */
async function performScenario(scenario: PerformScenario, run: ScenarioRun): Promise<string | null> {
  try {
    await scenario(run)
    return null
  } catch (error) {
    if (!(error instanceof UsageError) || run.schedule.length === 0) throw error
    return error.message
  }
}

/** The error of a scenario, and the timing of the failure. */
type ScenarioEnding = Pick<RunOutcome, 'scenarioError' | 'scenarioFailure'>

/**
 * Returns the time without a request, in milliseconds, after which the scenario seems to wait for a retry or a held
 * delivery. The time is longer than any pause of a run without faults, so that such a delivery arrives last.
 */
function patienceMs({ idleMs, settleMs }: ExplorationSetup['times']): number {
  return MIN_PATIENCE_MS + 2 * Math.max(idleMs, settleMs)
}

async function resetApp({ commands: { reset }, shell }: ScenarioRun): Promise<void> {
  if (reset === null) return
  const { problem, output } = await runShellCommand(reset, shell)
  if (problem !== null) throw createCommandError('reset', reset, { problem, output })
}

async function addFaultRules({ schedule, client, endpoint, rules, isBaseline }: ScenarioRun): Promise<void> {
  if (isBaseline) await client.call(faults.create, DECISION_COUNTER_FAULT)
  for (const scheduled of schedule) {
    if (!isAppliedByServer(scheduled)) continue
    const { fault: type, at, options } = scheduled
    const { moment: _moment, ...faultOptions } = options
    const match =
      at.kind === 'payment'
        ? {}
        : { event_type: at.event_type, ...(endpoint && { webhook_endpoint: endpoint.id }) }
    const params = { type, match, ...faultOptions, skip: at.occurrence - 1, times: 1 }
    const { id } = await client.call(faults.create, params)
    rules.set(id, scheduled)
  }
}

// A fault on a request that the app sends while it starts may end the app, so the failure is a result of the run.
async function startApp({ app, recorder }: ScenarioRun): Promise<string | null> {
  try {
    await app.start()
    return null
  } catch (error) {
    if (!(error instanceof UsageError) || recorder.applied.size === 0) throw error
    // A scheduled restart during the start kills the first process; wait for the second process.
    await app.waitUntilReady()
    return recorder.appChanges.at(-1)?.kind === 'restarted' ? null : error.message
  }
}

async function learnOutcome(run: ScenarioRun, ending: ScenarioEnding): Promise<RunOutcome> {
  const { app, setup } = run
  if (ending.scenarioError !== null) {
    // If the app rejects every webhook, a scenario that waits for the effect of a webhook fails.
    const problems = [ending.scenarioError, await describeLastRejectedWebhook(run)].filter(
      (one) => one !== null,
    )
    throw failureWithLog('scenario_failed', 'The scenario failed', problems.join('\n'), app)
  }
  const { last, settleMs } = await readUntilStable(run, async () => {
    const observed = await readObservation(run)
    if (app.hasCrashed()) throw failureWithLog('app_crashed', 'The app ended without faults', '', app)
    return observed
  })
  const rejected = await describeLastRejectedWebhook(run)
  if (rejected !== null) throw unacknowledgedError(rejected, app)
  if (last.problem !== null) throw last.problem
  setup.times.settleMs = Math.max(setup.times.settleMs, settleMs)
  return createRunOutcome(run, last, { ...ending, hasCrashed: app.hasCrashed() })
}

async function awaitOutcome(run: ScenarioRun, ending: ScenarioEnding): Promise<RunOutcome> {
  const { app, options, setup } = run
  const { settleMs } = setup.times
  if (settleMs > 0) await waitForBackgroundWork(run, settleMs * 1.5 + SETTLE_MARGIN_MS)
  const read = async () =>
    createRunOutcome(run, await readObservation(run), { ...ending, hasCrashed: app.hasCrashed() })
  const isExpected = options.isExpected ?? (() => true)
  const minimumMs = options.isBrief === true ? BRIEF_WATCH_MS : MIN_WATCH_MS
  return readUntilExpected(run, read, isExpected, Math.max(minimumMs, 2 * settleMs))
}

function failureWithLog(code: string, what: string, problem: string, app: AppProcess): UsageError {
  const program = /: ([^\s:]+): (?:not found|Permission denied)/.exec(problem)?.[1]
  const path = program?.includes('/') ? program : `./${program}`
  const hint =
    program === undefined
      ? describeLog(app)
      : problem.includes('denied')
        ? `Make it executable: chmod +x ${path}`
        : `Create the program, or correct its path, such as ${path} in this folder.`
  return new UsageError(code, problem === '' ? `${what}.` : `${what}: ${problem}`, { hint })
}

// Faults of deliveries change nothing in an app that rejects every delivery, so the exploration would find nothing.
function unacknowledgedError(message: string, app: AppProcess): UsageError {
  return new UsageError('webhooks_not_acknowledged', message, {
    param: 'forward-to',
    hint: `Give the path of the webhook handler, such as --forward-to /webhooks. The handler must verify signatures with PAYCLI_WEBHOOK_SECRET and respond with 2xx. ${describeLog(app)}`,
  })
}

function describeLog(app: AppProcess): string {
  const log = app.log()
  return log === '' ? 'The app printed nothing.' : `The output of the app:\n${log}`
}
