import type { ApiErrorDetails } from '../client/api-error.ts'

const KEY_HINT = 'Give the key that paycli serve prints with --api-key or PAYCLI_API_KEY.'

const BY_CODE: Readonly<Record<string, string>> = {
  host_not_allowed: 'Address the service by the name it was started with, such as http://127.0.0.1:4100.',
  card_number_missing: 'Name a test card, such as --card visa.',
  checkout_session_unexpected_state: 'See how it stands: paycli checkout retrieve <id>',
  payment_session_unexpected_state: 'See how it stands: paycli payments retrieve <id>',
  idempotency_key_in_use: 'The same request is still running: try again in a moment.',
  route_not_found: 'The service may be older than this command, or --api-base may be off by a folder.',
  method_not_allowed: 'The service may be older than this command, or --api-base may be off by a folder.',
  internal_error: 'The log of paycli serve has the details under the request id.',
  unavailable: 'It may be shutting down: try again, or start it anew with paycli serve',
}

const BY_TYPE: Readonly<Record<string, string>> = {
  authentication_error: KEY_HINT,
  card_error: 'Complete it again with another test card, such as --card visa.',
  rate_limit_error: 'Wait a moment and try again.',
}

/** What to try after the service's no, on the command line; null when its message says it all. */
export function hintFor({ code, type, suggestion, message }: ApiErrorDetails): string | null {
  if (suggestion !== null && !message.includes(suggestion)) return `Did you mean '${suggestion}'?`
  return BY_CODE[code] ?? BY_TYPE[type] ?? null
}
