import * as p from '../../domain/core/params.ts'
import {
  type ApiKey,
  apiKeySchema,
  createApiKey,
  getApiKeyKind,
  type KeyMaterial,
  MAX_KEY_GRACE_SECONDS,
  newApiKeySchema,
  revokeApiKey,
  rollApiKey,
} from '../../domain/sandboxes/api-keys.ts'
import { requireQuotaLeft } from '../../domain/sandboxes/sandbox-quotas.ts'
import { listExpiryErrors } from '../../domain/time/unix-seconds.ts'
import { REAL_TIME } from '../../engine/time-reference.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { digestApiKey, SCOPES } from '../core/auth.ts'
import { createFieldFilters, defineListOperation } from '../core/lists.ts'
import { createChangeDecision, defineWriteOperation, type OperationContext } from '../core/operation.ts'
import { defineRetrieveOperation, idParams, requireById } from '../core/retrieve.ts'

/** Operations on API keys. */
export const apiKeys = {
  create: defineWriteOperation({
    path: '/v1/api_keys',
    summary: 'Creates an API key and returns its secret once.',
    description:
      'Store `secret`, because no other response contains it. `scopes`, such as `customers:read`, restrict the key; a key without scopes has full access.',
    params: p.shape(
      {},
      {
        name: p.text(100, 'Name of the key.'),
        scopes: p.list(
          p.choice(SCOPES, 'A scope such as `customers:read`.'),
          SCOPES.length,
          'Scopes of a restricted key (default: a secret key without restrictions).',
        ),
        expires_at: p.timestamp('Expiry in Unix seconds (default: never).'),
      },
    ),
    response: newApiKeySchema,
    example: { name: 'Reports', scopes: ['payments:read', 'refunds:read'] },
    validate: ({ expires_at }, { wallNow }) => listExpiryErrors(expires_at, wallNow),
    load: async (reader, params, context) => {
      await requireKeyQuota(reader, context)
      return createKeyMaterial(getApiKeyKind(params), context)
    },
    when: () => REAL_TIME,
    decide: (material, params, ruleContext) => {
      const { key, digest } = createApiKey(params, material, ruleContext)
      return { changes: [key, digest], result: { ...key.after, secret: material.secret } }
    },
  }),

  list: defineListOperation('api_keys', apiKeySchema, {
    summary: 'Lists API keys without their secrets, newest first.',
    description: 'Returns active, expired and revoked keys with the last four characters of their secrets.',
    filters: createFieldFilters(apiKeySchema, { status: 'Only keys with this status.' }),
  }),

  retrieve: defineRetrieveOperation('api_keys', apiKeySchema, {
    summary: 'Retrieves an API key without its secret.',
    description: 'Returns the name, the scopes, the last four characters and the time of the last use.',
  }),

  roll: defineWriteOperation({
    path: '/v1/api_keys/:id/roll',
    summary: 'Replaces an API key and returns the new secret once.',
    description:
      'Store the `secret` of the new key. With `grace_seconds` the old key stays valid for that time, so that you can replace it in your programs without an interruption.',
    params: p.shape(
      { id: p.id('The id of the key to replace.') },
      {
        grace_seconds: p.integer(
          { min: 0, max: MAX_KEY_GRACE_SECONDS },
          'Seconds for which the old key stays valid, up to 604800 (default: 0).',
        ),
      },
    ),
    response: newApiKeySchema,
    example: { grace_seconds: 3600 },
    load: async (reader, params, context) => {
      const key = await requireById(reader, 'api_keys', params.id)
      // A roll without a grace period does not change the number of active keys.
      if ((params.grace_seconds ?? 0) > 0) await requireKeyQuota(reader, context)
      // Reads all key digests. An index would cost more than it saves, because API keys are few and rarely rolled.
      const digests = await reader.listOldest('api_key_digests', Number.MAX_SAFE_INTEGER)
      const oldDigest = digests.find((digest) => digest.key === key.id)
      return { key, oldDigest, material: createKeyMaterial(key.kind, context) }
    },
    when: () => REAL_TIME,
    decide: ({ key: oldKey, oldDigest, material }, { grace_seconds: graceSeconds = 0 }, ruleContext) => {
      const { key, changes } = rollApiKey(oldKey, { oldDigest, material, graceSeconds }, ruleContext)
      return { changes, result: { ...key.after, secret: material.secret } }
    },
  }),

  revoke: defineWriteOperation({
    method: 'DELETE',
    path: '/v1/api_keys/:id',
    summary: 'Revokes an API key.',
    description:
      'Takes effect immediately: requests with the key return 401. Revoke a key that was leaked; to replace it without an interruption, roll it instead.',
    params: idParams,
    response: apiKeySchema,
    load: (reader, params) => requireById(reader, 'api_keys', params.id),
    when: () => REAL_TIME,
    decide: (key) => createChangeDecision(revokeApiKey(key)),
  }),
}

async function requireKeyQuota(reader: StoreReader, { quotas }: OperationContext): Promise<void> {
  if (quotas === undefined) return
  const active = await reader.list('api_keys', { where: { status: 'active' }, limit: quotas.keys })
  requireQuotaLeft('keys', active.data.length, quotas.keys)
}

function createKeyMaterial(kind: ApiKey['kind'], { newApiKey: newSecret }: OperationContext): KeyMaterial {
  const secret = newSecret(kind)
  return { secret, digest: digestApiKey(secret) }
}
