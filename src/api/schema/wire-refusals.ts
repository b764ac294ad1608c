import { DomainError } from '../../domain/domain-error.ts'

/** The refusal of a body above 256 KiB. */
export function bodyTooLarge(): DomainError {
  return new DomainError(
    'request_too_large',
    'The body is larger than 256 KiB. Send less, or fewer items at once.',
  )
}

/** The refusal of a body that says it is something else, or does not say what it is. */
export function notSentAsJson(contentType: string): DomainError {
  const given = contentType === '' ? 'no Content-Type was sent' : 'another Content-Type was sent'
  return new DomainError(
    'unsupported_media_type',
    `The body must be sent with 'Content-Type: application/json' in UTF-8; ${given}.`,
  )
}

/** The refusal of a URL that is longer than `most` characters. */
export function urlTooLong(characters: number, most: number): DomainError {
  return new DomainError(
    'uri_too_long',
    `The URL has ${characters} characters; ${most} are the most. Send fewer or shorter query parameters.`,
  )
}

/** The refusal of a method that a path does not have. */
export function methodNotAllowed(method: string, allowed: readonly string[]): DomainError {
  return new DomainError('method_not_allowed', `${method} is not possible here; use ${allowed.join(' or ')}.`)
}

/** The refusal of a request that came too soon. */
export function tooSoon(retryAfterSeconds: number): DomainError {
  return new DomainError(
    'rate_limit',
    `Too many requests at once. Wait ${retryAfterSeconds} s, or send fewer: the RateLimit headers say how many are left.`,
    { retryAfterSeconds },
  )
}

/** The error for a connection above the limit of its address. */
export function tooManyConnections(): DomainError {
  return new DomainError(
    'rate_limit',
    'Too many connections from this address. Close some, or use them for more than one request.',
    { retryAfterSeconds: 1 },
  )
}

/** The error for too many requests that were refused for their key, host or origin. */
export function tooManyUnauthenticated(retryAfterSeconds: number): DomainError {
  return new DomainError(
    'rate_limit',
    `Too many requests without a valid API key, host or origin from this address. Wait ${retryAfterSeconds} s, and send requests with the key that \`paycli serve\` printed: this does not limit those.`,
    { retryAfterSeconds },
  )
}

/** The refusal of everything while the database is away, or gives too few connections. */
export function databaseAway(shortage: string | null = null): DomainError {
  return new DomainError(
    'unavailable',
    shortage ?? 'The database does not answer just now, or only reads. Try again in a moment.',
    { retryAfterSeconds: 1 },
  )
}
