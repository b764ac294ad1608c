import { DomainError } from './domain-error.ts'
import { isWholeCardNumber } from './whole-card-number.ts'

/** An answer as it left for the first caller. */
export interface StoredAnswer {
  readonly status: number
  /** The body as it was sent, byte for byte: JSON text, or what was made of it where it holds a secret. */
  readonly body: string
  /** Whether the body can only be read by who knows the key. */
  readonly is_sealed: boolean
  /** The id of the request that was carried out. */
  readonly request: string
}

/** A request that is to be carried out once. */
export interface KeyedRequest {
  /** A digest of its `Idempotency-Key`. */
  readonly id: string
  /** A digest of method, path and body: a key never stands for two requests. */
  readonly fingerprint: string
  /** Wall time in Unix seconds. */
  readonly used_at: number
}

/** A use of an `Idempotency-Key`; private, kept in the transaction of what the request did. */
export interface IdempotencyKey extends KeyedRequest {
  readonly object: 'idempotency_key'
  /** Null while what it began still goes on, over several transactions. */
  readonly answer: StoredAnswer | null
}

/** How long an answer is kept for replay. */
export const IDEMPOTENCY_SECONDS = 24 * 3600

/** How many answers a database keeps at most; a small one takes about 1 kB of memory and of disk. */
export const MAX_KEPT_ANSWERS = 1_000_000

const MAX_KEY_CHARACTERS = 255
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/
const RETRY_AFTER_SECONDS = 1
const OK = 200

/** Reads the header's value; the quoted form of the IETF draft (RFC 8941) means the same key as the bare one. */
export function readIdempotencyKey(header: string): string {
  const key = QUOTED.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? header
  if (key.length <= MAX_KEY_CHARACTERS && PRINTABLE_ASCII.test(key)) return noCardNumber(key)
  throw new DomainError(
    'idempotency_key_invalid',
    `An Idempotency-Key has 1 to ${MAX_KEY_CHARACTERS} printable ASCII characters, but ${key.length} characters were given, or others. A UUID is a good one.`,
  )
}

// Ordinary keys, such as order numbers with a date, often have digits that are masked like a card number's.
function noCardNumber(key: string): string {
  if (!isWholeCardNumber(key)) return key
  throw new DomainError(
    'idempotency_key_invalid',
    'Invalid Idempotency-Key: it is a card number, and keys are stored. Use a UUID.',
  )
}

/** Whether a use of a key is so long ago that the key may stand for something new; `wallNow` in Unix seconds. */
export function isForgotten({ used_at, answer }: IdempotencyKey, wallNow: number): boolean {
  return answer !== null && used_at <= wallNow - IDEMPOTENCY_SECONDS
}

/**
 * Returns the answer to give again, or null when the key is new at `now` in Unix seconds. Rejects a key of another
 * request, and one whose first request is still being processed.
 */
export function formerAnswer(
  used: IdempotencyKey | null,
  request: KeyedRequest,
  now: number = request.used_at,
): StoredAnswer | null {
  if (used === null || isForgotten(used, now)) return null
  if (used.fingerprint !== request.fingerprint) {
    throw new DomainError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request: its method, path or body differs. Send the same request again, or use a new key.',
    )
  }
  if (used.answer !== null) return used.answer
  throw new DomainError(
    'idempotency_key_in_use',
    'The first request with this Idempotency-Key is still being carried out. Send it again in a moment.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )
}

/** The error for a new key while `count` answers are kept, none of them older than 24 hours. */
export function answersFull(count: number, retryAfterSeconds: number): DomainError {
  return new DomainError(
    'idempotency_limit_reached',
    `Cannot keep another answer: ${count} answers of the last 24 hours are kept, which is the limit, and none is dropped early. Nothing was changed. Send the request again in ${retryAfterSeconds} s, or send it without an Idempotency-Key.`,
    { retryAfterSeconds },
  )
}

/** A use of a key, with its answer once there is one. */
export function useKey(
  { id, fingerprint, used_at }: KeyedRequest,
  answer: StoredAnswer | null,
): IdempotencyKey {
  return { id, object: 'idempotency_key', fingerprint, used_at, answer }
}

/** The answer of a success that holds no secret. */
export function successAnswer(result: unknown, request: string): StoredAnswer {
  return { status: OK, body: JSON.stringify(result), is_sealed: false, request }
}
