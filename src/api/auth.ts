import { hash, timingSafeEqual } from 'node:crypto'
import { API_KEY_PREFIX, type ApiKey } from '../domain/api-keys.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Reader } from '../store/store.ts'

const WHERE_TO_FIND = 'The key was printed by `paycli serve`; send it as `Authorization: Bearer <key>`.'
const LIVE_KEY = /^(sk|rk|pk|paysk|payrk)_live_/

/** The digest a key is kept as: SHA-256 in hex. */
export function digestOf(key: string): string {
  return hash('sha256', key, 'hex')
}

/** The key that a request's Authorization header opens the API with; else 401 with what to send (RFC 6750). */
export async function authenticate(
  reader: Reader,
  authorization: string | undefined,
  wallNow: number,
): Promise<ApiKey> {
  const key = bearerToken(authorization)
  if (LIVE_KEY.test(key)) {
    throw new Refusal(
      'live_key_refused',
      'That is a live key of another service. It was neither used nor kept; roll it if it was sent here by mistake, and use a paycli test key.',
    )
  }
  const digest = digestOf(key)
  const { data } = await reader.list('api_keys', { where: { digest }, limit: 1 })
  const known = data.find((candidate) => isSameDigest(candidate.digest, digest))
  if (known === undefined || known.status !== 'active') {
    throw new Refusal('api_key_invalid', `Invalid API key. ${WHERE_TO_FIND}`)
  }
  if (known.expires_at !== null && known.expires_at <= wallNow) {
    throw new Refusal(
      'api_key_expired',
      `This API key expired at ${known.expires_at} (Unix seconds). Use a newer one.`,
    )
  }
  return known
}

function isSameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '') {
    throw new Refusal('api_key_missing', `No API key was sent. ${WHERE_TO_FIND}`)
  }
  const [scheme = '', token = '', ...rest] = authorization.trim().split(/\s+/)
  if (scheme.toLowerCase() === 'basic') {
    throw new Refusal(
      'api_key_invalid',
      'Basic authentication is not supported. Send the key as `Authorization: Bearer <key>`.',
    )
  }
  if (scheme.toLowerCase() !== 'bearer' || token === '' || rest.length > 0) {
    throw new Refusal(
      'api_key_invalid',
      `The Authorization header is not 'Bearer <key>' with a key that starts with ${API_KEY_PREFIX}.`,
    )
  }
  return token
}
