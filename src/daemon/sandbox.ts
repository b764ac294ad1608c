import { digestOf } from '../api/core/auth.ts'
import { createApiKey, isUsableKey, revokeApiKey } from '../domain/api-keys.ts'
import type { Sandbox } from '../domain/sandbox.ts'
import { StartupError } from '../domain/startup-error.ts'
import { loadAll } from '../engine/load-related.ts'
import type { Store } from '../store/port/store.ts'
import { type Credentials, replaceApiKey } from './credentials.ts'
import type { Ids } from './ids.ts'

/** The id of the only sandbox. */
export const SANDBOX_ID = 'sandbox'

/** The name of API keys from the home folder or --api-key. */
const SERVE_KEY_NAME = 'serve'

/** Returns the sandbox with its secrets; creates it in a new database. */
export async function prepareSandbox(store: Store, ids: Ids): Promise<Sandbox> {
  const { result } = await store.transact(async (reader) => {
    const known = await reader.get('sandboxes', SANDBOX_ID)
    const sandbox: Sandbox = known ?? {
      id: SANDBOX_ID,
      object: 'sandbox',
      fingerprint_salt: ids.newToken(),
      form_key: ids.newToken(),
    }
    return { result: sandbox, writes: known ? [] : [{ put: sandbox }], events: [] }
  })
  return result
}

/**
 * Returns the secret that signs forwarded deliveries: `own`, or the secret of the first process in a shared store. A
 * handler then verifies deliveries of all processes with one secret.
 */
export async function loadWebhookSecret(store: Store, ids: Ids, own: string): Promise<string> {
  if (store.coordinator === undefined) return own
  await prepareSandbox(store, ids)
  const { result } = await store.transact(async (reader) => {
    const sandbox = await reader.get('sandboxes', SANDBOX_ID)
    if (sandbox === null || sandbox.webhook_secret !== undefined) {
      return { result: sandbox?.webhook_secret ?? own, writes: [], events: [] }
    }
    return { result: own, writes: [{ put: { ...sandbox, webhook_secret: own } }], events: [] }
  })
  return result
}

/**
 * Registers an API key in the database unless it exists; `now` in Unix seconds. Resolves with false for a key that is
 * expired or revoked in this database.
 */
export async function admitKey(store: Store, secret: string, ids: Ids, now: number): Promise<boolean> {
  const digest = digestOf(secret)
  const { result } = await store.transact(async (reader) => {
    const known = await reader.get('api_key_digests', digest)
    if (known !== null) {
      const key = await reader.get('api_keys', known.key)
      return { result: key !== null && isUsableKey(key, now), writes: [], events: [] }
    }
    const { newId } = ids
    const created = createApiKey({ name: SERVE_KEY_NAME }, { secret, digest }, { newId, wallNow: now })
    const writes = [{ put: created.key.after }, { put: created.digest.after }]
    return { result: true, writes, events: [] }
  })
  return result
}

export interface AdmitOwnKeyOptions {
  readonly home: string
  /** The key from --api-key, which replaces the key of the home folder. */
  readonly flagKey: string | undefined
  readonly credentials: Credentials
  readonly ids: Ids
  /** Unix seconds. */
  readonly now: number
  /** Whether other machines can reach the service. */
  readonly isExposed: boolean
}

/**
 * Returns a valid API key: the key from --api-key, or the key of the home folder, which is replaced when it is revoked in
 * this database. Throws a StartupError when the key from --api-key is revoked or expired.
 */
export async function admitOwnKey(store: Store, options: AdmitOwnKeyOptions): Promise<string> {
  const { home, flagKey, credentials, ids, now } = options
  const secret = flagKey ?? credentials.api_key
  // In a shared database, keys with this name belong to other services too, and weak keys are never admitted.
  if (options.isExposed && store.coordinator === undefined) {
    await revokeEarlierKeys(store, [secret, credentials.api_key])
  }
  // The key of the home folder stays valid beside the key from --api-key, unless it is revoked.
  if (flagKey !== undefined) await admitKey(store, credentials.api_key, ids, now)
  if (await admitKey(store, secret, ids, now)) return secret
  if (flagKey !== undefined) {
    throw new StartupError(
      'api_key_refused',
      'Cannot use the key from --api-key: it is revoked or expired in this database. Give another key, or omit the flag.',
    )
  }
  const fresh = await replaceApiKey(home, credentials, ids)
  await admitKey(store, fresh, ids, now)
  return fresh
}

// Keys from --api-key of earlier runs may be as short as 'test', which is safe only while no other machine has access.
async function revokeEarlierKeys(store: Store, kept: readonly string[]): Promise<void> {
  await store.transact(async (reader) => {
    const digests = await Promise.all(kept.map((secret) => reader.get('api_key_digests', digestOf(secret))))
    const own = new Set(digests.map((digest) => digest?.key))
    const all = await loadAll(reader, 'api_keys', {})
    const earlier = all.filter(
      ({ id, name, status }) => name === SERVE_KEY_NAME && status === 'active' && !own.has(id),
    )
    return { result: null, writes: earlier.map((key) => ({ put: revokeApiKey(key).after })), events: [] }
  })
}
