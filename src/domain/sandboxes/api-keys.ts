import {
  type Change,
  type Creation,
  type ObjectUpdate,
  type RuleContext,
  toCreation,
  toUpdate,
} from '../core/changes.ts'
import { DomainError, throwValidationErrors } from '../core/domain-error.ts'
import * as s from '../core/schema.ts'
import { listExpiryErrors } from '../time/unix-seconds.ts'
import { DEFAULT_SANDBOX } from './sandboxes.ts'

/** The schema of a key for the API. Only a digest of its secret is stored, in a separate record. */
export const apiKeySchema = s.resourceObject(
  'api_key',
  'A key that authenticates requests to the API. All times are in real time.',
  {
    name: s.nullable(s.text('Your own name for the key; null if not given.')),
    kind: s.enumOf(
      ['secret', 'restricted'],
      'Whether the key permits everything, or only the operations of its scopes.',
    ),
    last4: s.text('The last four characters of the secret.'),
    scopes: s.arrayOf(
      s.text('A scope such as `customers:read` or `customers:write`; `*` permits everything.'),
      'The permissions of the key. A write scope includes reading.',
    ),
    status: s.enumOf(['active', 'expired', 'revoked'], 'Whether requests with the key are accepted.'),
    expires_at: s.nullable(
      s.timestamp('Time at which the key expires or expired; null if it does not expire.'),
    ),
    last_used_at: s.nullable(
      s.timestamp('Time at which the key was last used, to the minute; null if it was never used.'),
    ),
  },
)

export type ApiKey = s.ValueOf<typeof apiKeySchema>

/** The schema of an API key with its secret. */
export const newApiKeySchema = s.withSecrets(
  apiKeySchema,
  'new_api_key',
  'A new API key with its secret, which no other response contains.',
  { secret: s.text('The bearer token; begins with `paysk_test_` or `payrk_test_`.') },
)

/** Internal record: maps the digest of a secret to its key. */
export interface ApiKeyDigest {
  /** The digest of the secret. */
  readonly id: string
  readonly object: 'api_key_digest'
  readonly key: string
  /** The id of the first key in a chain of rolled keys. All keys of the chain share their idempotency keys. */
  readonly idempotency_scope?: string
}

/** The secret of a new key and its digest, which is stored. */
export interface KeyMaterial {
  readonly secret: string
  readonly digest: string
}

export interface ApiKeyParams {
  readonly name?: string
  readonly scopes?: readonly string[]
  readonly expires_at?: number
}

/** Prefix of API keys, by kind. */
export const API_KEY_PREFIXES = { secret: 'paysk_test_', restricted: 'payrk_test_' } as const

/** Matches a key of a sandbox other than `default`. Its second group is the id of the sandbox without `sbx_`. */
const SANDBOX_KEY = /^(pay[sr]k_test_)([0-9A-Za-z]{24})_[0-9A-Za-z]{32}$/

/** Returns the secret of a new key with the id of its sandbox, by which a server finds the store of the key. */
export function addSandboxIdToKey(secret: string, sandbox: string): string {
  if (sandbox === DEFAULT_SANDBOX) return secret
  const prefix = Object.values(API_KEY_PREFIXES).find((one) => secret.startsWith(one)) ?? ''
  return `${prefix}${sandbox.slice('sbx_'.length)}_${secret.slice(prefix.length)}`
}

/** Returns the id of the sandbox that a key contains; keys without an id belong to the default sandbox. */
export function getKeySandboxId(secret: string): string {
  const id = SANDBOX_KEY.exec(secret)?.[2]
  return id === undefined ? DEFAULT_SANDBOX : `sbx_${id}`
}

/** Longest grace period of a rolled key, in seconds. */
export const MAX_KEY_GRACE_SECONDS = 7 * 86_400

const ALL_SCOPES = '*'

/** API keys are the only resource without scopes, because only secret keys can manage API keys. */
export const UNSCOPED_RESOURCE = 'api_keys'

/** Returns the kind of a key with the given fields; a key with scopes is restricted. */
export function getApiKeyKind({ scopes }: Pick<ApiKeyParams, 'scopes'>): ApiKey['kind'] {
  return scopes === undefined ? 'secret' : 'restricted'
}

