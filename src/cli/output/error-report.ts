import { findNearestName } from '../../api/schema/spelling.ts'
import { ApiError } from '../../client/api-error.ts'
import { ConnectionError, PROGRAM_ADVICE_PATTERN } from '../../client/connection-error.ts'
import type { ValidationError } from '../../domain/core/domain-error.ts'
import { StartupError } from '../../domain/core/startup-error.ts'
import { escapeUnsafeCharacters } from '../../domain/text/sanitize.ts'
import { maskKeysAndSecrets, maskSecretsAndCardNumbers } from '../../domain/text/secret-masking.ts'
import { quoteForShell } from '../../domain/text/shell-quote.ts'
import { isDiskFullError } from '../../store/disk/disk-full.ts'
import { AnnotatedError } from '../errors/annotated-error.ts'
import { getErrorMessage } from '../errors/error-fields.ts'
import { ExpectationError } from '../errors/expectation-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { findApprovalUrl, findErrorHint, formatMissingInputHint, toCommandLineTerms } from './error-hints.ts'
import { getStderrWidth, renderJson } from './output.ts'
import { replaceProgramName } from './program-name.ts'
import { findFlagForStripeFlag } from './stripe-names.ts'
import { createStyle, isColorEnabled, type Style } from './style.ts'
import { wrapProse } from './text-layout.ts'

/** The printed form of an error. */
export interface ErrorReport {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly param: string | null
  readonly hint: string | null
  readonly status?: number
  readonly decline_code?: string
  readonly request_id?: string
  /** The idempotency key of a request without a response. With the same key, the request can safely be repeated. */
  readonly idempotency_key?: string
  /** The page on which the cardholder approves the payment. */
  readonly approve_url?: string
  /** All validation errors, if there are several. */
  readonly errors?: readonly ValidationError[]
}

/** The command that failed. */
interface ErrorReportOptions {
  /** The full command name, such as `paycli customers create`. */
  readonly command: string
  /** The names of the command's flags. */
  readonly flags?: readonly string[]
  /** The flags that hints about API parameters may name (default: all). */
  readonly paramFlags?: readonly string[]
  /** The first example of the command. */
  readonly example?: string | undefined
  /** Returns the commands that have a flag, the most similar first. */
  readonly findOwners?: (flag: string) => readonly string[]
  /** Returns the command of another topic, such as `payment-sessions`, for an id; null without such a command. */
  readonly findCommandOf?: (topic: string, id: string) => string | null
}

const INPUT_WRONG = /^(?:argument_missing|argument_unknown|flag_missing)$/

/** Converts any error to a report, with a hint that names flags instead of API parameters. */
export function createErrorReport(error: unknown, options: ErrorReportOptions): ErrorReport {
  if (!(error instanceof AnnotatedError)) return reportError(error, options)
  const { done, hint } = error.annotations
  const report = createErrorReport(error.originalError, options)
  const message = done === undefined ? report.message : `${report.message} ${done}`
  return { ...report, message, hint: hint ?? report.hint }
}

function reportError(
  error: unknown,
  {
    command,
    flags = [],
    paramFlags = flags,
    example,
    findOwners = () => [],
    findCommandOf,
  }: ErrorReportOptions,
): ErrorReport {
  if (error instanceof ApiError) return reportApiError(error, { flags: paramFlags, findCommandOf })
  if (error instanceof ConnectionError) return reportConnectionError(error, flags)
  if (error instanceof StartupError) {
    return { type: 'startup_error', code: error.code, message: error.message, param: null, hint: null }
  }
  if (error instanceof ExpectationError) {
    const { code, message, hint } = error
    return { type: 'assertion_error', code, message, param: null, hint }
  }
  const helpFor = (code: string, message: string) =>
    (INPUT_WRONG.test(code) && formatMissingInputHint(message, example)) || `See ${command} --help`
  if (error instanceof UsageError) {
    const { code, param, hint } = error
    // Messages quote arguments and environment variables.
    const message = maskSecretsAndCardNumbers(error.message)
    const suggestion = code === 'flag_unknown' ? suggestFlags(message, flags, findOwners) : null
    const fix = hint ?? suggestion ?? suggestValue(message, example) ?? helpFor(code, message)
    return { type: 'usage_error', code, message, param, hint: fix, ...reportUnknownNames(error) }
  }
  const [code, hint] = isDiskFullError(error)
    ? ['disk_full', 'Free disk space, or raise your quota, and try again.']
    : ['unexpected', 'This is probably a bug in paycli. PAYCLI_DEBUG=1 prints the stack trace.']
  return { type: 'unexpected_error', code, message: getErrorMessage(error), param: null, hint }
}

