import { createApiKey, isUsableKey, type KeyMaterial, revokeApiKey } from '../domain/api-keys.ts'
import type { Sandbox } from '../domain/sandbox.ts'
import type { Store } from '../store/port/store.ts'
import { loadAll } from './load-related.ts'
import type { Runtime } from './runtime.ts'

/** The id of the only sandbox. */
const SANDBOX_ID = 'sandbox'

/** The name of API keys from the home folder or --api-key. */
const SERVE_KEY_NAME = 'serve'

/** Returns whether the database has no sandbox yet. */
export async function isNewDatabase(store: Store): Promise<boolean> {
  return (await store.get('sandboxes', SANDBOX_ID)) === null
}

/**
 * Returns the sandbox with its secrets; creates it in a new database. The first `sharedSecret` of a database is stored:
 * it signs forwarded deliveries, so that a handler verifies deliveries of all processes with one secret.
 */
export async function prepareSandbox(
  store: Store,
  newToken: () => string,
  sharedSecret?: string,
): Promise<Sandbox> {
  const { result } = await store.transact(async (reader) => {
    const known = await reader.get('sandboxes', SANDBOX_ID)
    const base: Sandbox = known ?? {
      id: SANDBOX_ID,
      object: 'sandbox',
      fingerprint_salt: newToken(),
      form_key: newToken(),
    }
    const isSecretStored = sharedSecret === undefined || base.webhook_secret !== undefined
    const sandbox = isSecretStored ? base : { ...base, webhook_secret: sharedSecret }
    return { result: sandbox, writes: sandbox === known ? [] : [{ put: sandbox }], events: [] }
  })
  return result
}

/**
 * Registers an API key in the database unless it exists. Resolves with false for a key that is expired or revoked in this
 * database.
 */
export async function admitKey(
  { store, newId, wallNow }: Pick<Runtime, 'store' | 'newId' | 'wallNow'>,
  key: KeyMaterial,
): Promise<boolean> {
  const now = wallNow()
  const { result } = await store.transact(async (reader) => {
    const known = await reader.get('api_key_digests', key.digest)
    if (known !== null) {
      const stored = await reader.get('api_keys', known.key)
      return { result: stored !== null && isUsableKey(stored, now), writes: [], events: [] }
    }
    const created = createApiKey({ name: SERVE_KEY_NAME }, key, { newId, wallNow: now })
    const writes = [{ put: created.key.after }, { put: created.digest.after }]
    return { result: true, writes, events: [] }
  })
  return result
}

/** Revokes the keys that earlier processes registered from --api-key, except the keys with these digests. */
export async function revokeEarlierKeys(store: Store, keptDigests: readonly string[]): Promise<void> {
  await store.transact(async (reader) => {
    const digests = await Promise.all(keptDigests.map((digest) => reader.get('api_key_digests', digest)))
    const kept = new Set(digests.map((digest) => digest?.key))
    const all = await loadAll(reader, 'api_keys', {})
    const earlier = all.filter(
      ({ id, name, status }) => name === SERVE_KEY_NAME && status === 'active' && !kept.has(id),
    )
    return { result: null, writes: earlier.map((key) => ({ put: revokeApiKey(key).after })), events: [] }
  })
}