/** Creates an API key with its digest; a key with scopes is restricted. Throws when `expires_at` is in the past. */
export function createApiKey(
  fields: ApiKeyParams,
  material: KeyMaterial,
  { newId, wallNow }: Pick<RuleContext, 'newId' | 'wallNow'>,
): { readonly key: Creation<ApiKey>; readonly digest: Creation<ApiKeyDigest> } {
  const { name = null, scopes = [ALL_SCOPES], expires_at = null } = fields
  throwValidationErrors(listExpiryErrors(expires_at, wallNow))
  const key: ApiKey = {
    id: newId('key_'),
    object: 'api_key',
    created: wallNow,
    livemode: false,
    name,
    kind: getApiKeyKind(fields),
    last4: material.secret.slice(-4),
    scopes: [...new Set(scopes)],
    status: 'active',
    expires_at,
    last_used_at: null,
  }
  return {
    key: toCreation(null, key),
    digest: toCreation(null, { id: material.digest, object: 'api_key_digest', key: key.id }),
  }
}

/**
 * Replaces a key with a new key that has the same name, scopes and idempotency scope. A request sent with the old key
 * can be repeated with the new key. The old key stays valid for `graceSeconds`. `oldDigest` is the old key's digest
 * record.
 */
export function rollApiKey(
  old: ApiKey,
  options: {
    readonly material: KeyMaterial
    readonly graceSeconds: number
    readonly oldDigest: ApiKeyDigest | undefined
  },
  context: Pick<RuleContext, 'newId' | 'wallNow'>,
): { readonly key: Creation<ApiKey>; readonly changes: readonly Change[] } {
  requireActive(old, 'roll')
  const { name, kind, scopes } = old
  const fields = { ...(name === null ? {} : { name }), ...(kind === 'restricted' ? { scopes } : {}) }
  const { key, digest } = createApiKey(fields, options.material, context)
  const end = Math.min(old.expires_at ?? Number.POSITIVE_INFINITY, context.wallNow + options.graceSeconds)
  const rolledKey: ApiKey = { ...old, status: end > context.wallNow ? 'active' : 'expired', expires_at: end }
  const idempotency_scope = options.oldDigest?.idempotency_scope ?? old.id
  return {
    key,
    changes: [toUpdate(null, old, rolledKey), key, toCreation(null, { ...digest.after, idempotency_scope })],
  }
}

/** Revokes an API key immediately. */
export function revokeApiKey(key: ApiKey): ObjectUpdate<ApiKey> {
  requireActive(key, 'revoke')
  return toUpdate<ApiKey>(null, key, { ...key, status: 'revoked' })
}

/** Marks an API key as expired. */
export function expireApiKey(key: ApiKey): ObjectUpdate<ApiKey> {
  return toUpdate<ApiKey>(null, key, { ...key, status: 'expired' })
}

/** Returns whether a key is valid at `wallNow`. A key may be past its expiry before the scheduler marks it expired. */
export function isUsableKey({ status, expires_at }: ApiKey, wallNow: number): boolean {
  return status === 'active' && (expires_at === null || expires_at > wallNow)
}

function requireActive({ id, status }: ApiKey, verb: string): void {
  if (status === 'active') return
  throw new DomainError(
    'api_key_unexpected_state',
    `Cannot ${verb} api_key '${id}': it is already ${status}. Create a new key instead.`,
  )
}

/** Throws if a key may not change faults. `isExposed` is true if other machines can reach the server. */
export function requireFaultAccess(key: ApiKey, isExposed: boolean): void {
  requireScope(key, 'faults:write')
  rejectSecretKeyWhenExposed(key.kind === 'secret', isExposed)
}

/** Throws `insufficient_scope` for a secret key if other machines can reach the API. */
export function rejectSecretKeyWhenExposed(isSecretKey: boolean, isExposed: boolean): void {
  if (!isSecretKey || !isExposed) return
  throw new DomainError(
    'insufficient_scope',
    'Other machines can reach this server, so faults require a restricted key with the scope faults:write, and a secret key is not enough. To create one: paycli keys create --name Faults --scopes faults:write. Add the scopes of your other requests.',
  )
}

/** Throws `insufficient_scope` when a key lacks the required scope, such as `customers:write`. */
export function requireScope({ kind, scopes }: ApiKey, required: string): void {
  if (kind === 'secret' || scopes.includes(required)) return
  const [resource, action] = required.split(':')
  if (action === 'read' && scopes.includes(`${resource}:write`)) return
  const fix =
    resource === UNSCOPED_RESOURCE ? 'Use a secret key.' : `Use a key with ${required}, or a secret key.`
  throw new DomainError(
    'insufficient_scope',
    `This restricted key has no permission for the request: its scopes are ${scopes.join(', ')}. ${fix}`,
  )
}

/** Returns the error of an API key whose sandbox does not exist. */
export function createUnknownSandboxError(): DomainError {
  return new DomainError(
    'api_key_invalid',
    'The sandbox of this API key does not exist: it was deleted, or it belongs to another server. Create one with POST /v1/sandboxes and a key of the default sandbox.',
  )
}
