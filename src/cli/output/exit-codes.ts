import { ApiError } from '../../client/api-error.ts'
import { ConnectionError } from '../../client/connection-error.ts'
import { StartupError } from '../../domain/core/startup-error.ts'
import { AnnotatedError } from '../errors/annotated-error.ts'
import { ExpectationError } from '../errors/expectation-error.ts'
import { UsageError } from '../errors/usage-error.ts'

/** The exit codes of all commands. ^C exits with 130, as is usual in shells. */
export const EXIT_CODES = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  unreachable: 3,
  auth: 4,
  api: 5,
  rejected: 6,
  timeout: 7,
  assertion: 8,
} as const

/** Errors caused by the state of an object, besides the codes that end in `_unexpected_state`. */
const STATE_ERRORS: ReadonlySet<string> = new Set([
  'customer_deleted',
  'customer_has_clock',
  'customer_has_objects',
  'database_locked',
  'database_format',
  'payment_already_refunded',
  'payment_method_missing',
  'payment_not_refundable',
  'payment_processing',
  'port_taken',
  'sandbox_protected',
  'test_clock_advancing',
  'test_clock_deleted',
  'test_clock_failed',
])

/** Startup errors caused by an argument on the command line. */
const USAGE_ERRORS: ReadonlySet<string> = new Set([
  'database_foreign',
  'database_missing',
  'database_url_invalid',
  'file_is_none',
  'folder_unusable',
  'reset_refused',
  'target_exists',
])

/** Returns the exit code of an error. Errors of unknown kind are bugs and exit with 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof AnnotatedError) return exitCodeOf(error.originalError)
  if (error instanceof ConnectionError) {
    return error.code === 'timeout' ? EXIT_CODES.timeout : EXIT_CODES.unreachable
  }
  if (error instanceof ApiError) return exitCodeOfApiError(error)
  if (error instanceof UsageError) return isStateError(error.code) ? EXIT_CODES.rejected : EXIT_CODES.usage
  if (error instanceof StartupError) return exitCodeOfStart(error)
  if (error instanceof ExpectationError) return EXIT_CODES[error.code]
  if (isParserError(error)) return EXIT_CODES.usage
  return EXIT_CODES.unexpected
}

function exitCodeOfApiError({ status, error }: ApiError): number {
  if (status === 401 || status === 403) return EXIT_CODES.auth
  return status === 402 || isStateError(error.code) ? EXIT_CODES.rejected : EXIT_CODES.api
}

function exitCodeOfStart({ code }: StartupError): number {
  if (isStateError(code)) return EXIT_CODES.rejected
  return USAGE_ERRORS.has(code) ? EXIT_CODES.usage : EXIT_CODES.unexpected
}

function isStateError(code: string): boolean {
  return code.endsWith('_unexpected_state') || STATE_ERRORS.has(code)
}

/** Returns whether oclif threw the error because the command line is invalid. */
export function isParserError(error: unknown): error is Error {
  return error instanceof Error && 'oclif' in error
}
