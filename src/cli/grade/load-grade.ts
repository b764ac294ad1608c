import { type Event, events } from '../../api/index.ts'
import { waitUnlessAborted } from '../../client/timing.ts'
import { isJsonObject } from '../../domain/core/json-object.ts'
import type { GradeFinding, Severity } from '../../presentation/grade-report.ts'
import type { ScenarioRun } from '../explore/run/run-context.ts'
import { listObjects } from '../request/paginate.ts'
import { readNewestSequence } from '../request/recent-events.ts'
import {
  type CheckResponse,
  type HandlerTestClient,
  isAccepted,
  type SignedRequest,
} from '../webhook-tools/handler-check.ts'
import { deleteRunEndpoint, openCustomerScenario } from './customer-scenario.ts'
import { type GradeConfig, listSaleTypes } from './grade-config.ts'
import type { ClassResult } from './grade-result.ts'
import type { GradedHandler } from './handler-grade.ts'
import { createGrowthFinding, isGrowing, type SingleTimes } from './response-growth.ts'
import { type CustomerCheck, createStateChecks, type ScenarioStepCause } from './state-checks.ts'
import { evaluateStateField } from './state-findings.ts'
import { UNKNOWN_PATH } from './webhook-path.ts'

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
const ALONE_MS = 4000
/** The time by which requests to an unknown path may take longer than the deliveries, in milliseconds. */
const UNKNOWN_PATH_MS = 500
/** The part of the single responses that other processes delay least. */
const UNDISTURBED = 0.05
/** The number of loads that prove a growth. A further load follows only if the response times grew until then. */
const MAX_LOADS = 3
/** The duration after which the load ends, as a multiple of the planned duration, and in milliseconds. */
const MAX_OVERRUN = 3
const OVERRUN_MS = 1000

export interface LoadGradeOptions {
  readonly handler: GradedHandler
  readonly tools: HandlerTestClient
  /** A clock for durations, with fractions of milliseconds. */
  readonly monotonicMs: () => number
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
  await deleteRunEndpoint(run)
  const scenario = await openCustomerScenario(run, config)
  const sells = listSaleTypes(config)
  const sellTo = async (index: number) => {
    const sale = sells[index % sells.length] ?? 'payments'
    const customer = await scenario.addCustomer(`load${index}`, sale)
    if (sale === 'subscriptions') await scenario.subscribe(customer, { amount: 2500, card: 'visa' })
    else for (const amount of [1999, 1100]) await scenario.pay(customer, amount)
  }
  const createLanes: CreateLanes = async (customers) => {
    const known = scenario.customers.length
    const sequence = { gt: await readNewestSequence(run.client) }
    for (let sold = 0; sold < customers; sold += CONCURRENT_SALES)
      await Promise.all(
        Array.from({ length: Math.min(CONCURRENT_SALES, customers - sold) }, (_, index) =>
          sellTo(known + sold + index),
        ),
      )
    const { found } = await listObjects(run.client, events.list, { sequence }, 100_000)
    const lanes = Map.groupBy(found.toReversed(), customerOf)
    lanes.delete('')
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
 * Sends a load, and further loads while the response times grow. `alone` contains the times of single requests before
 * the load.
 */
async function sendLoads(
  createLanes: CreateLanes,
  alone: SingleTimes,
  options: LoadGradeOptions,
): Promise<ClassResult> {
  const { rate = DEFAULT_RATE, seconds = DEFAULT_SECONDS } = options.config
  const customers = Math.ceil((rate * seconds) / EVENTS_PER_CUSTOMER)
  const times: SingleTimes[] = []
  const loads: Load[] = []
  const findings: GradeFinding[] = []
  while (loads.length < MAX_LOADS && isGrowing(alone, times)) {
    const load = await sendLoad(await createLanes(customers), options)
    loads.push(load)
    findings.push(...listLoadFindings(load))
    if (findings.some(({ severity }) => severity === 'high')) break
    times.push(await sendAlone(createLanes, options))
  }
  const checks = loads.reduce((sum, { responses }) => sum + responses.length, 0)
  if (times.length === MAX_LOADS && isGrowing(alone, times))
    return { class: 'load', findings: [createGrowthFinding([alone, ...times], checks)], checks, notes: [] }
  const notes = findings.length > 0 ? [] : loads.slice(0, 1).map(describeLoad)
  return { class: 'load', findings: findings.slice(-1), checks, notes }
}

/** Sends events of new customers one by one, and measures the response times. A slow handler receives fewer events. */
async function sendAlone(createLanes: CreateLanes, options: LoadGradeOptions): Promise<SingleTimes> {
  const { handler, tools, monotonicMs } = options
  const startedMs = monotonicMs()
  const other = { url: new URL(UNKNOWN_PATH, handler.url).href, headers: {}, body: '{}' }
  const times = { delivery: [] as number[], unknownPath: [] as number[] }
  const summarize = () => ({
    delivery: percentile(times.delivery, UNDISTURBED),
    unknownPath: percentile(times.unknownPath, UNDISTURBED),
  })
  const measure = async (request: SignedRequest): Promise<number> => {
    const sentMs = monotonicMs()
    const { http_status } = await tools.send(request)
    return http_status === null ? Infinity : monotonicMs() - sentMs
  }
  for (let customers = 0; customers < MAX_ALONE && monotonicMs() - startedMs < ALONE_MS; customers += 2)
    for (const event of (await createLanes(2)).flat()) {
      const delivery = await measure(tools.sign(handler.url, handler.secret, event))
      if (delivery === Infinity) return summarize()
      times.delivery.push(delivery)
      if (sumOf(times.unknownPath) <= sumOf(times.delivery) + UNKNOWN_PATH_MS)
        times.unknownPath.push(await measure(other))
    }
  return summarize()
}

async function sendLoad(lanes: readonly Lane[], options: LoadGradeOptions): Promise<Load> {
  const { handler, tools, monotonicMs, signal } = options
  const { rate = DEFAULT_RATE } = options.config
  const total = lanes.reduce((sum, { length }) => sum + length, 0)
  const plannedMs = (1000 * total) / rate
  const responses: TimedResponse[] = []
  // Send events in pulses, because a fast app would never handle evenly spaced events at the same time.
  const pulse = Math.min(PULSE_SIZE, lanes.length)
  const startedMs = monotonicMs()
  const sendLane = async (lane: Lane, index: number) => {
    for (const [turn, event] of lane.entries()) {
      const position = turn * lanes.length + index
      const dueMs = startedMs + ((position - (position % pulse)) * 1000) / rate
      if (monotonicMs() < dueMs) await waitUnlessAborted(dueMs - monotonicMs(), signal)
      if (monotonicMs() - startedMs > MAX_OVERRUN * plannedMs + OVERRUN_MS) return
      signal.throwIfAborted()
      responses.push({
        ...(await tools.send(tools.sign(handler.url, handler.secret, event))),
        type: event.type,
      })
    }
  }
  await Promise.all(lanes.map(sendLane))
  return { responses, total, plannedMs, durationMs: monotonicMs() - startedMs }
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

function sumOf(times: readonly number[]): number {
  return times.reduce((sum, time) => sum + time, 0)
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

const SHARE_NOTHING =
  'Do not share a connection or a transaction between requests. Take a connection from a pool for each request, or wait for the API before the transaction.'
const RESPOND_FIRST =
  'Store the event, respond with 2xx, and do slow work such as emails and requests afterwards. Never block the process or handle one event at a time.'
