import { exampleAnswers } from '../api/examples.ts'
import type { Event } from '../domain/events.ts'
import { sanitizeText } from '../domain/sanitize.ts'
import type { Style } from './style.ts'

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
  return { name, sent, expected, http_status, error, duration_ms, passed: hint === null, hint }
}

function problemWith(
  { expected, otherwise }: Pick<Trial, 'expected' | 'otherwise'>,
  { http_status, error, error_message }: Outcome,
): string | null {
  if (http_status === null || error === 'redirect' || (error !== null && error !== 'http_status'))
    return error_message
  const isTaken = http_status < 300
  if (expected === 'taken') return isTaken ? null : (BY_STATUS[http_status] ?? otherwise)
  if (isTaken) return otherwise
  return http_status < 500 ? null : `It answered ${http_status}, so it failed over it. Answer 400 instead.`
}

function slowness(durationMs: number, slowMs: number): string | null {
  if (durationMs <= slowMs) return null
  return `It took ${durationMs} ms, more than ${slowMs}. Answer first and do the work afterwards.`
}

/** The trials as one report. */
export function reportCheck(url: string, trials: readonly TrialReport[]): CheckReport {
  const passed = trials.filter((trial) => trial.passed).length
  return { object: 'webhook_check', url, passed, failed: trials.length - passed, trials }
}

/** The report for people: a line for each trial, and what to do about those that failed. */
export function viewCheck({ passed, failed, trials }: CheckReport, style: Style): string {
  const width = Math.max(...trials.map(({ name }) => name.length))
  const lines = trials.flatMap(
    ({ name, sent, expected, http_status, error, duration_ms, hint, passed: ok }) => {
      const mark = ok ? style.green('✓') : style.red('✗')
      const answer = `${http_status ?? error}`.padEnd(8)
      const line = `${mark} ${name.padEnd(width)}  ${answer}  ${String(duration_ms).padStart(5)} ms  ${style.dim(`${sent}, to be ${expected}`)}`
      return hint === null ? [line] : [line, `  ${sanitizeText(hint)}`]
    },
  )
  return `${lines.join('\n')}\n\n${passed} passed, ${failed} failed\n`
}
