import type { ErrorReport } from './error-report.ts'

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
  'payment_disputed',
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
export function getExitCode({ type, code, status }: Pick<ErrorReport, 'type' | 'code' | 'status'>): number {
  if (status === 401 || status === 403) return EXIT_CODES.auth
  const isStateError = code.endsWith('_unexpected_state') || STATE_ERRORS.has(code)
  if (status === 402 || isStateError) return EXIT_CODES.rejected
  // Only responses of the API have a status.
  if (status !== undefined) return EXIT_CODES.api
  switch (type) {
    case 'usage_error':
      return EXIT_CODES.usage
    case 'startup_error':
      return USAGE_ERRORS.has(code) ? EXIT_CODES.usage : EXIT_CODES.unexpected
    case 'connection_error':
      return code === 'timeout' ? EXIT_CODES.timeout : EXIT_CODES.unreachable
    case 'assertion_error':
      return code === 'timeout' ? EXIT_CODES.timeout : EXIT_CODES.assertion
    default:
      return EXIT_CODES.unexpected
  }
}
