import { ApiError } from '../../client/api-error.ts'
import { ConnectionError } from '../../client/connection-error.ts'
import { StartupProblem } from '../../domain/startup-problem.ts'
import { Explained } from '../errors/annotated-error.ts'
import { Unmet } from '../errors/expectation-error.ts'
import { UsageError } from '../errors/usage-error.ts'

/** What a command says with its exit code; ^C is 130, the shell's own number for it. */
export const EXIT_CODES = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  unreachable: 3,
  auth: 4,
  api: 5,
  refused: 6,
  timeout: 7,
  assertion: 8,
} as const

/** What depends on how things stand and not on how it was asked, besides all that ends in `_unexpected_state`. */
const REFUSED: ReadonlySet<string> = new Set([
  'customer_deleted',
  'customer_has_clock',
  'customer_has_objects',
  'database_locked',
  'database_newer',
  'payment_already_refunded',
  'payment_method_missing',
  'payment_not_refundable',
  'payment_processing',
  'port_taken',
  'test_clock_advancing',
  'test_clock_deleted',
  'test_clock_failed',
])

/** What keeps a service from starting because of what was named on the command line. */
const MISNAMED: ReadonlySet<string> = new Set([
  'database_foreign',
  'database_missing',
  'database_url_invalid',
  'file_is_none',
  'folder_unusable',
  'reset_refused',
  'target_exists',
])

/** The exit code of an error; whatever is neither the user's, the network's nor the service's counts as a bug. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Explained) return exitCodeOf(error.reason)
  if (error instanceof ConnectionError) {
    return error.code === 'timeout' ? EXIT_CODES.timeout : EXIT_CODES.unreachable
  }
  if (error instanceof ApiError) return exitCodeOfAnswer(error)
  if (error instanceof UsageError) return isRefused(error.code) ? EXIT_CODES.refused : EXIT_CODES.usage
  if (error instanceof StartupProblem) return exitCodeOfStart(error)
  if (error instanceof Unmet) return EXIT_CODES[error.code]
  if (isParserError(error)) return EXIT_CODES.usage
  return EXIT_CODES.unexpected
}

function exitCodeOfAnswer({ status, error }: ApiError): number {
  if (status === 401 || status === 403) return EXIT_CODES.auth
  return status === 402 || isRefused(error.code) ? EXIT_CODES.refused : EXIT_CODES.api
}

function exitCodeOfStart({ code }: StartupProblem): number {
  if (isRefused(code)) return EXIT_CODES.refused
  return MISNAMED.has(code) ? EXIT_CODES.usage : EXIT_CODES.unexpected
}

function isRefused(code: string): boolean {
  return code.endsWith('_unexpected_state') || REFUSED.has(code)
}

/** Whether oclif threw an error because the command line does not fit the command. */
export function isParserError(error: unknown): error is Error {
  return error instanceof Error && 'oclif' in error
}