/** Returns how to write the missing value of a flag, or null for other messages. */
function suggestValue(message: string, example: string | undefined): string | null {
  const [, flag] = /^Flag (--[\w-]+) expects a value/.exec(message) ?? []
  if (flag === undefined) return null
  return example?.includes(`${flag} `)
    ? `For instance: ${example}`
    : `Write the value after the flag: ${flag} <value>`
}

// A misspelled name is the likely cause of a missing parameter, so report that name first.
function reportUnknownNames({ message, unknownNames: { given, known } }: UsageError): Partial<ErrorReport> {
  for (const name of given) {
    const nearest = findNearestName(name.toLowerCase().replaceAll('-', '_'), known)
    if (nearest === null) continue
    const correction = `Unknown parameter: ${name}. Did you mean ${nearest}?`
    return { code: 'parameter_unknown', param: name, message: `${correction} ${message}` }
  }
  return given.length === 0 ? {} : { message: `${message} Unknown parameters: ${given.join(', ')}.` }
}

const KEY_FLAG = 'idempotency-key'

function reportConnectionError(error: ConnectionError, flags: readonly string[]): ErrorReport {
  const { code, idempotencyKey } = error
  // Remove advice for programs, and the `npx` that the client adds because it does not know how paycli is installed.
  const [message, hint] = [error.message, error.hint].map((text) =>
    text.replace(PROGRAM_ADVICE_PATTERN, '').replace('npx paycli', 'paycli'),
  ) as [string, string]
  const report = { type: 'connection_error', code, message, param: null, hint }
  if (idempotencyKey === null) return report
  const keyed = { ...report, idempotency_key: idempotencyKey }
  if (!flags.includes(KEY_FLAG)) return keyed
  return {
    ...keyed,
    message: message.replace(hint, 'The request may have been processed.'),
    hint: `Repeat the command with --${KEY_FLAG} ${quoteForShell(idempotencyKey)}. The request is then processed only once.`,
  }
}

const CONNECTION_FLAGS: readonly string[] = ['api-base', 'api-key', 'profile']

