import { getEventExample } from '../../api/openapi/event-examples.ts'
import type { Event } from '../../domain/events/events.ts'
import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { wrapHanging } from '../output/text-layout.ts'
import type { ViewOptions } from '../views/view-options.ts'

/** The fields of a handler test case that the evaluation requires. */
export interface CheckCase {
  readonly name: string
  readonly description: string
  readonly shouldAccept: boolean
  /** Whether accepting the delivery is a warning instead of a failure (default: false). */
  readonly isWarning?: boolean
  readonly advice: string
}

/** The response of the handler. */
export type CheckResponse = Pick<WebhookDelivery, 'http_status' | 'error' | 'error_message'> & {
  readonly duration_ms: number
}

/** A signed webhook request. */
export interface SignedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A test case with the delivery that it sends. */
export interface HandlerCase extends CheckCase {
  readonly request: SignedRequest
}

/** Functions of the webhook layer, which the command provides. */
export interface HandlerTestClient {
  /** Creates the deliveries of `paycli webhooks check` from an event. */
  readonly createCases: (url: string, secret: string, event: Event) => readonly HandlerCase[]
  /** Signs an event with the current time. */
  readonly sign: (url: string, secret: string, event: Event) => SignedRequest
  readonly send: (request: SignedRequest) => Promise<CheckResponse>
  readonly newEventId: () => string
}

/** The result of a test case. */
export interface CheckCaseReport extends Omit<CheckResponse, 'error_message'> {
  readonly name: string
  /** The description of the sent delivery. */
  readonly sent: string
  /** `taken`: the handler should return 2xx; `refused`: it should return 4xx. */
  readonly expected: 'taken' | 'refused'
  /**
   * `unproven`: the handler rejects the first, valid delivery, so other rejections are inconclusive. `warning`: the
   * handler passes, but is less strict than recommended.
   */
  readonly verdict: 'passed' | 'warning' | 'failed' | 'unproven'
  readonly passed: boolean
  /** The problem of the handler and its fix; null when the verdict is `passed`. */
  readonly hint: string | null
  /** The name of the failed test case that explains this result, or null. */
  readonly explained_by: string | null
}

const SECRET_ADVICE =
  'To set PAYCLI_WEBHOOK_SECRET of the handler, run npx paycli status --write .env and restart it.'
const HINTS_BY_STATUS: Readonly<Record<number, string>> = {
  404: 'There is no handler at this path: check the path of the URL.',
  405: 'The handler does not accept POST: add a route for POST at this path.',
  413: 'The body is too large for the handler: increase the body limit.',
  415: 'The handler does not accept application/json: allow this content type.',
}
/**
 * Hints for a handler that has accepted no delivery. After an accepted delivery, these statuses mean an invalid
 * signature.
 */
const ACCESS_HINTS_BY_STATUS: Readonly<Record<number, string>> = {
  401: `The handler requires credentials, or its secret is wrong: accept webhooks without credentials, and check the secret. ${SECRET_ADVICE}`,
  403: `The secret of the handler is wrong, or the request is rejected before the handler: check the secret, and exempt the path from CSRF checks, firewalls and logins. ${SECRET_ADVICE}`,
}

/** Creates a sample event for test cases; `created` is in Unix seconds. */
export function createSampleEvent(created: number): Event {
  return { ...getEventExample('invoice.paid'), created }
}

export interface EvaluateCaseOptions {
  /** The maximum duration of a response in milliseconds. A slower response is a failure. */
  readonly slowMs: number
  /** Whether the handler has accepted a delivery before (default: false). */
  readonly hasAccepted?: boolean
}

/** Evaluates the response to a test case. */
export function evaluateCase(
  testCase: CheckCase,
  response: CheckResponse,
  options: EvaluateCaseOptions,
): CheckCaseReport {
  const { name, description: sent, shouldAccept, advice, isWarning = false } = testCase
  const expected = shouldAccept ? 'taken' : 'refused'
  const { http_status, error, duration_ms } = response
  const hint = describeProblem(testCase, response, options) ?? describeSlowness(duration_ms, options)
  const failure = isWarning && hint === advice ? 'warning' : 'failed'
  const verdict = hint === null ? 'passed' : failure
  return {
    name,
    sent,
    expected,
    http_status,
    error,
    duration_ms,
    verdict,
    passed: verdict !== 'failed',
    hint,
    explained_by: null,
  }
}

