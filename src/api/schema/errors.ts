import { DomainError, type DomainErrorDetails, type ValidationError } from '../../domain/core/domain-error.ts'
import { MAX_STORED_RESPONSES } from '../../domain/requests/idempotency.ts'
import { maskKeysAndSecrets } from '../../domain/text/secret-masking.ts'

type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'card_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'api_error'

type ErrorDefinition = readonly [status: number, type: ErrorType, when: string]

/** Returns a function that defines errors of one type with `usualStatus` as the default status. */
function errorsOf(type: ErrorType, usualStatus: number) {
  return (when: string, status = usualStatus): ErrorDefinition => [status, type, when]
}

const invalid = errorsOf('invalid_request_error', 400)
const unauthenticated = errorsOf('authentication_error', 401)
const declined = errorsOf('card_error', 402)
const forbidden = errorsOf('permission_error', 403)
const idempotency = errorsOf('idempotency_error', 409)
const limited = errorsOf('rate_limit_error', 429)
const serverError = errorsOf('api_error', 503)

/** Every error code with its status, type and cause; the source of `/docs/errors`. */
export const ERROR_DEFINITIONS: Readonly<Record<string, ErrorDefinition>> = {
  invalid_json: invalid('The body is not a single JSON object.'),
  parameter_missing: invalid('A required parameter is missing.'),
  parameter_unknown: invalid(
    'A parameter is unknown; `suggestion` is the most similar known parameter, or null.',
  ),
  parameter_invalid_type: invalid('A value has the wrong JSON type.'),
  parameter_invalid_integer: invalid('A value is not a safe integer or is out of range.'),
  parameter_invalid_enum: invalid('A value is not one of the accepted values.'),
  parameter_invalid_string: invalid('A string is empty, too long or contains control characters.'),
  parameter_invalid_array: invalid('A list is empty or too long.'),
  parameters_exclusive: invalid('Two parameters exclude each other.'),
  metadata_invalid: invalid(
    'Metadata has more than 50 keys, a key over 40 characters or with a bracket, or a value over 500 characters.',
  ),
  email_invalid: invalid('A value is not an email address.'),
  url_invalid: invalid('A value is not an absolute http or https URL, or the URL contains credentials.'),
  currency_invalid: invalid('A value is not the lower-case code of a current currency.'),
  currency_mismatch: invalid(
    'The currency of an item or a coupon differs from that of its session or subscription.',
  ),
  timestamp_invalid: invalid('A value is not a time in Unix seconds, or the time is out of range.'),
  tax_percent_invalid: invalid('A tax rate is not from 0 to 100 with at most four decimals.'),
  percent_off_invalid: invalid(
    'A discount is not above 0 and at most 100 percent, with at most two decimals.',
  ),
  coupon_exists: invalid('A coupon or a deleted coupon has this id.'),
  coupon_exhausted: invalid('The coupon or promotion code has no redemptions left.'),
  coupon_expired: invalid('`redeem_by` of the coupon or `expires_at` of the promotion code has passed.'),
  promotion_code_exists: invalid('Another active promotion code has the same code.'),
  promotion_code_inactive: invalid('The promotion code is not active.'),
  promotion_code_not_allowed: invalid('The customer cannot enter a promotion code in this session.'),
  promotion_code_first_time_only: invalid(
    'The promotion code is only for customers without a subscription or a payment.',
  ),
  amount_too_small: invalid('An amount is below the minimum.'),
  amount_too_large: invalid('An amount is above the maximum.'),
  payment_method_type_unsupported: invalid(
    'A payment method type is unknown, `card` is missing, or the session does not offer the wallet.',
  ),
  interval_count_out_of_range: invalid('The billing period is longer than three years.'),
  expires_at_out_of_range: invalid('`expires_at` of a session is not 30 minutes to 70 days in the future.'),
  proration_date_out_of_range: invalid(
    '`proration_date` is in the future, or before the current period or its last prorated change.',
  ),
  days_until_due_not_allowed: invalid('`days_until_due` requires `collection_method: send_invoice`.'),
  trial_missing: invalid('The parameter requires a trial: `trial_days` or `trial_end`.'),
  customer_max_subscriptions: invalid('The customer has 500 live subscriptions, which is the limit.'),
  customer_deleted: invalid('A deleted customer cannot be changed or charged.'),
  payment_method_unexpected_customer: invalid('The card does not belong to this customer.'),
  subscription_unexpected_customer: invalid('The subscription does not belong to this customer.'),
  event_type_unknown: invalid('No event has this type or prefix.'),
  operation_unknown: invalid('No operation that can have faults has this name or prefix.'),
  fault_limit: invalid('There are 100 faults, which is the limit.'),
  webhook_endpoint_limit: invalid('There are 100 webhook endpoints, which is the limit.'),
  webhook_endpoint_disabled: invalid('The endpoint is not enabled, so it cannot receive events.'),
  webhook_target_blocked: invalid('Webhooks must not be sent to this address.'),
  resource_missing: invalid(
    'The object does not exist. The status is 404 if the id of the object is in the path.',
  ),
  checkout_session_unexpected_state: invalid('The session is no longer open.'),
  payment_session_unexpected_state: invalid('The session is no longer open.'),
  card_session_unexpected_state: invalid('The session is no longer open.'),
  portal_session_unexpected_state: invalid('The session is no longer open.'),
  subscription_unexpected_state: invalid('The status of the subscription does not allow this operation.'),
  invoice_unexpected_state: invalid('The status of the invoice does not allow this operation.'),
  invoice_item_unexpected_state: invalid('An invoice bills the item.'),
  invoice_item_limit: invalid('The customer has 250 pending invoice items, which is the limit.'),
  invoice_upcoming_none: invalid(
    'The subscription has no next invoice, because it is canceled, is paused or will end.',
  ),
  payment_method_unexpected_state: invalid('The card is already detached.'),
  webhook_delivery_unexpected_state: invalid('The delivery is no longer pending.'),
  api_key_unexpected_state: invalid('The key is already expired or revoked.'),
  sandbox_unexpected_state: invalid('The sandbox has expired.'),
  sandbox_protected: invalid('The sandbox `default` cannot be updated, reset or deleted.'),
  sandbox_storage_unavailable: invalid(
    'The database of the server does not support the requested `storage` of sandboxes.',
  ),
  payment_method_missing: invalid('No card is available for the charge.'),
  payment_unexpected_state: invalid(
    'The status of the payment does not allow an authentication, a capture, a cancellation or a dispute.',
  ),
  payment_not_refundable: invalid('Only a succeeded payment can be refunded.'),
  payment_already_refunded: invalid('The payment is already refunded in full.'),
  refund_amount_too_large: invalid('The amount is larger than the remaining amount of the payment.'),
  payment_disputed: invalid('Disputes withdrew the amount, or a part of the amount.'),
  dispute_amount_too_large: invalid('The amount is larger than the remaining amount of the payment.'),
  inquiry_limit: invalid('The payment has 100 open inquiries, which is the limit.'),
  dispute_unexpected_state: invalid('The dispute no longer needs a response.'),
  customer_has_clock: invalid('The customer is already on a test clock.'),
  customer_has_objects: invalid('The customer has sessions or subscriptions in real time.'),
  projection_too_large: invalid('The jobs of a projection need more than 20,000 records.'),
  test_clock_not_forward: invalid(
    'The new time of the test clock is not after the current time of the clock.',
  ),
  test_clock_too_far: invalid(
    'One advance spans more than 10 years or 10,000 billing periods; the message has the latest possible time.',
  ),
  test_clock_deleted: invalid('The test clock of the object was deleted.'),
  test_clock_failed: invalid('The test clock of the object has failed.'),
  card_number_missing: invalid('The request contains no card.'),
  invalid_expiry_month: invalid('The expiry month is malformed or in the past.'),
  invalid_expiry_year: invalid('The expiry year is malformed or in the past.'),
  invalid_cvc: invalid('The security code is malformed.'),
  fault_header_invalid: invalid(
    'The `Paycli-Fault` header does not name a fault on requests, or contains an unknown option of the fault.',
  ),
  request_malformed: invalid('The request line or a header is malformed.'),
  api_key_missing: unauthenticated('The request has no Authorization header.'),
  api_key_invalid: unauthenticated('The key is unknown or revoked.'),
  api_key_expired: unauthenticated('The key has expired.'),
  sandbox_expired: unauthenticated('The sandbox of the key has expired.'),
  live_key_refused: unauthenticated(
    'The request has the live key of another service. paycli neither used nor stored the key.',
  ),
  insufficient_scope: forbidden('The restricted key does not have the required scope.'),
  sandbox_key_not_allowed: forbidden(
    'A key of a sandbox can only retrieve, update and reset that sandbox, and cannot postpone its expiry. Use the id `current`, or a key of `default`.',
  ),
  host_not_allowed: forbidden('The Host or Origin header names a site that is not allowed.'),
  card_declined: declined('The issuer declined the charge; `decline_code` has the reason.'),
  expired_card: declined('The card has expired.'),
  incorrect_cvc: declined('The security code is wrong.'),
  incorrect_number: declined('The card number is wrong.'),
  processing_error: declined('The issuer could not be reached.'),
  authentication_required: declined('The issuer requires authentication by the cardholder.'),
  authentication_failed: declined('The cardholder did not authenticate.'),
  route_not_found: invalid('No operation has this path.', 404),
  method_not_allowed: invalid('The path does not support this method.', 405),
  idempotency_key_invalid: idempotency(
    'The Idempotency-Key is empty, longer than 255 characters, not printable ASCII, or a card number.',
    400,
  ),
  idempotency_key_in_use: idempotency(
    'The first request with this Idempotency-Key is still in progress. Try again.',
  ),
  test_clock_advancing: invalid('The test clock is advancing. Try again.', 409),
  payment_processing: invalid('A payment is still processing and cannot be canceled. Try again.', 409),
  request_too_large: invalid('The body is larger than 256 KiB.', 413),
  uri_too_long: invalid('The URL is longer than 8 KiB.', 414),
  unsupported_media_type: invalid('The Content-Type is not application/json in UTF-8.', 415),
  idempotency_key_reused: idempotency(
    'The Idempotency-Key was used for a request with another method, path or body.',
    422,
  ),
  rate_limit: limited(
    'Too many requests of one sandbox, of all sandboxes (see `serve --rate-limit`), or from one address without a valid key.',
  ),
  concurrency_limit: limited(
    'Too many expensive requests of one sandbox are waiting: projections, statistics and previews (16), advances and deletions of clocks (100), or copies and resets of sandboxes (100). The request was not executed. Send the request again.',
  ),
  stream_limit: limited(
    'The limit of open streams is reached: 100 per key of the default sandbox, `--max-sandbox-streams` per other sandbox, 500 in total.',
  ),
  sandbox_quota_exceeded: limited(
    'The sandbox has as many objects, bytes, API keys or webhook endpoints as the flags `--max-sandbox-…` of `serve` allow. The message names the limit. Reading, deleting and resetting still work. A repeated request fails again.',
  ),
  card_decline_rate_limit_exceeded: limited('Ten attempts to pay one session were declined within an hour.'),
  internal_error: serverError('A bug in paycli caused an error. No data was changed.', 500),
  bad_gateway: serverError(
    'A fault simulates an error of a proxy in front of the server. The request was not executed.',
    502,
  ),
  idempotency_limit_reached: serverError(
    `The database stores ${MAX_STORED_RESPONSES.toLocaleString('en')} responses of the last 24 hours, which is the limit. Used keys still return their response. Wait for \`Retry-After\`, or send the request without a key.`,
  ),
  storage_full: serverError('The disk is full. Nothing was stored; reading still works.'),
  sandboxes_busy: serverError(
    'The server already has the maximum number of open sandboxes, and all open sandboxes are in use.',
  ),
  server_full: serverError(
    'The memory of the server or `serve --max-total-mb` is used up, or a sandbox is larger than the free memory. Nothing was stored; reading, deleting and resetting still work.',
    507,
  ),
  unavailable: serverError('The server is shutting down, or its disk or database does not respond.'),
}

