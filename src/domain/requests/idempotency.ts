import { isWholeCardNumber } from '../cards/whole-card-number.ts'
import { DomainError } from '../core/domain-error.ts'

/** The response to the first request with an idempotency key. */
export interface StoredResponse {
  readonly status: number
  /** The body as sent, byte for byte: JSON text, or its encrypted form when it contains a secret. */
  readonly body: string
  /** Whether the body is encrypted with the idempotency key. */
  readonly is_sealed: boolean
  /** The id of the request whose response is stored. */
  readonly request: string
}

/** A request with an idempotency key. */
export interface IdempotentRequest {
  /** The digest of the `Idempotency-Key`. */
  readonly id: string
  /** A digest of method, path and body, which must match when the key is reused. */
  readonly fingerprint: string
  /** The wall time of the request in Unix seconds. */
  readonly used_at: number
}

/** Internal record: a used `Idempotency-Key`, stored in the transaction of its request. */
export interface IdempotencyKey extends IdempotentRequest {
  readonly object: 'idempotency_key'
  /** The response; null while an operation of several transactions is still running. */
  readonly answer: StoredResponse | null
}

/** Time for which a response is stored for replay, in seconds. */
export const IDEMPOTENCY_SECONDS = 24 * 3600

/** Maximum number of stored responses per database. A small response takes about 1 kB of memory and 1 kB of disk space. */
export const MAX_STORED_RESPONSES = 1_000_000

const MAX_KEY_CHARACTERS = 255
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/
const QUOTED_KEY = /^"((?:[^"\\]|\\["\\])*)"$/
const RETRY_AFTER_SECONDS = 1
const OK = 200

/**
 * Parses the value of an `Idempotency-Key` header. The quoted form of the IETF draft (RFC 8941) is the same key as the
 * unquoted form.
 */
export function parseIdempotencyKey(header: string): string {
  const key = QUOTED_KEY.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? header
  if (key.length <= MAX_KEY_CHARACTERS && PRINTABLE_ASCII.test(key)) return rejectCardNumber(key)
  throw new DomainError(
    'idempotency_key_invalid',
    `Invalid Idempotency-Key of ${key.length} characters: expected 1 to ${MAX_KEY_CHARACTERS} printable ASCII characters. Use a UUID.`,
  )
}

// Match the whole key only: keys such as order numbers with a date often contain digits that resemble a card number.
function rejectCardNumber(key: string): string {
  if (!isWholeCardNumber(key)) return key
  throw new DomainError(
    'idempotency_key_invalid',
    'Invalid Idempotency-Key: it is a card number, and paycli stores keys. Use a UUID.',
  )
}

/** Returns whether a key can be used for a new request at `wallNow`, in Unix seconds. */
export function isIdempotencyKeyExpired({ used_at, answer }: IdempotencyKey, wallNow: number): boolean {
  return answer !== null && used_at <= wallNow - IDEMPOTENCY_SECONDS
}

/**
 * Returns the response to replay, or null when the key is unused or expired at `now`, in Unix seconds. Throws when the
 * key belongs to another request, or when the first request is still running.
 */
export function findReplayResponse(
  stored: IdempotencyKey | null,
  request: IdempotentRequest,
  now: number = request.used_at,
): StoredResponse | null {
  if (stored === null || isIdempotencyKeyExpired(stored, now)) return null
  if (stored.fingerprint !== request.fingerprint) {
    throw new DomainError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for a different request: the method, path or body differs. Repeat the original request or use a new key.',
    )
  }
  if (stored.answer !== null) return stored.answer
  throw createKeyInUseError()
}

/** Returns the error for a key whose first request is still running. */
export function createKeyInUseError(): DomainError {
  return new DomainError(
    'idempotency_key_in_use',
    'The first request with this Idempotency-Key is still running. Retry in a moment.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )
}

/** Returns the error for a new key when `count` responses of the last 24 hours are stored. */
export function createIdempotencyLimitError(count: number, retryAfterSeconds: number): DomainError {
  return new DomainError(
    'idempotency_limit_reached',
    `Cannot store another response: the limit of ${count} responses in 24 hours is reached. Nothing was changed. Retry in ${retryAfterSeconds} s, or send the request without an Idempotency-Key.`,
    { retryAfterSeconds },
  )
}

/** Creates the record of a used key; `response` is null while the request is running. */
export function createIdempotencyKey(
  { id, fingerprint, used_at }: IdempotentRequest,
  response: StoredResponse | null,
): IdempotencyKey {
  return { id, object: 'idempotency_key', fingerprint, used_at, answer: response }
}

/** Returns the stored response of a successful request without secrets. */
export function createStoredResponse(result: unknown, request: string): StoredResponse {
  return { status: OK, body: JSON.stringify(result), is_sealed: false, request }
}