function describeSlowness(durationMs: number, { slowMs }: EvaluateCaseOptions): string | null {
  if (durationMs <= slowMs) return null
  return `The response took ${durationMs} ms, more than ${slowMs} ms: do slow work after the response.`
}

function describeProblem(
  { name, shouldAccept, advice }: CheckCase,
  { http_status, error, error_message }: CheckResponse,
  { hasAccepted = false }: EvaluateCaseOptions,
): string | null {
  if (http_status === null || error === 'redirect' || (error !== null && error !== 'http_status'))
    return error_message?.replace('the url of the endpoint', 'the URL') ?? null
  if (isAccepted({ http_status })) return shouldAccept ? null : advice
  if (!shouldAccept)
    return http_status < 500 ? null : `The handler failed with ${http_status}: return 400 instead.`
  if (name === 'valid' && http_status >= 500)
    return `The handler fails with ${http_status} for a valid event: see its log, and return 2xx also for another event of an object that it has processed.`
  const isSecretWrong = name === 'valid' && !hasAccepted
  const accessHint = hasAccepted ? undefined : ACCESS_HINTS_BY_STATUS[http_status]
  return accessHint ?? HINTS_BY_STATUS[http_status] ?? (isSecretWrong ? `${advice} ${SECRET_ADVICE}` : advice)
}

/** Returns whether a response accepts a delivery. */
export function isAccepted({ http_status: status }: Pick<CheckResponse, 'http_status'>): boolean {
  return status !== null && status >= 200 && status < 300
}

export interface RunCheckCasesOptions {
  readonly slowMs: number
  /** Returns whether the check ends early after these reports, for example because the handler never responds. */
  readonly isOver: (reports: readonly CheckCaseReport[]) => boolean
  /** The number of deliveries that are sent at the same time (default: 1). */
  readonly concurrency?: number
}

/** Sends test cases, and evaluates the responses. */
export async function runCheckCases<T extends CheckCase>(
  testCases: readonly T[],
  send: (testCase: T) => Promise<CheckResponse>,
  { slowMs, isOver, concurrency = 1 }: RunCheckCasesOptions,
): Promise<readonly CheckCaseReport[]> {
  const reports: CheckCaseReport[] = []
  for (let first = 0; first < testCases.length && !isOver(reports); first += concurrency) {
    const hasAccepted = reports.some(hasAcceptedValidDelivery)
    const evaluate = async (testCase: T) =>
      evaluateCase(testCase, await send(testCase), { slowMs, hasAccepted })
    reports.push(...(await Promise.all(testCases.slice(first, first + concurrency).map(evaluate))))
  }
  return reports
}

/** The test case that causes the failure of another test case, by the name of that other case. */
const CAUSES_BY_CASE: ReadonlyMap<string, string> = new Map([
  ['large_unicode', 'formatting'],
  ['unicode', 'formatting'],
  ['whitespace', 'formatting'],
  ['future_paycli', 'no_signature'],
])

/** Replaces the advice of failures and warnings that another failure explains with a reference to that failure. */
function referToCauses(trials: readonly CheckCaseReport[]): readonly CheckCaseReport[] {
  const failed = new Map(trials.filter(({ passed }) => !passed).map((one) => [one.name, one]))
  return trials.map((trial) => {
    const cause = failed.get(CAUSES_BY_CASE.get(trial.name) ?? '')
    if (trial.hint === null || cause?.http_status !== trial.http_status) return trial
    const hint = `The failure of ${cause.name} explains this result too: fix that test first.`
    return { ...trial, hint, explained_by: cause.name }
  })
}