/**
 * Returns the response for a domain error, in the format of the Stripe API; throws for a code that is not in `ERROR_DEFINITIONS`.
 */
export function toApiErrorResponse(
  error: DomainError,
  { requestId, apiUrl }: { readonly requestId: string; readonly apiUrl: string },
) {
  const row = ERROR_DEFINITIONS[error.code]
  if (row === undefined) throw new Error(`no error '${error.code}' in the catalog`)
  const [status, type] = row
  const { param = null, suggestion = null, errors, retryAfterSeconds } = error.details
  // A message can quote an API key of the request, and the response is stored for replay.
  const masked = maskKeysOf({ code: error.code, message: error.message, param })
  const headers: Record<string, string> = {}
  if (retryAfterSeconds !== undefined) headers['Retry-After'] = String(retryAfterSeconds)
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer realm="paycli"'
  return {
    status: error.code === 'resource_missing' && param === 'id' ? 404 : status,
    headers,
    body: {
      error: {
        type,
        ...masked,
        doc_url: `${apiUrl}/docs/errors#${error.code}`,
        request_id: requestId,
        ...cardDetails(error, type),
        errors: errors?.map(maskKeysOf) ?? [masked],
        suggestion,
      },
    },
  }
}

// An API key can be sent as a parameter name by mistake.
function maskKeysOf({ code, message, param }: ValidationError): ValidationError {
  return { code, message: maskKeysAndSecrets(message), param: param && maskKeysAndSecrets(param) }
}

function cardDetails(
  { details }: DomainError,
  type: ErrorType,
): Pick<DomainErrorDetails, 'decline_code' | 'payment'> {
  if (type !== 'card_error') return {}
  return { decline_code: details.decline_code ?? null, payment: details.payment ?? null }
}

/** Returns the error for a bug, without internal details. */
export function createInternalError(): DomainError {
  return new DomainError(
    'internal_error',
    'An internal error occurred and nothing was changed. The log of the server has the details under this request id.',
  )
}
