import { hash, timingSafeEqual } from 'node:crypto'
import { DomainError } from '../../domain/core/domain-error.ts'
import {
  API_KEY_PREFIXES,
  type ApiKey,
  type ApiKeyDigest,
  isUsableKey,
  UNSCOPED_RESOURCE,
} from '../../domain/sandboxes/api-keys.ts'
import { formatTimestamp } from '../../domain/text/format-timestamp.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { REPORTS, RESOURCES } from '../resources/catalog.ts'
import type { AnyOperation } from './operation.ts'

const KEY_HINT = 'Send `Authorization: Bearer <key>` with the key that `npx paycli status` prints'
const LIVE_KEY = /^(sk|rk|pk|paysk|payrk)_live_/
/** Matches the start of a Stripe test key, a webhook secret or an object id, none of which is an API key. */
const FOREIGN_PREFIX = /^(?:(?:sk|rk|pk)_test_|whsec_|(?:we|cus|sbx|key)_)/

/** Returns the SHA-256 digest of an API key in hex, the only form in which keys are stored. */
export function digestApiKey(key: string): string {
  return hash('sha256', key, 'hex')
}

const MAX_CACHED_HEADERS = 100

/** The API key of an authenticated request. */
export interface AuthenticatedKey {
  readonly key: ApiKey
  /** The scope of idempotency keys: the id of the first key in a chain of rolled keys. */
  readonly idempotencyScope: string
}

/** Returns the key of an Authorization header (RFC 6750); throws a `DomainError` with status 401 for an invalid one. */
export type Authenticator = (
  reader: StoreReader,
  authorization: string | undefined,
  wallNow: number,
) => Promise<AuthenticatedKey>

/** Returns an authenticator that caches valid headers to avoid parsing, hashing and looking up each header again. */
export function createAuthenticator(): Authenticator {
  const cache = new Map<string, Pick<ApiKeyDigest, 'key' | 'idempotency_scope'>>()

  return async (reader, authorization = '', wallNow) => {
    // A cached header still identifies its API key, but this key may have expired or been revoked.
    const digest = cache.get(authorization) ?? (await findDigest(reader, authorization))
    const key = await reader.get('api_keys', digest.key)
    if (key === null) {
      cache.delete(authorization)
      throw invalidKeyError()
    }
    requireActive(key, wallNow)
    if (!cache.has(authorization)) {
      if (cache.size >= MAX_CACHED_HEADERS) cache.clear()
      cache.set(authorization, digest)
    }
    return { key, idempotencyScope: digest.idempotency_scope ?? key.id }
  }
}

async function findDigest(reader: StoreReader, authorization: string): Promise<ApiKeyDigest> {
  const key = readBearerToken(authorization)
  if (LIVE_KEY.test(key)) {
    throw new DomainError(
      'live_key_refused',
      'This is a live key of another service. paycli neither used nor stored it. Use a paycli test key, and roll the live key if you sent it by mistake.',
    )
  }
  const digest = digestApiKey(key)
  const found = await reader.get('api_key_digests', digest)
  if (found === null || !isSameDigest(found.id, digest)) throw invalidKeyError(key)
  return found
}

function requireActive(key: ApiKey, wallNow: number): void {
  if (isUsableKey(key, wallNow)) return
  const { status, expires_at } = key
  if (status === 'revoked') throw invalidKeyError()
  throw new DomainError(
    'api_key_expired',
    expires_at === null
      ? 'This API key has expired. Use a newer one.'
      : `This API key expired at ${formatTimestamp(expires_at)}. Use a newer one.`,
  )
}

/** Returns the error of a request without an API key. */
export function createMissingApiKeyError(): DomainError {
  return new DomainError(
    'api_key_missing',
    `No API key was sent. ${KEY_HINT}, or set PAYCLI_API_KEY with \`npx paycli exec -- npm test\`.`,
  )
}

function invalidKeyError(key = ''): DomainError {
  const [prefix] = FOREIGN_PREFIX.exec(key) ?? []
  const reason =
    prefix === undefined
      ? ''
      : `: it starts with ${prefix}, but API keys of paycli start with ${API_KEY_PREFIXES.secret} or ${API_KEY_PREFIXES.restricted}`
  return new DomainError('api_key_invalid', `Invalid API key${reason}. ${KEY_HINT}.`)
}

/** The scopes of restricted keys. A write scope includes read access. */
export const SCOPES: readonly string[] = RESOURCES.filter(({ name }) => name !== UNSCOPED_RESOURCE).flatMap(
  ({ name }) => [`${name}:read`, `${name}:write`],
)

/** The scope for reports. Reports contain data of many resources, as events do. */
const REPORT_SCOPE = 'events:read'

/**
 * Returns the scope an operation requires, such as `customers:read`. Test helpers require the scope of their resource;
 * reports require `events:read`.
 */
export function getRequiredScope({ method, path }: Pick<AnyOperation, 'method' | 'path'>): string {
  const [, resource = ''] = /^\/v1\/(?:test_helpers\/)?(\w+)/.exec(path) ?? []
  if (REPORTS.some(({ name }) => name === resource)) return REPORT_SCOPE
  return `${resource}:${method === 'GET' ? 'read' : 'write'}`
}

function isSameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function readBearerToken(authorization: string): string {
  if (authorization === '') {
    throw createMissingApiKeyError()
  }
  const [scheme = '', token = '', ...rest] = authorization.trim().split(/\s+/)
  if (scheme.toLowerCase() === 'basic') {
    throw new DomainError(
      'api_key_invalid',
      'Basic authentication is not supported. Send the key as `Authorization: Bearer <key>`.',
    )
  }
  if (scheme.toLowerCase() !== 'bearer' || token === '' || rest.length > 0) {
    throw new DomainError(
      'api_key_invalid',
      `Invalid Authorization header: expected 'Bearer <key>' with a key that starts with ${API_KEY_PREFIXES.secret}.`,
    )
  }
  return token
}
