import { DomainError } from '../../domain/core/domain-error.ts'
import type { ResolvedFaultOptions } from '../../domain/faults/faults.ts'
import { maskAndTruncate } from '../../domain/text/card-number-masking.ts'

/** Returns the error of a body above 256 KiB. */
export function createBodyTooLargeError(): DomainError {
  return new DomainError(
    'request_too_large',
    'The body is larger than 256 KiB. Send a smaller body or fewer items at once.',
  )
}

/** Returns the error for a body without a Content-Type, or with a Content-Type other than JSON. */
export function createUnsupportedMediaTypeError(contentType: string): DomainError {
  const given = contentType === '' ? 'no Content-Type' : `'${maskAndTruncate(contentType, 100)}'`
  const isForm = contentType.startsWith('application/x-www-form-urlencoded')
  const advice = isForm ? ` With curl, use --json '{"email":"ada@example.com"}' instead of -d.` : ''
  return new DomainError(
    'unsupported_media_type',
    `The body must be sent with 'Content-Type: application/json' in UTF-8, not with ${given}.${advice}`,
  )
}

/** Returns the error of a URL that is longer than `max` characters. */
export function createUrlTooLongError(characters: number, max: number): DomainError {
  return new DomainError(
    'uri_too_long',
    `The URL has ${characters} characters; the maximum is ${max}. Send fewer or shorter query parameters.`,
  )
}

/** Returns the path in a sentence about the request to use instead, or null. */
function findSuggestedPath(advice: string | null): string | null {
  return /\/v1\/[\w/:]+/.exec(advice ?? '')?.[0] ?? null
}

/** Returns the error of an unknown path below /v1; `advice` is a sentence about the path to use instead. */
export function createUnknownPathError(path: string, advice: string): DomainError {
  const message = `There is no operation at ${maskAndTruncate(path, 100)}. ${advice}`
  return new DomainError('route_not_found', message, { suggestion: findSuggestedPath(advice) })
}

/** Returns the error of a method that a path does not support; `replacement` is a sentence about another request. */
export function createMethodNotAllowedError(
  method: string,
  allowed: readonly string[],
  replacement: string | null,
): DomainError {
  const isUpdate = ['PUT', 'PATCH'].includes(method) && allowed.includes('POST')
  const advice = replacement ?? (isUpdate ? 'Changes are made with POST.' : null)
  return new DomainError(
    'method_not_allowed',
    `This path does not support ${method}, only ${new Intl.ListFormat('en').format(allowed)}.${advice === null ? '' : ` ${advice}`}`,
    { suggestion: findSuggestedPath(replacement) },
  )
}

/** Returns the error of a request above the rate limit. */
export function createRateLimitError(retryAfterSeconds: number): DomainError {
  return new DomainError(
    'rate_limit',
    `Too many requests at once. Wait ${retryAfterSeconds} s, or send fewer requests: the RateLimit header contains the number of remaining requests.`,
    { retryAfterSeconds },
  )
}

/** Returns the error of a request that is not valid HTTP. */
export function createRequestMalformedError(): DomainError {
  return new DomainError(
    'request_malformed',
    'The request is not valid HTTP, or its headers are larger than 16 KiB. Check the request line and the headers.',
  )
}

/** Returns the error of a connection above the limit per address. */
export function createTooManyConnectionsError(): DomainError {
  return new DomainError(
    'rate_limit',
    'Too many connections from this address. Close idle connections, or send several requests on one connection.',
    { retryAfterSeconds: 1 },
  )
}

/** Returns the error for too many requests with an invalid key, host or origin. */
export function createUnauthenticatedLimitError(retryAfterSeconds: number): DomainError {
  return new DomainError(
    'rate_limit',
    `Too many requests without a valid API key, host or origin from this address. Wait ${retryAfterSeconds} s, and send requests with the key that \`paycli serve\` printed: this limit does not apply to them.`,
    { retryAfterSeconds },
  )
}

const SIMULATED_CODES = {
  429: 'rate_limit',
  500: 'internal_error',
  502: 'bad_gateway',
  503: 'unavailable',
} as const

/**
 * Returns the error that a fault simulates; `fault` is the id of the fault, or null for a fault from the request
 * header.
 */
export function createSimulatedError(
  { http_status, retry_after }: Pick<ResolvedFaultOptions, 'http_status' | 'retry_after'>,
  fault: string | null,
): DomainError {
  const cause = fault === null ? 'The Paycli-Fault header of the request' : `The fault ${fault}`
  return new DomainError(
    SIMULATED_CODES[http_status ?? 500],
    `${cause} simulates this error. Nothing was executed.`,
    retry_after === null ? {} : { retryAfterSeconds: retry_after },
  )
}

/** Returns the error of every request while the database is unavailable; `shortage` replaces the message. */
export function createDatabaseUnavailableError(shortage: string | null = null): DomainError {
  return new DomainError(
    'unavailable',
    shortage ?? 'The database does not respond or is read-only. Try again in a moment.',
    { retryAfterSeconds: 1 },
  )
}
