import { type Event, events } from '../../api/index.ts'
import { isAcceptingConnections } from '../../client/port-probe.ts'
import { waitUnlessAborted } from '../../client/timing.ts'
import type { GradeFinding } from '../../presentation/grade-report.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { RunRecord } from '../explore/model/run-record.ts'
import { createObservation } from '../explore/run/database-observer.ts'
import type { ScenarioRun } from '../explore/run/run-context.ts'
import { readScenario } from '../explore/run/scenario.ts'
import { openScenarioRunner, type ScenarioRunnerOptions } from '../explore/run/scenario-runner.ts'
import { listObjects } from '../request/paginate.ts'
import { createSampleEvent, type HandlerTestClient } from '../webhook-tools/handler-check.ts'
import { readAppStateFields, requestAppState } from './app-state.ts'
import { type CustomerScenario, deleteRunEndpoint, openCustomerScenario } from './customer-scenario.ts'
import { gradeFaults } from './faults-grade.ts'
import type { GradeConfig } from './grade-config.ts'
import { type ClassResult, GRADE_CLASSES, type GradeClass } from './grade-result.ts'
import { findUnresponsiveHandler, type GradedHandler, gradeHandler, gradePurchase } from './handler-grade.ts'
import { gradeLoad, gradeSampleLoad, type LoadGradeOptions } from './load-grade.ts'
import { gradeMoneyAndLife, runShortScenario } from './money-and-life-grade.ts'
import { MISSING_CONFIGURATION } from './state-findings.ts'
import { findWebhookPath } from './webhook-path.ts'

interface RunnerOptions
  extends Pick<ScenarioRunnerOptions, 'flags' | 'env' | 'nowMs' | 'command' | 'portSeed'> {
  readonly config: GradeConfig
}

export interface GradeOptions extends RunnerOptions, Pick<LoadGradeOptions, 'monotonicMs'> {
  readonly classes: readonly GradeClass[]
  readonly tools: HandlerTestClient
  readonly timeMs: number
  readonly signal: AbortSignal
  /** Called with the name of each class when its tests begin. */
  readonly onClass: (text: string) => void
}

function hasStateFields({ access, paid }: GradeConfig): boolean {
  return access !== undefined || paid !== undefined
}

/** Prepares the runs of the app with the configured scenario, or else with a short scenario. */
export async function openGradeRunner(options: RunnerOptions) {
  const { config } = options
  const { expect = null, reset = null, observe = null, database = null } = config
  let current: CustomerScenario | null = null
  const sell = async (run: ScenarioRun) => {
    current = null
    await waitWhileStarting(run)
    current = await openCustomerScenario(run, config)
    await runShortScenario(current, config)
  }
  const readState = hasStateFields(config) ? () => observeCustomers(current, config) : null
  return openScenarioRunner({
    ...options,
    forwardTo: config.url ?? '/',
    scenario: config.scenario === undefined ? sell : await readScenario(config.scenario),
    commands: { ...createObservation(observe ?? readState, database), expect, reset },
  })
}

