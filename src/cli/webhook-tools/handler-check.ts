import { exampleAnswers } from '../../api/openapi/examples.ts'
import type { Event } from '../../domain/events.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import type { Style } from '../output/style.ts'

/** A delivery that a handler should get right, as far as the verdict needs it. */
interface Trial {
  readonly name: string
  readonly sent: string
  readonly expected: 'taken' | 'refused'
  readonly otherwise: string
}

/** What came of sending it. */
interface Outcome {
  readonly http_status: number | null
  readonly error: string | null
  readonly error_message: string | null
  readonly duration_ms: number
}

/** How a handler did in one trial. */
export interface TrialReport {
  readonly name: string
  readonly sent: string
  readonly expected: 'taken' | 'refused'
  readonly http_status: number | null
  readonly error: string | null
  readonly duration_ms: number
  /** A refusal is only proven by a handler that takes what it should. */
  readonly verdict: 'passed' | 'failed' | 'unproven'
  readonly passed: boolean
  /** What to do; null when it passed. */
  readonly hint: string | null
}

/** How a handler did in all of them. */
export interface CheckReport {
  readonly object: 'webhook_check'
  readonly url: string
  readonly passed: number
  readonly failed: number
  /** How many refusals prove nothing, because nothing valid was taken. */
  readonly unproven: number
  readonly trials: readonly TrialReport[]
}

const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'The handler asks for credentials: let webhooks in without, and verify their signature.',
  403: 'Something in front of the handler turns the request away: a CSRF check, a firewall, a login.',
  404: 'There is no handler at this path: check the path of the url.',
  405: 'The handler does not take POST at this path.',
  413: 'The body is too large for the handler: raise its limit.',
  415: 'The handler does not take application/json.',
}

/** An event as the service sends it, of a moment in Unix seconds, for a handler to be tried with. */
export function eventFor(created: number): Event {
  return { ...(exampleAnswers('http://127.0.0.1:4100')['event'] as Event), created }
}

/** How a handler did in one trial; an answer that took longer than `slowMs` is a failure too. */
export function judgeTrial(trial: Trial, outcome: Outcome, slowMs: number): TrialReport {
  const { name, sent, expected, otherwise } = trial
  const { http_status, error, duration_ms } = outcome
  const hint = problemWith({ expected, otherwise }, outcome) ?? slowness(duration_ms, slowMs)
  const verdict = hint === null ? 'passed' : 'failed'
  return { name, sent, expected, http_status, error, duration_ms, verdict, passed: hint === null, hint }
}

function problemWith(
  { expected, otherwise }: Pick<Trial, 'expected' | 'otherwise'>,
  { http_status, error, error_message }: Outcome,
): string | null {
  if (http_status === null || error === 'redirect' || (error !== null && error !== 'http_status'))
    return error_message
  if (expected === 'taken') return isTaken(http_status) ? null : (BY_STATUS[http_status] ?? otherwise)
  if (isTaken(http_status)) return otherwise
  return http_status < 500 ? null : `It answered ${http_status}, so it failed over it. Answer 400 instead.`
}

function isTaken(status: number | null): boolean {
  return status !== null && status < 300
}

function slowness(durationMs: number, slowMs: number): string | null {
  if (durationMs <= slowMs) return null
  return `It took ${durationMs} ms, more than ${slowMs}. Answer first and do the work afterwards.`
}

/** The trials as one report. */
export function reportCheck(url: string, trials: readonly TrialReport[]): CheckReport {
  const isProof = trials.some(({ expected, http_status }) => expected === 'taken' && isTaken(http_status))
  const judged = isProof ? trials : trials.map(unproven)
  const count = (verdict: TrialReport['verdict']) => judged.filter((one) => one.verdict === verdict).length
  return {
    object: 'webhook_check',
    url,
    passed: count('passed'),
    failed: count('failed'),
    unproven: count('unproven'),
    trials: judged,
  }
}

// Whatever turns everything away turns forgeries away too.
function unproven(trial: TrialReport): TrialReport {
  if (trial.expected === 'taken' || !trial.passed) return trial
  const hint = 'Not proven: nothing that is valid was taken either. Mend that first.'
  return { ...trial, verdict: 'unproven', passed: false, hint }
}

/** The report for people: a line for each trial, and what to do about those that failed. */
export function viewCheck({ passed, failed, unproven, trials }: CheckReport, style: Style): string {
  const marks = { passed: style.green('✓'), failed: style.red('✗'), unproven: style.bold('?') }
  const width = Math.max(...trials.map(({ name }) => name.length))
  const lines = trials.flatMap(({ name, sent, expected, http_status, error, duration_ms, hint, verdict }) => {
    const mark = marks[verdict]
    const answer = `${http_status ?? error}`.padEnd(8)
    const line = `${mark} ${name.padEnd(width)}  ${answer}  ${String(duration_ms).padStart(5)} ms  ${style.dim(`${sent}, to be ${expected}`)}`
    return hint === null ? [line] : [line, `  ${sanitizeText(hint)}`]
  })
  const rest = unproven === 0 ? '' : `, ${unproven} not proven`
  return `${lines.join('\n')}\n\n${passed} passed, ${failed} failed${rest}\n`
}
