import type { ApiErrorDetails } from '../../client/api-error.ts'
import { isFields } from '../../client/fields.ts'

const KEY_HINT = 'Give the key that paycli serve prints with --api-key or PAYCLI_API_KEY.'

const BY_CODE: Readonly<Record<string, string>> = {
  insufficient_scope: 'Give a key that may with --api-key or PAYCLI_API_KEY.',
  host_not_allowed: 'Address the service by the name it was started with, such as http://127.0.0.1:4100.',
  card_number_missing: 'Name a test card, such as --card visa.',
  checkout_session_unexpected_state: 'See how it stands: paycli checkout retrieve <id>',
  payment_session_unexpected_state: 'See how it stands: paycli payments retrieve <id>',
  subscription_unexpected_state: 'See how it stands: paycli subscriptions retrieve <id>',
  invoice_unexpected_state: 'See how it stands: paycli invoices retrieve <id>',
  payment_method_unexpected_state: 'See how it stands: paycli cards retrieve <id>',
  payment_method_missing:
    'Name a card with --payment-method, as paycli cards list <customer> shows them, or settle the invoice with --paid-out-of-band.',
  payment_not_refundable: 'Find one that is: paycli payments attempts --status succeeded',
  payment_already_refunded: 'See what was given back: paycli refunds list --payment <id>',
  payment_processing: 'The issuer still decides: try again in a moment.',
  customer_has_clock: 'A new one: paycli customers create --email <address> --test-clock <clock>',
  customer_has_objects: 'A new one: paycli customers create --email <address> --test-clock <clock>',
  test_clock_not_forward: 'Go on from where it stands, such as paycli clock advance <clock> 1d',
  test_clock_advancing: 'See how far it has come: paycli clock show <clock>',
  test_clock_failed: 'The log of paycli serve says what failed; paycli clock delete <clock> ends it.',
  idempotency_key_in_use: 'The same request is still running: try again in a moment.',
  idempotency_limit_reached:
    'The command line sends a key with every POST. Wait, or start a service with another database.',
  idempotency_key_reused: 'Leave --idempotency-key out for a new key, or repeat the command as it was.',
  route_not_found: 'The service may be older than this command, or --api-base may be off by a folder.',
  method_not_allowed: 'The reference tells what there is: paycli open',
  internal_error: 'The log of paycli serve has the details under the request id.',
  unavailable: 'See how it stands: paycli status',
}

const BY_TYPE: Readonly<Record<string, string>> = {
  authentication_error: KEY_HINT,
  rate_limit_error: 'Wait a moment and try again.',
}

/** An id as a message of the service quotes it; names of fields are all small letters. */
const QUOTED_ID = /'((?:[a-z]+_)+(?=[a-z]*[A-Z0-9])[A-Za-z0-9]+)'/

// Whoever reads it can then type it as it stands.
function withKnownId(hint: string, message: string): string {
  const [, id] = QUOTED_ID.exec(message) ?? []
  return id === undefined ? hint : hint.replace(/<(?:id|clock)>/, id)
}

const COMPLETE_AGAIN = 'Complete it again with another test card, such as --card visa.'

/** What to try after the service's no, on the command line; null when its message says it all. */
export function hintFor(error: ApiErrorDetails): string | null {
  const { code, type, suggestion, message } = error
  if (suggestion !== null && !message.includes(suggestion)) return `Did you mean '${suggestion}'?`
  const byCode = BY_CODE[code]
  if (byCode !== undefined) return withKnownId(byCode, message)
  return (type === 'card_error' ? cardHint(error) : BY_TYPE[type]) ?? null
}

/** Where the buyer approves a payment that only waits for that; null for errors of any other kind. */
export function approvalUrl({ payment }: ApiErrorDetails): string | null {
  const action = isFields(payment) ? payment['next_action'] : null
  const redirect = isFields(action) ? action['redirect_to_url'] : null
  const url = isFields(redirect) ? redirect['url'] : null
  return typeof url === 'string' ? url : null
}

function cardHint(error: ApiErrorDetails): string {
  const url = approvalUrl(error)
  if (url !== null) return `The buyer approves at ${url} and that pays it.`
  const { payment, code } = error
  if (!isFields(payment) || typeof payment['invoice'] !== 'string') return COMPLETE_AGAIN
  if (code === 'authentication_required') return 'Let the buyer take part: add --on-session.'
  const cards = `paycli cards list ${payment['customer']}`
  return `Charge another card (${cards}) with --payment-method, or settle it with --paid-out-of-band.`
}
