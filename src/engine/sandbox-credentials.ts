import { createApiKey, isUsableKey, type KeyMaterial, revokeApiKey } from '../domain/sandboxes/api-keys.ts'
import { type InternalSandboxSecrets, SANDBOX_SECRETS_ID } from '../domain/sandboxes/sandbox-secrets.ts'
import type { Store, Write } from '../store/port/store.ts'
import { commitRecordChanges } from './commit.ts'
import { loadMatching } from './load-related.ts'
import type { Runtime } from './runtime.ts'

/** The name of API keys from the home folder or --api-key. */
const SERVE_KEY_NAME = 'serve'

/** Returns whether the store has no secrets yet, because no server has opened it. */
export async function isNewDatabase(store: Store): Promise<boolean> {
  return (await store.get('sandbox_secrets', SANDBOX_SECRETS_ID)) === null
}

/**
 * Returns the secrets of a sandbox; creates them in a new store. Stores the first `sharedSecret` of a database, which
 * signs forwarded deliveries, so that a handler verifies deliveries of all processes with one secret.
 */
export async function ensureInternalSandboxSecrets(
  store: Store,
  newToken: () => string,
  sharedSecret?: string,
): Promise<InternalSandboxSecrets> {
  const { result } = await store.transact(async (reader) => {
    const known = await reader.get('sandbox_secrets', SANDBOX_SECRETS_ID)
    const base: InternalSandboxSecrets = known ?? {
      id: SANDBOX_SECRETS_ID,
      object: 'sandbox_secrets',
      fingerprint_salt: newToken(),
      form_key: newToken(),
    }
    const isSecretStored = sharedSecret === undefined || base.webhook_secret !== undefined
    const secrets = isSecretStored ? base : { ...base, webhook_secret: sharedSecret }
    const writes: Write[] = secrets === known ? [] : [{ put: secrets }]
    return { result: secrets, writes, events: [] }
  })
  return result
}

/**
 * Registers an API key in the database unless it exists. Resolves with false for a key that is expired or revoked in this
 * database.
 */
export async function registerApiKey(
  { store, newId, wallNow }: Pick<Runtime, 'store' | 'newId' | 'wallNow'>,
  key: KeyMaterial,
): Promise<boolean> {
  const now = wallNow()
  return commitRecordChanges(store, async (reader) => {
    const known = await reader.get('api_key_digests', key.digest)
    if (known !== null) {
      const stored = await reader.get('api_keys', known.key)
      return { result: stored !== null && isUsableKey(stored, now), changes: [] }
    }
    const created = createApiKey({ name: SERVE_KEY_NAME }, key, { newId, wallNow: now })
    return { result: true, changes: [created.key, created.digest] }
  })
}

/**
 * Revokes the keys that earlier processes registered from the home folder or --api-key, except the keys with these
 * digests.
 */
export async function revokeStaleStartupKeys(store: Store, keptDigests: readonly string[]): Promise<void> {
  await commitRecordChanges(store, async (reader) => {
    const digests = await Promise.all(keptDigests.map((digest) => reader.get('api_key_digests', digest)))
    const kept = new Set(digests.map((digest) => digest?.key))
    const all = await loadMatching(reader, 'api_keys', {})
    const earlier = all.filter(
      ({ id, name, status }) => name === SERVE_KEY_NAME && status === 'active' && !kept.has(id),
    )
    return { result: null, changes: earlier.map(revokeApiKey) }
  })
}
