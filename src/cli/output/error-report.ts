import { stripVTControlCharacters } from 'node:util'
import { nearestName } from '../../api/schema/spelling.ts'
import { ApiError } from '../../client/api-error.ts'
import { ConnectionError } from '../../client/connection-error.ts'
import type { ValidationError } from '../../domain/domain-error.ts'
import { maskSecrets } from '../../domain/masking.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { Explained } from '../errors/annotated-error.ts'
import { Unmet } from '../errors/expectation-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { inFlagWords } from '../parse/error-flags.ts'
import { inCommandWords } from './error-commands.ts'
import { isParserError } from './exit-codes.ts'
import { approvalUrl, hintFor } from './hints.ts'
import { renderJson } from './output.ts'
import type { Style } from './style.ts'

/** An error as a command tells it. */
export interface ErrorReport {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly param: string | null
  readonly hint: string | null
  readonly status?: number
  readonly decline_code?: string
  readonly request_id?: string
  /** The key of a request that may have been carried out: with it it can be sent again. */
  readonly idempotency_key?: string
  /** Where the buyer approves a payment that waits for it. */
  readonly approve_url?: string
  /** All problems of the request, when there are several. */
  readonly errors?: readonly ValidationError[]
}

/** The command that tells an error. */
interface Teller {
  /** What to look up in the help, such as `paycli customers create`. */
  readonly command: string
  /** The names of the flags it has. */
  readonly flags?: readonly string[]
  /** Those of them that stand for parameters of the request; all of them unless its body came as JSON. */
  readonly spoken?: readonly string[]
}

/** Codes for oclif's own errors, which carry none, by the name of their class. */
const PARSER_CODES: Readonly<Record<string, string>> = {
  RequiredArgsError: 'argument_missing',
  UnexpectedArgsError: 'argument_unknown',
  NonExistentFlagsError: 'flag_unknown',
  FlagInvalidOptionError: 'flag_invalid',
  FailedFlagValidationError: 'flag_invalid',
}

/** Turns any error into what the command tells of it. */
export function reportOf(error: unknown, teller: Teller): ErrorReport {
  if (!(error instanceof Explained)) return reportOfBare(error, teller)
  const { done, hint } = error.more
  const report = reportOf(error.reason, teller)
  const message = done === undefined ? report.message : `${report.message} ${done}`
  return { ...report, message, hint: hint ?? report.hint }
}

function reportOfBare(error: unknown, { command, flags = [], spoken = flags }: Teller): ErrorReport {
  if (error instanceof ApiError) return reportOfAnswer(error, spoken)
  if (error instanceof ConnectionError) return reportOfSilence(error, flags)
  if (error instanceof StartupProblem) {
    return { type: 'startup_error', code: error.code, message: error.message, param: null, hint: null }
  }
  if (error instanceof Unmet) {
    const { code, message, hint } = error
    return { type: 'assertion_error', code, message, param: null, hint }
  }
  const help = `See ${command} --help`
  if (error instanceof UsageError) {
    const { code, message, param, hint } = error
    return { type: 'usage_error', code, message, param, hint: hint ?? help, ...misspelling(error) }
  }
  if (isParserError(error)) {
    const code = PARSER_CODES[error.constructor.name] ?? 'usage_invalid'
    const message = withoutFrills(error.message)
    const meant = code === 'flag_unknown' ? nearestFlag(message, flags) : null
    return { type: 'usage_error', code, message, param: null, hint: meant ?? help }
  }
  const message = error instanceof Error ? error.message : String(error)
  const hint = 'This looks like a bug in paycli; PAYCLI_DEBUG=1 shows where it happened.'
  return { type: 'unexpected_error', code: 'unexpected', message, param: null, hint }
}