/** Starts the app, runs the classes and resolves with their results. */
export async function gradeApp(options: GradeOptions): Promise<ClassResult[]> {
  const { config, classes, nowMs, monotonicMs, signal, tools, onClass } = options
  const results: ClassResult[] = []
  const has = (...names: readonly GradeClass[]) => names.some((name) => classes.includes(name))
  const runner = await openGradeRunner(options)
  const tryRun = async (
    text: string,
    perform: (run: ScenarioRun, handler: GradedHandler) => Promise<readonly ClassResult[]>,
  ) => {
    onClass(text)
    const startedMs = nowMs()
    let found: readonly ClassResult[] = []
    const record = await runner.perform(async (run) => {
      await waitWhileStarting(run)
      found = await perform(run, await handlerOf(run))
    }, signal)
    const durationMs = nowMs() - startedMs
    const [first, ...others] = judgeRun(
      found.filter((one) => has(one.class)),
      record,
    )
    if (first !== undefined) results.push({ ...first, durationMs }, ...others)
  }
  try {
    onClass('finding the webhook handler')
    let silence: GradeFinding | null = null
    await runner.perform(async (run) => {
      await waitWhileStarting(run)
      silence = await meetHandler(run, options)
    }, signal)
    if (silence !== null) return toSilentResults(silence, classes)
    // The load test runs first, because response times that grow are easiest to detect while the app has little data.
    if (has('load'))
      await tryRun('load', async (run, handler) => [
        await gradeLoad(run, { handler, tools, monotonicMs, signal, config }),
      ])
    if (has('authenticity', 'duplicates'))
      await tryRun('authenticity', (run, handler) => {
        const isObserved = has('authenticity') && hasStateFields(config)
        return gradePurchase(run, config, { handler, tools, isObserved })
      })
    if (has('money', 'life')) {
      if (hasStateFields(config))
        await tryRun('money, life of a subscription', (run) => gradeMoneyAndLife(run, config))
      else
        results.push(
          untried('money', MISSING_CONFIGURATION.paid),
          untried('life', MISSING_CONFIGURATION.access),
        )
    }
    if (has('duplicates', 'lost_responses')) {
      onClass('duplicates and order, lost responses')
      const { observe, database, expect } = config
      if (hasStateFields(config) || (observe ?? database ?? expect) !== undefined)
        results.push(...(await gradeFaults(runner, options)))
      else results.push(...UNOBSERVED)
    }
    return results
  } finally {
    await runner.close()
  }
}

/** Grades the webhook handler of a running app, of which paycli can observe only the responses. */
export async function gradeRunningApp(
  handler: GradedHandler,
  { config, tools, nowMs, monotonicMs, signal, classes, onClass }: GradeOptions,
): Promise<ClassResult[]> {
  const event = createSampleEvent(Math.floor(nowMs() / 1000))
  if (!(await isAcceptingConnections(handler.url)))
    throw new UsageError('app_not_started', `No app accepts connections at ${handler.url}.`, {
      param: 'url',
      hint: 'Start the app, or let paycli start the app: give the command after --.',
    })
  const silence = await findUnresponsiveHandler(handler, { event, tools, attempts: 2 })
  if (silence !== null) return toSilentResults(silence, classes)
  if (classes.includes('load')) onClass('load')
  const load = classes.includes('load')
    ? [await gradeSampleLoad(event, { handler, tools, monotonicMs, signal, config })]
    : []
  const hasHandlerClass = classes.includes('authenticity') || classes.includes('duplicates')
  if (hasHandlerClass) onClass('authenticity')
  const found = hasHandlerClass ? await gradeHandler(handler, event, tools) : []
  const others = Object.keys(GRADE_CLASSES)
    .map((name) => name as GradeClass)
    .filter((name) => name !== 'authenticity')
    .map((name) => untried(name, NOT_STARTED))
  return [...found, ...load, ...others]
}

const OBSERVE =
  'Effects were not compared: add "database", "paid", "access" or "observe" to the configuration.'
const UNOBSERVED = [untried('duplicates', `Responses only. ${OBSERVE}`), untried('lost_responses', OBSERVE)]
const NOT_STARTED =
  'To compare effects, paycli must start the app: give the command of the app after --, such as paycli grade -- node app.js'

function untried(name: GradeClass, note: string): ClassResult {
  return { class: name, findings: [], checks: 0, notes: [note], incomplete: 'untried' }
}

/** Returns the handler at an IP address, because connection attempts to the addresses of a host name end early. */
async function handlerOf({ target, endpoint }: ScenarioRun): Promise<GradedHandler> {
  const url = new URL(target())
  const isFirst =
    url.hostname === 'localhost' && (await isAcceptingConnections(`http://127.0.0.1:${url.port}`))
  if (isFirst) url.hostname = '127.0.0.1'
  return { url: url.href, secret: endpoint?.secret ?? '' }
}

