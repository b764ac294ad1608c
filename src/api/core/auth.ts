import { hash, timingSafeEqual } from 'node:crypto'
import { API_KEY_PREFIXES, type ApiKey, type ApiKeyDigest, isOpenKey } from '../../domain/api-keys.ts'
import { DomainError } from '../../domain/domain-error.ts'
import { momentText } from '../../domain/moment-text.ts'
import type { Reader } from '../../store/port/store.ts'
import type { AnyOperation } from './operation.ts'

const WHERE_TO_FIND = 'The key was printed by `paycli serve`; send it as `Authorization: Bearer <key>`.'
const LIVE_KEY = /^(sk|rk|pk|paysk|payrk)_live_/

/** The digest a key is kept as: SHA-256 in hex. */
export function digestOf(key: string): string {
  return hash('sha256', key, 'hex')
}

const MAX_REMEMBERED = 100

/** An API key that a request was sent with. */
export interface AuthenticatedKey {
  readonly key: ApiKey
  /** Requests share idempotency keys within this scope: the id of the key, or of the first key it was rolled from. */
  readonly idempotencyScope: string
}

/** Gives the key that a request's Authorization header opens the API with; else 401 with what to send (RFC 6750). */
export type Authenticate = (
  reader: Reader,
  authorization: string | undefined,
  wallNow: number,
) => Promise<AuthenticatedKey>

/** Remembers headers that opened the API, so that they need not be read, hashed and looked up each time. */
export function createAuthenticate(): Authenticate {
  const remembered = new Map<string, Pick<ApiKeyDigest, 'key' | 'idempotency_scope'>>()

  return async (reader, authorization = '', wallNow) => {
    // Which key a header is never changes; whether it still opens anything is asked anew each time.
    const found = remembered.get(authorization) ?? (await findDigest(reader, authorization))
    const key = await reader.get('api_keys', found.key)
    if (key === null) {
      remembered.delete(authorization)
      throw invalidKey()
    }
    requireOpen(key, wallNow)
    if (!remembered.has(authorization)) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(authorization, found)
    }
    return { key, idempotencyScope: found.idempotency_scope ?? key.id }
  }
}

async function findDigest(reader: Reader, authorization: string): Promise<ApiKeyDigest> {
  const key = bearerToken(authorization)
  if (LIVE_KEY.test(key)) {
    throw new DomainError(
      'live_key_refused',
      'That is a live key of another service. It was neither used nor kept; roll it if it was sent here by mistake, and use a paycli test key.',
    )
  }
  const digest = digestOf(key)
  const found = await reader.get('api_key_digests', digest)
  if (found === null || !isSameDigest(found.id, digest)) throw invalidKey()
  return found
}

function requireOpen(key: ApiKey, wallNow: number): void {
  if (isOpenKey(key, wallNow)) return
  const { status, expires_at } = key
  if (status === 'revoked') throw invalidKey()
  throw new DomainError(
    'api_key_expired',
    expires_at === null
      ? 'This API key has expired. Use a newer one.'
      : `This API key expired at ${momentText(expires_at)}. Use a newer one.`,
  )
}

/** The refusal of a request without a key. */
export function missingKey(): DomainError {
  return new DomainError('api_key_missing', `No API key was sent. ${WHERE_TO_FIND}`)
}

function invalidKey(): DomainError {
  return new DomainError('api_key_invalid', `Invalid API key. ${WHERE_TO_FIND}`)
}

/** The scope that an operation needs, such as `customers:read`; test helpers need that of what they help with. */
export function scopeOf({ method, path }: Pick<AnyOperation, 'method' | 'path'>): string {
  const [, resource = ''] = /^\/v1\/(?:test_helpers\/)?(\w+)/.exec(path) ?? []
  return `${resource}:${method === 'GET' ? 'read' : 'write'}`
}

function isSameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function bearerToken(authorization: string): string {
  if (authorization === '') {
    throw missingKey()
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
      `The Authorization header is not 'Bearer <key>' with a key that starts with ${API_KEY_PREFIXES.secret}.`,
    )
  }
  return token
}
