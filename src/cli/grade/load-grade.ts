import { type Event, events } from '../../api/index.ts'
import { waitUnlessAborted } from '../../client/timing.ts'
import { isJsonObject } from '../../domain/core/json-object.ts'
import type { GradeFinding, Severity } from '../../presentation/grade-report.ts'
import type { ScenarioRun } from '../explore/run/run-context.ts'
import { listObjects } from '../request/paginate.ts'
import { type CheckResponse, type HandlerTestClient, isAccepted } from '../webhook-tools/handler-check.ts'
import { openCustomerScenario, stopDeliveries } from './customer-scenario.ts'
import { type GradeConfig, listSaleTypes } from './grade-config.ts'
import type { ClassResult } from './grade-result.ts'
import type { GradedHandler } from './handler-grade.ts'
import { type CustomerCheck, createStateChecks, type ScenarioStepCause } from './state-checks.ts'
import { evaluateStateField } from './state-findings.ts'

const DEFAULT_RATE = 50
const DEFAULT_SECONDS = 10
/** The approximate number of events of a customer who pays twice or subscribes. */
const EVENTS_PER_CUSTOMER = 10
const CONCURRENT_SALES = 8
/** The number of customers whose events are due in the same millisecond. */
const PULSE_SIZE = 50
/** The largest accepted 99th percentile of response times: a third of the time limit of a delivery. */
const MAX_P99_MS = 5000
const MAX_P50_MS = 1000
/** The limits of the events that are sent one by one before and after each load: the number of customers, and milliseconds. */
const MAX_ALONE = 8
const ALONE_MS = 2000
/** Maximum number of load tests. A further test follows only if the handler became slower during the last test. */
const MAX_LOADS = 2
/** The minimum growth of response times that counts as a slowdown: a factor, and milliseconds. */
const MIN_GROWTH = 1.25
const MIN_GROWN_MS = 1
/** The growth of response times, from before the first load to after the last load, that is a finding. */
const PROVEN_GROWTH = 3
const PROVEN_GROWN_MS = 4
/** The duration after which the load ends, as a multiple of the planned duration, and in milliseconds. */
const MAX_OVERRUN = 3
const OVERRUN_MS = 1000

export interface LoadGradeOptions {
  readonly handler: GradedHandler
  readonly tools: HandlerTestClient
  readonly nowMs: () => number
  readonly signal: AbortSignal
  readonly config: GradeConfig
}

const LOAD: ScenarioStepCause = [
  'events of several customers arrived at the same time',
  'Sales are lost or repeated under load.',
  'Change a record in one statement or transaction. Never read a record, wait, and write the record back. Do not drop events after a 2xx.',
]

type Lane = readonly Event[]
/** Creates the events of new customers; events of one customer keep their order. */
type CreateLanes = (customers: number) => Promise<readonly Lane[]>

/** Sends real events of several customers, in order for each customer, and then compares the state of the app. */
export async function gradeLoad(run: ScenarioRun, options: LoadGradeOptions): Promise<ClassResult> {
  const { config } = options
  await stopDeliveries(run)
  const scenario = await openCustomerScenario(run, config)
  const sells = listSaleTypes(config)
  const sellTo = async (index: number) => {
    const sale = sells[index % sells.length] ?? 'payments'
    const customer = await scenario.addCustomer(`load${index}`, sale)
    if (sale === 'subscriptions') await scenario.subscribe(customer, { amount: 2500, card: 'visa' })
    else for (const amount of [1999, 1100]) await scenario.pay(customer, amount)
  }
  const createLanes: CreateLanes = async (customers) => {
    const known = scenario.customers.map(({ id }) => id)
    for (let sold = 0; sold < customers; sold += CONCURRENT_SALES)
      await Promise.all(
        Array.from({ length: Math.min(CONCURRENT_SALES, customers - sold) }, (_, index) =>
          sellTo(known.length + sold + index),
        ),
      )
    const { found } = await listObjects(run.client, events.list, {}, 100_000)
    const lanes = Map.groupBy(found.toReversed(), customerOf)
    for (const customer of ['', ...known]) lanes.delete(customer)
    return [...lanes.values()]
  }
  const checks = createStateChecks(scenario, config)
  const check = () => checks.check(Object.fromEntries(scenario.customers.map(({ role }) => [role, LOAD])))
  // The first customers show which responses are wrong without load.
  const alone = await sendAlone(createLanes, options)
  await check()
  const wrong = new Set(checks.customerChecks.filter((one) => one.wrong !== null).map(topicOf))
  const result = await sendLoads(createLanes, alone, options)
  if (result.findings.length > 0) return result
  await check()
  const customerChecks = checks.customerChecks.filter((one) => !wrong.has(topicOf(one)))
  const compared = (['paid', 'access'] as const).map((name) =>
    evaluateStateField(name, 'load', { ...checks, customerChecks }, config),
  )
  const isWrongAlone = checks.customerChecks.some((one) => one.hasReacted && wrong.has(topicOf(one)))
  const findings = compared.flatMap((one) => one.findings)
  const isCompared = compared.some((one) => one.checks > 0)
  const note = isWrongAlone ? [WRONG_ALONE] : isCompared ? [] : [UNCOMPARED]
  return {
    ...{ ...result, findings, notes: [...result.notes, ...note] },
    incomplete: isCompared ? undefined : 'untried',
  }
}

