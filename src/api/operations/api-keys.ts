import {
  type ApiKey,
  createApiKey,
  endProblems,
  type KeyMaterial,
  kindOfKey,
  MAX_KEY_GRACE_SECONDS,
  revokeApiKey,
  rollApiKey,
  SCOPES,
} from '../../domain/api-keys.ts'
import { realTime } from '../../engine/time-source.ts'
import { digestOf } from '../core/auth.ts'
import { listOperation } from '../core/lists.ts'
import { type CallContext, operation } from '../core/operation.ts'
import { byId, requireById, retrieveOperation } from '../core/retrieving.ts'
import { apiKey, newApiKey } from '../resources/api-keys.ts'
import { choice, id, integer, list, shape, text, timestamp } from '../schema/schema.ts'
import { EXAMPLE_KEY } from './example-requests.ts'

/** What opens the API. */
export const apiKeys = {
  create: operation({
    method: 'POST',
    path: '/v1/api_keys',
    summary: 'Creates an API key; only this answer shows its secret.',
    params: shape(
      {},
      {
        name: text(100, 'Your own name for the key.'),
        scopes: list(
          choice(SCOPES, 'A scope.'),
          SCOPES.length,
          'All that the key may do, which makes it a restricted one; everything unless given.',
        ),
        expires_at: timestamp('When it ends by itself, in Unix seconds; never unless given.'),
      },
    ),
    answer: newApiKey,
    example: EXAMPLE_KEY,
    faults: ({ expires_at }, { wallNow }) => endProblems(expires_at, wallNow),
    load: async (_reader, params, context) => materialFor(kindOfKey(params), context),
    when: () => realTime,
    decide: (material, params, ruleContext) => {
      const { key, found } = createApiKey(params, material, ruleContext)
      return { changes: [key, found], result: { ...key.after, secret: material.secret } }
    },
  }),

  list: listOperation({
    collection: 'api_keys',
    path: '/v1/api_keys',
    summary: 'Lists API keys without their secrets, newest first.',
    filters: { status: choice(['active', 'expired', 'revoked'], 'Only keys in this state.') },
  }),

  retrieve: retrieveOperation('api_keys', 'Retrieves an API key, without its secret.'),

  roll: operation({
    method: 'POST',
    path: '/v1/api_keys/:id/roll',
    summary:
      'Replaces an API key by a new one of the same name and scopes; only this answer shows its secret.',
    params: shape(
      { id: id('The id of the key to replace.') },
      {
        grace_seconds: integer(
          { min: 0, max: MAX_KEY_GRACE_SECONDS },
          'How long the old key still opens the API, in seconds, up to a week; not at all unless given.',
        ),
      },
    ),
    answer: newApiKey,
    example: { grace_seconds: 3600 },
    load: async (reader, params, context) => {
      const key = await requireById(reader, 'api_keys', params.id)
      // There are few keys, and they are rolled rarely: an index would cost more.
      const digests = await reader.oldest('api_key_digests', Number.MAX_SAFE_INTEGER)
      const oldDigest = digests.find((digest) => digest.key === key.id)
      return { key, oldDigest, material: materialFor(key.kind, context) }
    },
    when: () => realTime,
    decide: ({ key: old, ...given }, { grace_seconds: graceSeconds = 0 }, ruleContext) => {
      const { key, changes } = rollApiKey(old, { ...given, graceSeconds }, ruleContext)
      const { material } = given
      return { changes, result: { ...key.after, secret: material.secret } }
    },
  }),

  revoke: operation({
    method: 'DELETE',
    path: '/v1/api_keys/:id',
    summary: 'Revokes an API key: from now on it opens nothing.',
    params: byId,
    answer: apiKey,
    load: (reader, params) => requireById(reader, 'api_keys', params.id),
    when: () => realTime,
    decide: (key) => {
      const revoked = revokeApiKey(key)
      return { changes: [revoked], result: revoked.after }
    },
  }),
}

function materialFor(kind: ApiKey['kind'], { newApiKey: newSecret }: CallContext): KeyMaterial {
  const secret = newSecret(kind)
  return { secret, digest: digestOf(secret) }
}