function suggestFlags(
  message: string,
  flags: readonly string[],
  findOwners: (flag: string) => readonly string[],
): string | null {
  const hints = [...message.matchAll(/(?<=[\s'])--?([\w-]+)/g)].flatMap(([, given = '']) => {
    const name = given.toLowerCase().replaceAll('_', '-')
    const stripe = findFlagForStripeFlag(name, flags)
    if (stripe !== null) return [stripe]
    if (CONNECTION_FLAGS.includes(name))
      return [`Omit --${name}: this command does not take the address or key of a server.`]
    if (/^(?:port|host|url|base-url|server|api-url)$/.test(name) && flags.includes('api-base'))
      return ['For the address of the server, use --api-base http://127.0.0.1:4100']
    const nearest = findNearestName(name, flags) ?? flags.find((flag) => flag.split('-').includes(name))
    if (nearest?.includes(name) || (nearest !== undefined && name.includes(nearest)))
      return [`Did you mean --${nearest}?`]
    const owners = findOwners(name)
    if (owners.length > 0) return [`For --${name}, use ${owners.join(', or use ')}.`]
    return nearest === undefined ? [] : [`Did you mean --${nearest}?`]
  })
  return hints.length === 0 ? null : hints.join(' ')
}

function reportApiError(
  { status, error }: ApiError,
  failed: Parameters<typeof findErrorHint>[1],
): ErrorReport {
  const approve_url = findApprovalUrl(error)
  const { type, code, message, param, errors, decline_code, request_id } = error
  return {
    type,
    code,
    message: toCommandLineTerms(message, param, failed.flags),
    param,
    hint: findErrorHint(error, failed),
    status,
    ...(decline_code === null ? {} : { decline_code }),
    ...(request_id === null ? {} : { request_id }),
    ...(approve_url === null ? {} : { approve_url }),
    ...(errors.length > 1
      ? {
          errors: errors.map((one) => ({
            ...one,
            message: toCommandLineTerms(one.message, one.param, failed.flags),
          })),
        }
      : {}),
  }
}

/** Renders a report as a JSON document, with commands in the hint that the user can copy. */
export function formatJsonErrorReport(report: ErrorReport): string {
  const hint = report.hint === null ? null : replaceProgramName(report.hint)
  return renderJson({ error: { ...report, hint } })
}

const INDENT = ' '.repeat('Error: '.length)
/** Matches a last sentence with a request or its header, such as `List them with GET /v1/customers.` */
const SUGGESTED_REQUEST = /(?<=[.?]) [A-Z][^.]* (?:(?:GET|POST|DELETE) \/v1\/|`Authorization: ).*$/

/**
 * Renders a report as text for a terminal of `width` columns, with commands that the user can copy. Escapes control
 * characters in API messages.
 */
export function formatTextErrorReport(report: ErrorReport, style: Style, width: number): string {
  const { hint, errors = [] } = report
  // The command of the hint replaces the request that the API suggests.
  const message = /paycli |api[-_]key/i.test(hint ?? '')
    ? report.message.replace(SUGGESTED_REQUEST, '')
    : report.message
  const wrap = (text: string) => {
    const lines = replaceProgramName(escapeUnsafeCharacters(text)).split('\n')
    return lines.flatMap((line) => wrapIndented(line, width - INDENT.length)).join(`\n${INDENT}`)
  }
  const lines = [`${style.red('Error:')} ${wrap(message)}`]
  for (const problem of errors.slice(1)) lines.push(INDENT + wrap(problem.message))
  if (hint !== null && !message.includes(hint)) lines.push(`Hint:  ${wrap(hint)}`)
  if (report.status !== undefined) lines.push(style.dim(INDENT + wrap(describeOrigin(report))))
  return `${lines.join('\n')}\n`
}

// Stack traces in hints keep their indentation.
function wrapIndented(line: string, width: number): string[] {
  const [indent = ''] = /^ */.exec(line) ?? []
  return wrapProse(line.slice(indent.length), width - indent.length).map((text) => indent + text)
}

function describeOrigin({ code, decline_code, status, request_id }: ErrorReport): string {
  const parts = [code, decline_code, `status ${status}`, request_id]
  return parts.filter((part) => part !== undefined).join(' · ')
}

/** Writes a report to stderr, as JSON or as text in the colors of the flag `--color`. Keys and secrets are masked. */
export function writeErrorReport(report: ErrorReport, isJson: boolean, color?: unknown): void {
  // Mask the API key of the request, because a server may repeat the key.
  const masked = {
    ...report,
    message: maskKeysAndSecrets(report.message),
    hint: report.hint && maskKeysAndSecrets(report.hint),
  }
  const style = createStyle(isColorEnabled(color, process.env, process.stderr.isTTY === true))
  process.stderr.write(
    isJson ? formatJsonErrorReport(masked) : formatTextErrorReport(masked, style, getStderrWidth()),
  )
}

/** Returns the stack trace of an error, with secrets masked. */
export function getMaskedStack(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : String(error)
  return `${escapeUnsafeCharacters(maskSecretsAndCardNumbers(stack))}\n`
}