const UNCOMPARED = 'Responses only. Effects were not compared: add "paid" or "access" to the configuration.'
const WRONG_ALONE = 'Not compared after the load: responses that are wrong without load. See money and life.'

function topicOf({ field, customer }: CustomerCheck): string {
  return `${field} ${customer.sale}`
}

function customerOf({ data: { object } }: Event): string {
  if (!isJsonObject(object)) return ''
  return String(object['object'] === 'customer' ? object['id'] : (object['customer'] ?? ''))
}

/** Sends copies of a sample event to a running app, of which paycli can observe only the responses. */
export async function gradeSampleLoad(event: Event, options: LoadGradeOptions): Promise<ClassResult> {
  const lane = () =>
    Array.from({ length: EVENTS_PER_CUSTOMER }, () => ({ ...event, id: options.tools.newEventId() }))
  const createLanes: CreateLanes = async (customers) => Array.from({ length: customers }, lane)
  return sendLoads(createLanes, await sendAlone(createLanes, options), options)
}

type TimedResponse = CheckResponse & { readonly type: string }

/**
 * Sends a load, and a second load if the handler became slower. `alone` contains the response times of single
 * deliveries before the load.
 */
async function sendLoads(
  createLanes: CreateLanes,
  alone: readonly number[],
  options: LoadGradeOptions,
): Promise<ClassResult> {
  const { rate = DEFAULT_RATE, seconds = DEFAULT_SECONDS } = options.config
  const customers = Math.ceil((rate * seconds) / EVENTS_PER_CUSTOMER)
  const times = [undisturbedMs(alone)]
  const loads: Load[] = []
  const findings: GradeFinding[] = []
  // A busy machine rarely slows a handler down in two consecutive tests.
  while (loads.length === 0 || (loads.length < MAX_LOADS && isGrowing(times))) {
    const load = await sendLoad(await createLanes(customers), options)
    loads.push(load)
    findings.push(...listLoadFindings(load))
    if (findings.some(({ severity }) => severity === 'high')) break
    times.push(undisturbedMs(await sendAlone(createLanes, options)))
  }
  const checks = loads.reduce((sum, { responses }) => sum + responses.length, 0)
  if (times.length > MAX_LOADS && isGrowthProven(times))
    return { class: 'load', findings: [createGrowthFinding(times, checks)], checks, notes: [] }
  const notes = findings.length > 0 ? [] : loads.slice(0, 1).map(describeLoad)
  return { class: 'load', findings: findings.slice(-1), checks, notes }
}

/** Returns the response time of a delivery that other processes did not delay: the tenth percentile. */
function undisturbedMs(times: readonly number[]): number {
  return percentile(times, 0.1)
}

/** Returns whether the growth of response times in milliseconds is too large to be caused by a busy machine. */
export function isGrowthProven(times: readonly number[]): boolean {
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  return isGrowing(times) && last > PROVEN_GROWTH * first + PROVEN_GROWN_MS
}

/** Returns whether each response time is clearly longer than the previous response time. Times are in milliseconds. */
function isGrowing(times: readonly number[]): boolean {
  return times.slice(1).every((time, index) => time > MIN_GROWTH * (times[index] ?? 0) + MIN_GROWN_MS)
}

function createGrowthFinding(times: readonly number[], sent: number): GradeFinding {
  const growth = times.join(' → ')
  return {
    ...{ id: 'growing', severity: 'medium', fix: INDEX },
    problem: 'The response time grows with each event that the app has received.',
    evidence: [`single deliveries before, during and after ${sent} events: ${growth} ms`],
  }
}

/** Sends events of new customers one by one, and returns the response times. A slow handler receives fewer events. */
async function sendAlone(createLanes: CreateLanes, options: LoadGradeOptions): Promise<number[]> {
  const { handler, tools, nowMs } = options
  const startedMs = nowMs()
  const times: number[] = []
  for (let customers = 0; customers < MAX_ALONE && nowMs() - startedMs < ALONE_MS; customers += 2)
    for (const event of (await createLanes(2)).flat()) {
      const { http_status, duration_ms } = await tools.send(tools.sign(handler.url, handler.secret, event))
      if (http_status === null) return times
      times.push(duration_ms)
    }
  return times
}

