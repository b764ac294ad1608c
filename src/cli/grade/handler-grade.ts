import { type Event, events } from '../../api/index.ts'
import { getEventExample } from '../../api/openapi/event-examples.ts'
import { waitUnlessAborted } from '../../client/timing.ts'
import { EVENT_TYPES } from '../../domain/core/event-types.ts'
import type { GradeFinding, Severity } from '../../presentation/grade-report.ts'
import type { ScenarioRun } from '../explore/run/run-context.ts'
import { listObjects } from '../request/paginate.ts'
import {
  type CheckCaseReport,
  createCheckReport,
  createSampleEvent,
  type HandlerCase,
  type HandlerTestClient,
  isAccepted,
  runCheckCases,
} from '../webhook-tools/handler-check.ts'
import { readAppStateFields } from './app-state.ts'
import { type CustomerScenario, openCustomerScenario, type ScenarioCustomer } from './customer-scenario.ts'
import { type GradeConfig, listSaleTypes } from './grade-config.ts'
import type { ClassResult } from './grade-result.ts'

/** Responses that take longer are findings in the classes that measure response times. */
const SLOW_MS = 5000
/** The deliveries whose responses show how the handler treats duplicates, order and unknown events. */
const ORDER_CASES: ReadonlySet<string> = new Set([
  ...['duplicate', 'younger_first', 'older_second', 'unknown_type', 'unknown_field'],
])
/** The forgeries that are also tried with other event types, because handlers may verify some types only. */
const TYPED_FORGERIES: ReadonlySet<string> = new Set(['bad_signature', 'no_signature', 'stale_timestamp'])
/** The time for background work after a forged delivery. */
const FORGERY_WAIT_MS = 500
const MAX_WITHOUT_RESPONSE = 3
/** Forgeries are sent at the same time, because they must change nothing in any order. */
const CONCURRENT_FORGERIES = 8

/** The webhook handler that is tested. */
export interface GradedHandler {
  readonly url: string
  readonly secret: string
}

/**
 * Returns the finding of a handler that does not respond to a valid delivery, or null. Without this check, every
 * delivery could wait for its time limit. The first of two attempts may wait for the start of the handler.
 */
export async function findUnresponsiveHandler(
  { url, secret }: GradedHandler,
  { event, tools, attempts }: { event: Event; tools: HandlerTestClient; attempts: number },
): Promise<GradeFinding | null> {
  let message: string | null = null
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const response = await tools.send(tools.sign(url, secret, event))
    if (response.http_status !== null) return null
    message = response.error_message
  }
  return {
    ...{ id: 'no_response', severity: 'high' },
    problem: 'The handler does not respond to a valid delivery.',
    evidence: [`sent ${event.type} to ${url}: ${message}`],
    fix: 'Respond with 2xx as soon as the event is stored. Respond with 500 when the handler throws an error.',
  }
}

/** Sends the deliveries of `paycli webhooks check`, and forgeries of other event types, to a handler. */
export async function gradeHandler(
  handler: GradedHandler,
  event: Event,
  tools: HandlerTestClient,
): Promise<ClassResult[]> {
  const forged = EVENT_TYPES.flatMap((type) =>
    tools
      .createCases(handler.url, handler.secret, { ...getEventExample(type), created: event.created })
      .filter(({ name }) => TYPED_FORGERIES.has(name))
      .map((one) => ({
        ...one,
        name: `${one.name} of ${type}`,
        description: `${one.description} (${type})`,
      })),
  )
  const cases = tools.createCases(handler.url, handler.secret, event)
  const valid = await sendCases(
    cases.filter(({ shouldAccept }) => shouldAccept),
    tools,
  )
  const rejected = [...cases.filter(({ shouldAccept }) => !shouldAccept), ...forged]
  const reports = isOver(valid)
    ? valid
    : [...valid, ...(await sendCases(rejected, tools, CONCURRENT_FORGERIES))]
  const { trials } = createCheckReport(handler.url, reports)
  const isOrder = ({ name }: CheckCaseReport) => ORDER_CASES.has(name)
  return [
    toResult(
      'authenticity',
      trials.filter((one) => !isOrder(one)),
    ),
    toResult('duplicates', trials.filter(isOrder)),
  ]
}

/** Returns whether to stop: each further delivery to an unresponsive handler would reach the time limit. */
function isOver(all: readonly CheckCaseReport[]): boolean {
  return all.filter(({ http_status }) => http_status === null).length >= MAX_WITHOUT_RESPONSE
}

function sendCases(cases: readonly HandlerCase[], tools: HandlerTestClient, concurrency = 1) {
  return runCheckCases(cases, ({ request }) => tools.send(request), { slowMs: SLOW_MS, isOver, concurrency })
}

function toResult(name: 'authenticity' | 'duplicates', trials: readonly CheckCaseReport[]): ClassResult {
  const findings = trials.flatMap((trial): GradeFinding[] => {
    const { verdict, expected, http_status, error, hint, explained_by } = trial
    if ((verdict !== 'failed' && verdict !== 'warning') || explained_by !== null) return []
    const severity = severityOf(trial)
    const [problem = '', fix = ''] = (hint ?? '').split(/[:.] (.*)/s)
    return [
      {
        ...{
          id: trial.name,
          severity,
          problem: `${problem.replace(/\.$/, '')}.`,
          fix: sentence(fix || problem),
        },
        evidence: [
          `sent ${trial.sent}: got ${http_status ?? error}, must be ${expected === 'taken' ? '2xx' : '4xx'}`,
        ],
      },
    ]
  })
  const proved = trials.filter(({ verdict }) => verdict !== 'unproven').length
  const notes =
    proved < trials.length
      ? ['The handler rejects valid deliveries, so its other responses are inconclusive.']
      : []
  return { class: name, findings: joinFindings(findings), checks: proved, notes }
}

