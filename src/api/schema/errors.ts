import { DomainError, type DomainErrorDetails, type ValidationError } from '../../domain/domain-error.ts'
import { MAX_KEPT_ANSWERS } from '../../domain/idempotency.ts'
import { maskKeys } from '../../domain/masking.ts'

export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'card_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'api_error'

type Row = readonly [status: number, type: ErrorType, when: string]

/** Every error code with its status, type and cause; the reference at `/docs/errors` is printed from it. */
export const ERRORS: Readonly<Record<string, Row>> = {
  invalid_json: [400, 'invalid_request_error', 'The body is not one JSON object.'],
  parameter_missing: [400, 'invalid_request_error', 'A required parameter is absent.'],
  parameter_unknown: [
    400,
    'invalid_request_error',
    'A parameter is not known; `suggestion` names the nearest.',
  ],
  parameter_invalid_type: [400, 'invalid_request_error', 'A value has the wrong JSON type.'],
  parameter_invalid_integer: [400, 'invalid_request_error', 'A value is not a safe integer or out of range.'],
  parameter_invalid_enum: [400, 'invalid_request_error', 'A value is not in the list the message names.'],
  parameter_invalid_string: [
    400,
    'invalid_request_error',
    'Text is empty, too long or has control characters.',
  ],
  parameter_invalid_array: [400, 'invalid_request_error', 'A list is empty or too long.'],
  parameters_exclusive: [400, 'invalid_request_error', 'Two parameters were given that exclude each other.'],
  metadata_invalid: [
    400,
    'invalid_request_error',
    'More than 50 keys, a key over 40 or a value over 500 characters, or a bracket in a key.',
  ],
  email_invalid: [400, 'invalid_request_error', 'Not an e-mail address.'],
  url_invalid: [400, 'invalid_request_error', 'Not an absolute http or https URL, or one with credentials.'],
  currency_invalid: [400, 'invalid_request_error', 'Not the lower-case code of a currency in use.'],
  currency_mismatch: [400, 'invalid_request_error', "An item's currency differs from its session's."],
  timestamp_invalid: [400, 'invalid_request_error', 'Not a moment in Unix seconds, or one too far ahead.'],
  tax_percent_invalid: [400, 'invalid_request_error', 'Not from 0 to 100 with at most four decimals.'],
  amount_too_small: [400, 'invalid_request_error', 'An amount is below the smallest allowed.'],
  amount_too_large: [400, 'invalid_request_error', 'An amount is above the largest allowed.'],
  payment_method_type_unsupported: [400, 'invalid_request_error', 'Only `card` is supported.'],
  interval_count_out_of_range: [
    400,
    'invalid_request_error',
    'A billing period would be longer than three years.',
  ],
  expires_at_out_of_range: [
    400,
    'invalid_request_error',
    'A session must expire 30 minutes to 70 days ahead.',
  ],
  days_until_due_not_allowed: [400, 'invalid_request_error', 'Only sent invoices have a due date.'],
  customer_max_subscriptions: [
    400,
    'invalid_request_error',
    'A customer has at most 500 live subscriptions.',
  ],
  customer_deleted: [
    400,
    'invalid_request_error',
    'A deleted customer cannot be changed, nor a card be charged for their invoices.',
  ],
  payment_method_unexpected_customer: [400, 'invalid_request_error', "A card is not this customer's."],
  event_type_unknown: [400, 'invalid_request_error', 'No event has this type and no prefix matches.'],
  webhook_endpoint_limit: [400, 'invalid_request_error', 'There are already 100 endpoints.'],
  webhook_endpoint_disabled: [400, 'invalid_request_error', 'Nothing is sent to a disabled endpoint.'],
  webhook_target_blocked: [400, 'invalid_request_error', 'Webhooks may not be sent to this address.'],
  resource_missing: [400, 'invalid_request_error', 'No such object; 404 when its id is in the path.'],
  checkout_session_unexpected_state: [400, 'invalid_request_error', 'The session is no longer open.'],
  payment_session_unexpected_state: [400, 'invalid_request_error', 'The session is no longer open.'],
  subscription_unexpected_state: [400, 'invalid_request_error', 'The subscription has ended.'],
  invoice_unexpected_state: [400, 'invalid_request_error', "The invoice's state does not allow this."],
  payment_method_unexpected_state: [400, 'invalid_request_error', 'The card is already detached.'],
  api_key_unexpected_state: [400, 'invalid_request_error', 'The key is expired or revoked already.'],
  payment_method_missing: [400, 'invalid_request_error', 'There is no card to charge.'],
  payment_not_refundable: [400, 'invalid_request_error', 'Only a succeeded payment can be refunded.'],
  payment_already_refunded: [400, 'invalid_request_error', 'Nothing of the payment is left to refund.'],
  refund_amount_too_large: [400, 'invalid_request_error', 'More than is left of the payment.'],
  customer_has_clock: [400, 'invalid_request_error', 'The customer is on a test clock already.'],
  customer_has_objects: [400, 'invalid_request_error', 'The customer has sessions in real time.'],
  test_clock_not_forward: [400, 'invalid_request_error', 'A test clock only moves forward.'],
  test_clock_too_far: [
    400,
    'invalid_request_error',
    'More than 10 years, or more than 100,000 billing periods, in one advance.',
  ],
  test_clock_deleted: [400, 'invalid_request_error', 'The test clock of the object was deleted.'],
  test_clock_failed: [400, 'invalid_request_error', 'The test clock of the object is broken.'],
  card_number_missing: [400, 'invalid_request_error', 'No card was given.'],
  invalid_expiry_month: [400, 'invalid_request_error', 'The expiry month is malformed or past.'],
  invalid_expiry_year: [400, 'invalid_request_error', 'The expiry year is malformed or past.'],
  invalid_cvc: [400, 'invalid_request_error', 'The security code is malformed.'],
  request_malformed: [400, 'invalid_request_error', 'The request line or a header cannot be read.'],
  api_key_missing: [401, 'authentication_error', 'No Authorization header.'],
  api_key_invalid: [401, 'authentication_error', 'The key is unknown or revoked.'],
  api_key_expired: [401, 'authentication_error', 'The key has expired.'],
  live_key_refused: [
    401,
    'authentication_error',
    "Another service's live key was sent; it was neither used nor kept.",
  ],
  insufficient_scope: [403, 'permission_error', 'The restricted key has no scope for this.'],
  host_not_allowed: [
    403,
    'permission_error',
    'The Host or Origin header names a site that may not use this service.',
  ],
  card_declined: [402, 'card_error', 'The issuer declined; `decline_code` says why.'],
  expired_card: [402, 'card_error', 'The card has expired.'],
  incorrect_cvc: [402, 'card_error', 'The security code is wrong.'],
  incorrect_number: [402, 'card_error', 'The card number is wrong.'],
  processing_error: [402, 'card_error', 'The issuer could not be asked.'],
  authentication_required: [402, 'card_error', 'The issuer wants the buyer to authenticate.'],
  authentication_failed: [402, 'card_error', 'The buyer did not authenticate.'],
  route_not_found: [404, 'invalid_request_error', 'No operation has this path.'],
  method_not_allowed: [405, 'invalid_request_error', 'The path exists, but not with this method.'],
  idempotency_key_invalid: [
    400,
    'idempotency_error',
    'The Idempotency-Key is empty, longer than 255 characters, not printable ASCII, or a card number.',
  ],
  idempotency_key_in_use: [
    409,
    'idempotency_error',
    'The first request with this Idempotency-Key still goes on; try again.',
  ],
  test_clock_advancing: [409, 'invalid_request_error', 'The test clock is being advanced; try again.'],
  payment_processing: [
    409,
    'invalid_request_error',
    'The issuer still decides on a payment, which cannot be canceled; try again.',
  ],
  request_too_large: [413, 'invalid_request_error', 'The body is larger than 256 KiB.'],
  uri_too_long: [414, 'invalid_request_error', 'The URL is longer than 8 KiB.'],
  unsupported_media_type: [
    415,
    'invalid_request_error',
    'The body is not sent as application/json in UTF-8.',
  ],
  idempotency_key_reused: [
    422,
    'idempotency_error',
    'The Idempotency-Key was used for another method, path or body.',
  ],
  rate_limit: [
    429,
    'rate_limit_error',
    'Too many requests with one key, with `serve --rate-limit`; or too many from one address without a valid key.',
  ],
  stream_limit: [429, 'rate_limit_error', 'One key has 100 streams open, or the server has 500 in all.'],
  card_decline_rate_limit_exceeded: [
    429,
    'rate_limit_error',
    'Ten attempts on one session were declined within an hour.',
  ],
  internal_error: [500, 'api_error', 'A bug; nothing was changed.'],
  idempotency_limit_reached: [
    503,
    'api_error',
    `The database keeps ${MAX_KEPT_ANSWERS.toLocaleString('en')} answers of the last 24 hours, which is its limit. Kept keys still replay. Wait as \`Retry-After\` says, or send the request without a key.`,
  ],
  storage_full: [503, 'api_error', 'The disk is full; nothing was stored, and reading still works.'],
  unavailable: [503, 'api_error', 'The service is shutting down, or its disk or database does not answer.'],
}