async function sendLoad(lanes: readonly Lane[], options: LoadGradeOptions): Promise<Load> {
  const { handler, tools, nowMs, signal } = options
  const { rate = DEFAULT_RATE } = options.config
  const total = lanes.reduce((sum, { length }) => sum + length, 0)
  const plannedMs = (1000 * total) / rate
  const responses: TimedResponse[] = []
  // Send events in pulses, because a fast app would never handle evenly spaced events at the same time.
  const pulse = Math.min(PULSE_SIZE, lanes.length)
  const startedMs = nowMs()
  const sendLane = async (lane: Lane, index: number) => {
    for (const [turn, event] of lane.entries()) {
      const position = turn * lanes.length + index
      const dueMs = startedMs + ((position - (position % pulse)) * 1000) / rate
      if (nowMs() < dueMs) await waitUnlessAborted(dueMs - nowMs(), signal)
      if (nowMs() - startedMs > MAX_OVERRUN * plannedMs + OVERRUN_MS) return
      signal.throwIfAborted()
      responses.push({
        ...(await tools.send(tools.sign(handler.url, handler.secret, event))),
        type: event.type,
      })
    }
  }
  await Promise.all(lanes.map(sendLane))
  return { responses, total, plannedMs, durationMs: nowMs() - startedMs }
}

interface Load {
  readonly responses: readonly TimedResponse[]
  readonly total: number
  readonly plannedMs: number
  readonly durationMs: number
}

function describeLoad(load: Load): string {
  const { perSecond, p50, p99 } = measureLoad(load)
  return `${perSecond} events per second; response times: p50 ${p50} ms, p99 ${p99} ms.`
}

function measureLoad({ responses, durationMs }: Load) {
  const times = responses.map(({ duration_ms }) => duration_ms)
  const perSecond = ((1000 * responses.length) / Math.max(1, durationMs)).toFixed(0)
  return { perSecond, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

function percentile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(part * (times.length - 1))] ?? 0
}

/** Returns the findings about the responses under load. Durations are in milliseconds. */
export function listLoadFindings(load: Load): GradeFinding[] {
  const { responses, total, plannedMs, durationMs } = load
  const { perSecond, p50, p99 } = measureLoad(load)
  const failed = responses.filter((one) => !isAccepted(one))
  const evidence = [
    `${responses.length} of ${total} events in ${(durationMs / 1000).toFixed(1)} s, planned ${(plannedMs / 1000).toFixed(1)} s`,
    `response times: p50 ${p50} ms, p99 ${p99} ms; deliveries time out after 15 s`,
  ]
  const findings: GradeFinding[] = []
  const add = (
    id: string,
    severity: Severity,
    texts: Pick<GradeFinding, 'problem' | 'fix'>,
    more: string[] = [],
  ) => findings.push({ id, severity, ...texts, evidence: [...evidence, ...more] })
  if (failed.length > 0) {
    const kinds = Map.groupBy(failed, ({ type, http_status, error }) => `${type}: ${http_status ?? error}`)
    const lines = [...kinds].map(([kind, { length }]) => `${length} × ${kind}`)
    const isRace = failed.length < responses.length && failed.every(isFastServerError)
    const when = isRace ? 'that arrive at the same time fail' : 'fail under load'
    const problem = `${failed.length} of ${responses.length} valid deliveries ${when}.`
    add('failures', 'high', { problem, fix: isRace ? SHARE_NOTHING : RESPOND_FIRST }, lines.slice(0, 4))
  }
  const isLate = durationMs > 1.25 * plannedMs + OVERRUN_MS || responses.length < total
  const problem = isLate
    ? `The app handles only ${perSecond} events per second.`
    : 'The app responds slowly under load, because the handler does its work before the response.'
  if (failed.length === 0 && (isLate || p99 > MAX_P99_MS || p50 > MAX_P50_MS))
    add('slow', 'medium', { problem, fix: RESPOND_FIRST })
  return findings
}

/** An app that is overloaded responds late or not at all. */
function isFastServerError({ http_status, duration_ms }: TimedResponse): boolean {
  return http_status !== null && http_status >= 500 && duration_ms < MAX_P50_MS
}

const INDEX =
  'Use a database index to find an event by its id. Do not read or write all earlier events for each event.'
const SHARE_NOTHING =
  'Do not share a connection or a transaction between requests. Take a connection from a pool for each request, or wait for the API before the transaction.'
const RESPOND_FIRST =
  'Store the event, respond with 2xx, and do slow work such as e-mails and requests afterwards. Never block the process or handle one event at a time.'