function severityOf({ name, verdict, expected, http_status }: CheckCaseReport): Severity {
  // A 413 has a low severity, because events rarely exceed the usual limits of frameworks.
  if (verdict === 'warning' || http_status === 413) return 'low'
  const isForgeryAccepted = expected === 'refused' && isAccepted({ http_status })
  return isForgeryAccepted || name === 'valid' ? 'high' : 'medium'
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Joins findings of the same problem, such as a forgery of several event types. */
function joinFindings(findings: readonly GradeFinding[]): GradeFinding[] {
  const ids = new Set(findings.filter(({ severity }) => severity === 'high').map(({ id }) => id))
  const isUnverified = UNVERIFIED.every((name) => ids.has(name))
  const keyOf = ({ problem, severity }: GradeFinding) => (isUnverified && severity === 'high' ? '' : problem)
  return [...Map.groupBy(findings, keyOf)].flatMap(([key, [first, ...others]]) => {
    if (first === undefined) return []
    const evidence = [first, ...others].flatMap((one) => one.evidence).slice(0, MAX_EVIDENCE)
    return [{ ...first, evidence, ...(key === '' && { problem: 'The handler verifies no signature.' }) }]
  })
}

/** A handler that accepts these forgeries does not verify signatures. */
const UNVERIFIED = ['bad_signature', 'no_signature', 'changed_body']
const MAX_EVIDENCE = 5

export interface PurchaseGradeOptions {
  readonly handler: GradedHandler
  readonly tools: HandlerTestClient
  /** Whether to read the state of the app after forged events of a purchase. */
  readonly isObserved: boolean
}

/** Sells to a customer, and sends copies and forgeries of the events of the purchase to the handler. */
export async function gradePurchase(
  run: ScenarioRun,
  config: GradeConfig,
  options: PurchaseGradeOptions,
): Promise<ClassResult[]> {
  const scenario = await openCustomerScenario(run, config)
  const buyer = await scenario.addCustomer('buyer', 'payments')
  const sells = listSaleTypes(config)
  if (sells.includes('payments')) await scenario.pay(buyer, 1999)
  if (sells.includes('subscriptions')) await scenario.subscribe(buyer, { amount: 2500, card: 'visa' })
  const forged = options.isObserved ? [await gradeForgedPurchase(scenario, buyer, config, options)] : []
  await run.quiescence.waitUntilQuiet()
  // Apps may retrieve the object of the event, so it must exist.
  const type = sells.includes('subscriptions') ? 'invoice.paid' : 'payment.succeeded'
  const { found } = await listObjects(run.client, events.list, { type }, 1)
  const event = found[0] ?? createSampleEvent(scenario.startedAt)
  return [...(await gradeHandler(options.handler, event, options.tools)), ...forged]
}

/**
 * Sends forged events of a purchase for a customer without purchases. The app must neither give access nor count money,
 * even if it rejects the deliveries.
 */
async function gradeForgedPurchase(
  scenario: CustomerScenario,
  buyer: ScenarioCustomer,
  config: GradeConfig,
  { handler, tools }: PurchaseGradeOptions,
): Promise<ClassResult> {
  const { run } = scenario
  const victim = await scenario.addCustomer('forged', 'payments')
  await run.quiescence.waitUntilQuiet()
  const { found } = await listObjects(run.client, events.list, {}, 1000)
  const own = found.toReversed().filter((event) => JSON.stringify(event).includes(buyer.id))
  const cases = own
    .filter(({ type }) => type !== 'customer.created')
    .flatMap((event) =>
      tools
        .createCases(handler.url, handler.secret, replaceIds(event, buyer, victim))
        .filter(({ name }) => TYPED_FORGERIES.has(name))
        .map((one) => ({ ...one, description: `${event.type} ${one.name}` })),
    )
  const reports = await sendCases(cases, tools, CONCURRENT_FORGERIES)
  await waitUnlessAborted(FORGERY_WAIT_MS, run.signal)
  const readStateOf = (customer: ScenarioCustomer) =>
    readAppStateFields(run, config, { ...customer, now: scenario.now() })
  const state = await readStateOf(victim)
  // If a genuine purchase has no effect, the test with the forged purchase is inconclusive.
  const isProof = Object.values(await readStateOf(buyer)).some(Boolean)
  const finding: GradeFinding = {
    ...{ id: 'forged_purchase', severity: 'high' },
    problem: 'The app rejects forged deliveries, but still processes their events.',
    evidence: [
      ...reports.slice(0, 3).map(({ sent, http_status, error }) => `${sent}: got ${http_status ?? error}`),
      `customer ${victim.id}, who bought nothing: access ${state.access}, paid ${state.paid}`,
    ],
    fix: 'Return right after the error response, before any effect. Verify the signature first.',
  }
  // If a forgery was accepted, there is already a finding.
  const isFooled = !reports.some(isAccepted) && Object.values(state).some(Boolean)
  return { class: 'authenticity', findings: isFooled ? [finding] : [], checks: isProof ? 1 : 0, notes: [] }
}

/** Returns a copy of an event that belongs to another customer, with other ids that the app does not know. */
function replaceIds(event: Event, from: ScenarioCustomer, to: ScenarioCustomer): Event {
  const text = JSON.stringify(event)
    .replaceAll(from.id, to.id)
    .replaceAll(from.user, to.user)
    .replace(/"((?:evt|py|py_sess|cks|in|sub|si|il|pm|re)_\w+)"/g, (whole, id: string) =>
      id.length < 12 ? whole : `"${id.slice(0, -4)}fgd${id.slice(-1)}"`,
    )
  return JSON.parse(text)
}