// A misspelt name is the cause of the missing one, so it leads.
function misspelling({ message, strangers }: UsageError): Partial<ErrorReport> {
  const { given, known } = strangers
  for (const name of given) {
    const meant = nearestName(name.toLowerCase().replaceAll('-', '_'), known)
    if (meant === null) continue
    const told = `Unknown parameter: ${name}. Did you mean ${meant}? ${message}`
    return { code: 'parameter_unknown', param: name, message: told }
  }
  return given.length === 0 ? {} : { message: `${message} Not known here: ${given.join(', ')}.` }
}

const KEY_FLAG = 'idempotency-key'

function reportOfSilence(error: ConnectionError, flags: readonly string[]): ErrorReport {
  const { code, message, hint, idempotencyKey } = error
  const report = { type: 'connection_error', code, message, param: null, hint }
  if (idempotencyKey === null) return report
  const keyed = { ...report, idempotency_key: idempotencyKey }
  if (!flags.includes(KEY_FLAG)) return keyed
  const again = `Repeat it as it was, with --${KEY_FLAG} ${quoted(idempotencyKey)}`
  return {
    ...keyed,
    message: message.replace(hint, 'It may have been carried out.'),
    hint: `${again}: it is carried out once.`,
  }
}

function quoted(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function nearestFlag(message: string, flags: readonly string[]): string | null {
  const [, given = ''] = /--?([\w-]+)/.exec(message) ?? []
  const nearest = nearestName(given.toLowerCase().replaceAll('_', '-'), flags)
  return nearest === null ? null : `Did you mean --${nearest}?`
}

function reportOfAnswer({ status, error }: ApiError, flags: readonly string[]): ErrorReport {
  const approve_url = approvalUrl(error)
  const { type, code, param, decline_code, request_id } = error
  const inWords = <P extends Pick<ValidationError, 'message' | 'param'>>(problem: P): P => ({
    ...problem,
    message: inCommandWords(inFlagWords(problem.message, problem.param, flags)),
  })
  const { message } = inWords(error)
  const errors = error.errors.map(inWords)
  return {
    type,
    code,
    message,
    param,
    hint: hintFor(error),
    status,
    ...(decline_code === null ? {} : { decline_code }),
    ...(request_id === null ? {} : { request_id }),
    ...(approve_url === null ? {} : { approve_url }),
    ...(errors.length > 1 ? { errors } : {}),
  }
}

// What oclif says for people who look at its help on the same screen, in fewer words. It colours its text by itself, and
// quotes values, also those of environment variables.
function withoutFrills(message: string): string {
  return maskSecrets(stripVTControlCharacters(message))
    .replace(/\nSee more help with --help/g, '')
    .replace(/^Missing \d+ required args?:\n(\S+).*$/s, 'Missing argument: $1.')
    .replace(/^Nonexistent flags?: (.*)$/, 'There is no flag $1.')
    .replace(/^Parsing --\S+\s+/, '')
    .replace(/^The following errors? occurred:\s+/, '')
    .replace(
      /^ *--([\w-]+)=.*? cannot also be provided when using --([\w-]+)/gms,
      '--$1 and --$2 cannot both be given.',
    )
    .trim()
}

/** The report as one JSON document. */
export function jsonReport(report: ErrorReport): string {
  return renderJson({ error: report })
}

/** The report for people, without control characters of whoever wrote the message. */
export function textReport(report: ErrorReport, style: Style): string {
  const { message, hint, errors = [] } = report
  const lines = [`${style.red('Error:')} ${sanitizeText(message)}`]
  for (const problem of errors.slice(1)) lines.push(`       ${sanitizeText(problem.message)}`)
  if (hint !== null && !message.includes(hint)) lines.push(`Hint:  ${sanitizeText(hint)}`)
  if (report.status !== undefined) lines.push(style.dim(sanitizeText(`       ${originOf(report)}`)))
  return `${lines.join('\n')}\n`
}

function originOf({ code, decline_code, status, request_id }: ErrorReport): string {
  const parts = [code, decline_code, `status ${status}`, request_id]
  return parts.filter((part) => part !== undefined).join(' · ')
}

/** Where an error happened, for whoever looks for a bug. */
export function stackOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : String(error)
  return `${sanitizeText(maskSecrets(stack))}\n`
}