/** The body of an error answer, in the shape of Stripe's. */
export interface WireError {
  readonly type: ErrorType
  readonly code: string
  readonly message: string
  readonly param: string | null
  readonly doc_url: string
  readonly request_id: string
  readonly decline_code?: string | null
  readonly payment?: DomainErrorDetails['payment']
  readonly errors: readonly ValidationError[]
  readonly suggestion: string | null
}

export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly error: WireError }
}

/** The answer that tells of a refusal; a code that is in no catalogue is a bug and throws. */
export function toErrorAnswer(
  refusal: DomainError,
  { requestId, apiUrl }: { readonly requestId: string; readonly apiUrl: string },
): ErrorAnswer {
  const row = ERRORS[refusal.code]
  if (row === undefined) throw new Error(`no error '${refusal.code}' in the catalogue`)
  const [status, type] = row
  const { param = null, suggestion = null, errors, retryAfterSeconds } = refusal.details
  // It may quote what was sent, and it is kept for who sends that again.
  const own = withoutKeys({ code: refusal.code, message: refusal.message, param })
  const headers: Record<string, string> = {}
  if (retryAfterSeconds !== undefined) headers['Retry-After'] = String(retryAfterSeconds)
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer realm="paycli"'
  return {
    status: refusal.code === 'resource_missing' && param === 'id' ? 404 : status,
    headers,
    body: {
      error: {
        type,
        ...own,
        doc_url: `${apiUrl}/docs/errors#${refusal.code}`,
        request_id: requestId,
        ...cardDetails(refusal, type),
        errors: errors?.map(withoutKeys) ?? [own],
        suggestion,
      },
    },
  }
}

// A key may be pasted where a name belongs.
function withoutKeys({ code, message, param }: ValidationError): ValidationError {
  return { code, message: maskKeys(message), param: param && maskKeys(param) }
}

function cardDetails({ details }: DomainError, type: ErrorType): Pick<WireError, 'decline_code' | 'payment'> {
  if (type !== 'card_error') return {}
  return { decline_code: details.decline_code ?? null, payment: details.payment ?? null }
}

/** The refusal that stands for a bug: tells the client nothing of its inside. */
export function internalError(): DomainError {
  return new DomainError(
    'internal_error',
    'Something went wrong inside paycli and nothing was changed. The log of the daemon has the details under this request id.',
  )
}
