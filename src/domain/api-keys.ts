import { type Change, type Creation, creation, type Mutation, mutation, type RuleContext } from './changes.ts'
import { DomainError, refuseProblems, type ValidationError } from './domain-error.ts'
import { millisecondProblems } from './unix-seconds.ts'

/** A key that opens the API; its secret is kept nowhere, only a digest of it beside. */
export interface ApiKey {
  readonly id: string
  readonly object: 'api_key'
  readonly created: number
  readonly livemode: false
  readonly name: string | null
  /** A restricted one opens only what its scopes name. */
  readonly kind: 'secret' | 'restricted'
  readonly last4: string
  readonly scopes: readonly string[]
  readonly status: 'active' | 'expired' | 'revoked'
  readonly expires_at: number | null
  /** To the minute. */
  readonly last_used_at: number | null
}

/** Which key a secret is; private. */
export interface ApiKeyDigest {
  /** The digest of the secret. */
  readonly id: string
  readonly object: 'api_key_digest'
  readonly key: string
  /** For a key that replaced another: the id of the first key of that row, whose idempotency keys all of them share. */
  readonly idempotency_scope?: string
}

/** The secret of a new key, and what is kept of it. */
export interface KeyMaterial {
  readonly secret: string
  readonly digest: string
}

export interface ApiKeyFields {
  readonly name?: string
  readonly scopes?: readonly string[]
  readonly expires_at?: number
}

/** Prefix of every key that paycli gives out, by its kind. */
export const API_KEY_PREFIXES = { secret: 'paysk_test_', restricted: 'payrk_test_' } as const

/** How long a rolled key may go on, in seconds. */
export const MAX_KEY_GRACE_SECONDS = 7 * 86_400

const EVERYTHING = '*'
const SCOPED = [
  'customers',
  'checkout_sessions',
  'payment_sessions',
  'payments',
  'payment_methods',
  'subscriptions',
  'invoices',
  'refunds',
  'test_clocks',
  'events',
  'webhook_endpoints',
  'webhook_deliveries',
  'request_logs',
]

/** What a restricted key can be given; to write is to read as well. Keys themselves are for secret keys alone. */
export const SCOPES: readonly string[] = SCOPED.flatMap((name) => [`${name}:read`, `${name}:write`])

/** The kind of key that these fields ask for. */
export function kindOfKey({ scopes }: Pick<ApiKeyFields, 'scopes'>): ApiKey['kind'] {
  return scopes === undefined ? 'secret' : 'restricted'
}

/** A key with the record that finds it; with scopes it is a restricted one. Refuses an end that is past. */
export function createApiKey(
  fields: ApiKeyFields,
  { secret, digest }: KeyMaterial,
  { newId, wallNow }: Pick<RuleContext, 'newId' | 'wallNow'>,
): { readonly key: Creation<ApiKey>; readonly found: Creation<ApiKeyDigest> } {
  const { name = null, scopes = [EVERYTHING], expires_at = null } = fields
  refuseProblems(endProblems(expires_at, wallNow))
  const key: ApiKey = {
    id: newId('key_'),
    object: 'api_key',
    created: wallNow,
    livemode: false,
    name,
    kind: kindOfKey(fields),
    last4: secret.slice(-4),
    scopes: [...new Set(scopes)],
    status: 'active',
    expires_at,
    last_used_at: null,
  }
  return {
    key: creation(null, key),
    found: creation(null, { id: digest, object: 'api_key_digest', key: key.id }),
  }
}

/** What is wrong with the end of a key: it must lie ahead, and be in Unix seconds. */
export function endProblems(expiresAt: number | null | undefined, wallNow: number): ValidationError[] {
  if (expiresAt === undefined || expiresAt === null) return []
  if (expiresAt > wallNow) return millisecondProblems('expires_at', expiresAt)
  const message = `expires_at ${expiresAt} is not in the future: it is ${wallNow} now, in Unix seconds. Give a later one, or leave it out.`
  return [{ code: 'timestamp_invalid', param: 'expires_at', message }]
}

/**
 * A new key of the same name, scopes and idempotency keys, so that a request sent with the old key can be repeated with
 * the new one. The old key still opens the API for so many seconds; `oldDigest` is its own record.
 */
export function rollApiKey(
  old: ApiKey,
  given: {
    readonly material: KeyMaterial
    readonly graceSeconds: number
    readonly oldDigest: ApiKeyDigest | undefined
  },
  context: Pick<RuleContext, 'newId' | 'wallNow'>,
): { readonly key: Creation<ApiKey>; readonly changes: readonly Change[] } {
  requireActive(old, 'roll')
  const { name, kind, scopes } = old
  const fields = { ...(name === null ? {} : { name }), ...(kind === 'restricted' ? { scopes } : {}) }
  const { key, found } = createApiKey(fields, given.material, context)
  const end = Math.min(old.expires_at ?? Number.POSITIVE_INFINITY, context.wallNow + given.graceSeconds)
  const ending: ApiKey = { ...old, status: end > context.wallNow ? 'active' : 'expired', expires_at: end }
  const idempotency_scope = given.oldDigest?.idempotency_scope ?? old.id
  return {
    key,
    changes: [mutation(null, old, ending), key, creation(null, { ...found.after, idempotency_scope })],
  }
}

/** The key opens nothing any more, from now on. */
export function revokeApiKey(key: ApiKey): Mutation<ApiKey> {
  requireActive(key, 'revoke')
  return mutation<ApiKey>(null, key, { ...key, status: 'revoked' })
}

/** The key has come to its end. */
export function expireApiKey(key: ApiKey): Mutation<ApiKey> {
  return mutation<ApiKey>(null, key, { ...key, status: 'expired' })
}

/** Whether the key opens anything now; its end may have come before time did anything about it. */
export function isOpenKey({ status, expires_at }: ApiKey, wallNow: number): boolean {
  return status === 'active' && (expires_at === null || expires_at > wallNow)
}

function requireActive({ id, status }: ApiKey, verb: string): void {
  if (status === 'active') return
  throw new DomainError(
    'api_key_unexpected_state',
    `Cannot ${verb} api_key '${id}': it is ${status}, and opens nothing already. Create a new key instead.`,
  )
}

/** Refuses a key whose scopes do not cover what is asked, such as `customers:write`. */
export function requireScope({ kind, scopes }: ApiKey, wanted: string): void {
  if (kind === 'secret' || scopes.includes(wanted)) return
  const [resource, action] = wanted.split(':')
  if (action === 'read' && scopes.includes(`${resource}:write`)) return
  const way = SCOPES.includes(wanted) ? `Use a key with ${wanted}, or a secret key.` : 'Use a secret key.'
  throw new DomainError(
    'insufficient_scope',
    `This restricted key may not do that: it has ${scopes.join(', ')}. ${way}`,
  )
}
