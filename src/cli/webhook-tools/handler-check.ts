import { exampleEvent } from '../../api/openapi/event-examples.ts'
import type { Event } from '../../domain/events.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import type { Style } from '../output/style.ts'

/** The fields of a handler test case that the evaluation requires. */
interface CheckCase {
  readonly name: string
  readonly description: string
  readonly shouldAccept: boolean
  readonly advice: string
}

/** The response of the handler. */
interface CheckResponse {
  readonly http_status: number | null
  readonly error: string | null
  readonly error_message: string | null
  readonly duration_ms: number
}

/** The result of a test case. */
export interface CheckCaseReport extends Omit<CheckResponse, 'error_message'> {
  readonly name: string
  /** Describes the delivery. */
  readonly sent: string
  /** `taken`: the handler should return 2xx; `refused`: it should return 4xx. */
  readonly expected: 'taken' | 'refused'
  /** `unproven` when the handler rejects every delivery, because its rejections then prove nothing. */
  readonly verdict: 'passed' | 'failed' | 'unproven'
  readonly passed: boolean
  /** Advice for fixing the handler; null when it passed. */
  readonly hint: string | null
}

/** The results of all test cases. */
export interface CheckReport {
  readonly object: 'webhook_check'
  readonly url: string
  readonly passed: number
  readonly failed: number
  readonly unproven: number
  readonly trials: readonly CheckCaseReport[]
}

const HINTS_BY_STATUS: Readonly<Record<number, string>> = {
  401: 'The handler requires credentials. Accept webhooks without, and verify their signature.',
  403: 'The request is rejected before the handler, for instance by a CSRF check, a firewall or a login.',
  404: 'There is no handler at this path. Check the path of the URL.',
  405: 'The handler does not accept POST at this path.',
  413: 'The body is too large for the handler. Increase its limit.',
  415: 'The handler does not accept application/json.',
}

/** Creates a sample event for test cases; `created` is in Unix seconds. */
export function createSampleEvent(created: number): Event {
  return { ...exampleEvent('invoice.paid'), created }
}

/** Evaluates the response to a test case. A response slower than `slowMs` is a failure. */
export function evaluateCase(testCase: CheckCase, response: CheckResponse, slowMs: number): CheckCaseReport {
  const { name, description: sent, shouldAccept } = testCase
  const expected = shouldAccept ? 'taken' : 'refused'
  const { http_status, error, duration_ms } = response
  const slowness = `The response took ${duration_ms} ms, more than ${slowMs} ms. Respond first and do the work afterwards.`
  const hint = describeProblem(testCase, response) ?? (duration_ms > slowMs ? slowness : null)
  const verdict = hint === null ? 'passed' : 'failed'
  return { name, sent, expected, http_status, error, duration_ms, verdict, passed: hint === null, hint }
}

function describeProblem(
  { shouldAccept, advice }: CheckCase,
  { http_status, error, error_message }: CheckResponse,
): string | null {
  if (http_status === null || error === 'redirect' || (error !== null && error !== 'http_status'))
    return error_message
  if (shouldAccept) return isAccepted(http_status) ? null : (HINTS_BY_STATUS[http_status] ?? advice)
  if (isAccepted(http_status)) return advice
  return http_status < 500 ? null : `The handler failed with ${http_status}. Return 400 instead.`
}

function isAccepted(status: number | null): boolean {
  return status !== null && status < 300
}

/** Combines the results of all test cases. */
export function createCheckReport(url: string, trials: readonly CheckCaseReport[]): CheckReport {
  const isAnyAccepted = trials.some(
    ({ expected, http_status }) => expected === 'taken' && isAccepted(http_status),
  )
  const results = isAnyAccepted ? trials : trials.map(markUnproven)
  const count = (verdict: CheckCaseReport['verdict']) =>
    results.filter((one) => one.verdict === verdict).length
  return {
    object: 'webhook_check',
    url,
    passed: count('passed'),
    failed: count('failed'),
    unproven: count('unproven'),
    trials: results,
  }
}

// A handler that rejects everything also rejects invalid signatures.
function markUnproven(trial: CheckCaseReport): CheckCaseReport {
  if (trial.expected === 'taken' || !trial.passed) return trial
  const hint = 'Not proven: the handler rejects valid deliveries too. Fix that first.'
  return { ...trial, verdict: 'unproven', passed: false, hint }
}

/** Formats the report: a line per test case, with a hint for each failure. */
export function formatCheckReport({ passed, failed, unproven, trials }: CheckReport, style: Style): string {
  const marks = { passed: style.green('✓'), failed: style.red('✗'), unproven: style.bold('?') }
  const width = Math.max(...trials.map(({ name }) => name.length))
  const lines = trials.flatMap(({ name, sent, expected, http_status, error, duration_ms, hint, verdict }) => {
    const mark = marks[verdict]
    const status = `${http_status ?? error}`.padEnd(8)
    const expectation = `${sent}, must be ${expected === 'taken' ? 'accepted' : 'rejected'}`
    const line = `${mark} ${name.padEnd(width)}  ${status}  ${String(duration_ms).padStart(5)} ms  ${style.dim(expectation)}`
    return hint === null ? [line] : [line, `  ${sanitizeText(hint)}`]
  })
  const rest = unproven === 0 ? '' : `, ${unproven} not proven`
  return `${lines.join('\n')}\n\n${passed} passed, ${failed} failed${rest}\n`
}