/** Combines the results of all test cases. */
export function createCheckReport(url: string, trials: readonly CheckCaseReport[]) {
  const results = markUnproven(referToCauses(trials))
  const count = (verdict: CheckCaseReport['verdict']) =>
    results.filter((one) => one.verdict === verdict).length
  return {
    object: 'webhook_check',
    url,
    /** The number of passed test cases, including those with a warning. */
    passed: count('passed') + count('warning'),
    warnings: count('warning'),
    failed: count('failed'),
    unproven: count('unproven'),
    trials: results,
  }
}

function hasAcceptedValidDelivery({ expected, http_status }: CheckCaseReport): boolean {
  return expected === 'taken' && isAccepted({ http_status })
}

/** The test cases that send the same valid request. */
const PLAIN_CASES: ReadonlySet<string> = new Set(['valid', 'duplicate'])
const UNPROVEN = 'Not proven, because the handler rejects the valid delivery too: fix this first.'

/** Marks the results that the rejection of the first, valid delivery also explains. */
function markUnproven(trials: readonly CheckCaseReport[]): readonly CheckCaseReport[] {
  const [first, ...others] = trials
  const isAnyAccepted = trials.some((one) => PLAIN_CASES.has(one.name) && hasAcceptedValidDelivery(one))
  if (first === undefined || isAnyAccepted) return trials
  const mark = (trial: CheckCaseReport): CheckCaseReport =>
    isExplainedBy(first, trial) ? { ...trial, verdict: 'unproven', passed: false, hint: UNPROVEN } : trial
  return [first, ...others.map(mark)]
}

function isExplainedBy(first: CheckCaseReport, { expected, http_status, verdict }: CheckCaseReport): boolean {
  if (http_status === null || isAccepted({ http_status })) return false
  const isSameStatus = http_status === first.http_status
  // A status with a specific meaning, such as 413, indicates a problem of a single delivery.
  if (expected === 'taken') return isSameStatus || HINTS_BY_STATUS[http_status] === undefined
  return verdict === 'passed' || (isSameStatus && http_status >= 500)
}

/**
 * Formats the report for a terminal: each test case, with a hint for each failure and warning. A passed test case has one
 * line. The names of the unproven test cases follow together.
 */
export function formatCheckReport(
  report: ReturnType<typeof createCheckReport>,
  { style, width }: Pick<ViewOptions, 'style' | 'width'>,
): string {
  const { url, passed, warnings, failed, unproven, trials } = report
  const marks = {
    passed: style.green('✓'),
    warning: style.yellow('!'),
    failed: style.red('✗'),
  }
  const nameWidth = Math.max(...trials.map(({ name }) => name.length))
  const lines = trials.flatMap(({ name, sent, expected, http_status, error, duration_ms, verdict, hint }) => {
    if (verdict === 'unproven') return []
    const mark = marks[verdict]
    const status = `${http_status ?? error}`.padEnd(8)
    const expectation = `${sent}, must be ${expected === 'taken' ? 'accepted' : 'rejected'}`
    const start = `${name.padEnd(nameWidth)}  ${status}  ${String(duration_ms).padStart(5)} ms  `
    if (verdict === 'passed' && start.length + 2 + expectation.length > width)
      return [`${mark} ${start.trimEnd()}`]
    const [first = '', ...rest] = wrapHanging(`  ${start}`, expectation, width)
    const hints = hint === null ? [] : wrapHanging('  ', escapeUnsafeCharacters(hint), width)
    return [`${mark} ${start}${style.dim(first.slice(start.length + 2))}`, ...rest.map(style.dim), ...hints]
  })
  const unprovenNames = trials.filter(({ verdict }) => verdict === 'unproven').map(({ name }) => name)
  if (unproven > 0) {
    lines.push(...wrapHanging(`${style.bold('?')} `, UNPROVEN, width))
    lines.push(...wrapHanging('  ', unprovenNames.join(', '), width).map(style.dim))
  }
  const rest = [
    ...(unproven === 0 ? [] : [`, ${unproven} not proven`]),
    ...(warnings === 0 ? [] : [`, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`]),
  ].join('')
  const target = failed === 0 ? '' : `Posted to ${escapeUnsafeCharacters(url)}\n`
  return `${lines.join('\n')}\n\n${target}${passed} passed, ${failed} failed${rest}\n`
}