/** Creates a customer in the sandbox of a run, and returns the event of the creation. */
export async function createCustomerEvent(run: ScenarioRun, config: GradeConfig): Promise<Event> {
  await (await openCustomerScenario(run, config)).addCustomer('first', 'payments')
  const { found } = await listObjects(run.client, events.list, { type: 'customer.created' }, 1)
  return found[0] ?? createSampleEvent(Math.floor(run.nowMs() / 1000))
}

/**
 * Finds the path of the webhook handler, first among `candidates`, and sets the path for the run. Throws a UsageError
 * without a handler.
 */
export async function discoverPath(
  run: ScenarioRun,
  event: Event,
  tools: HandlerTestClient,
  candidates: readonly string[] = [],
): Promise<string> {
  const { appUrl } = run.setup
  const { secret } = await handlerOf(run)
  const path = await findWebhookPath(appUrl, { secret, event }, tools, candidates)
  run.setup.webhookUrl = appUrl + path
  return path
}

/** Finds the path of the handler, unless it is configured. Resolves with a finding if the handler never responds. */
async function meetHandler(run: ScenarioRun, { config, tools }: GradeOptions) {
  await deleteRunEndpoint(run)
  const event = await createCustomerEvent(run, config)
  if (config.url === undefined) await discoverPath(run, event, tools)
  const attempts = config.url === undefined ? 1 : 2
  return findUnresponsiveHandler(await handlerOf(run), { event, tools, attempts })
}

function toSilentResults(silence: GradeFinding, classes: readonly GradeClass[]): ClassResult[] {
  return classes.map((name, index) =>
    index === 0
      ? { class: name, findings: [silence], checks: 1, notes: [] }
      : untried(name, 'The handler does not respond.'),
  )
}

/** Returns the state of the app for each customer of the scenario, as JSON. */
async function observeCustomers(scenario: CustomerScenario | null, config: GradeConfig): Promise<string> {
  if (scenario === null) return '[]'
  const observed = scenario.customers.map(async (customer) => ({
    role: customer.role,
    ...(await readAppStateFields(scenario.run, config, { ...customer, now: scenario.now() })),
  }))
  return JSON.stringify(await Promise.all(observed))
}

/** Waits while the app responds with 503, as some apps do until their database is ready. */
export async function waitWhileStarting(run: ScenarioRun): Promise<void> {
  const nobody = { ...{ id: '', user: '', email: '' }, now: 0 }
  for (const endMs = run.nowMs() + MAX_START_MS; run.nowMs() < endMs; ) {
    if ((await requestAppState(run, '/', nobody)).status !== 503) return
    await waitUnlessAborted(START_PAUSE_MS, run.signal)
  }
}

const MAX_START_MS = 20_000
const START_PAUSE_MS = 100

/** Adds the finding of an app that ended by itself, or never acknowledged an event, to the first of the results. */
function judgeRun(
  [first, ...others]: readonly ClassResult[],
  { outcome, log }: RunRecord,
): readonly ClassResult[] {
  if (first === undefined) return []
  const types = [...new Set(outcome.unacknowledged)]
  const add = (finding: Omit<GradeFinding, 'severity'>) => ({
    ...{ ...first, findings: [...first.findings, { ...finding, severity: 'high' as const }] },
  })
  if (outcome.hasCrashed) {
    const crash = add({
      id: 'crash',
      problem: 'The app ended by itself.',
      evidence: log.split('\n').slice(-6),
      fix: 'Catch the errors of handlers, API requests and background work.',
    })
    // The state of the app at the steps after its exit is unknown.
    return [crash, ...others.map((one) => ({ ...one, checks: 0, notes: [...one.notes, CRASHED] }))]
  }
  if (types.length === 0) return [first, ...others]
  const unacknowledged = add({
    id: 'unacknowledged',
    problem: 'The app never acknowledges some events, although each event was sent eight times.',
    evidence: [types.join(', ')],
    fix: 'Respond with 2xx to every delivery with a valid signature, even if the event is unknown. If the handler needs metadata, add "metadata" to the configuration.',
  })
  return [unacknowledged, ...others]
}

const CRASHED = 'Not completed, because the app ended by itself.'
