import { digestOf } from '../api/core/auth.ts'
import { createApiKey, isOpenKey, revokeApiKey } from '../domain/api-keys.ts'
import type { Sandbox } from '../domain/sandbox.ts'
import { StartupProblem } from '../domain/startup-problem.ts'
import { loadAll } from '../engine/load-related.ts'
import type { Store } from '../store/port/store.ts'
import { type Credentials, renewApiKey } from './credentials.ts'
import type { Ids } from './ids.ts'

/** The id of the one sandbox. */
export const SANDBOX = 'sandbox'

/** The name of keys that were not created over the API. */
const GIVEN = 'serve'

/** The sandbox's own secrets, made when the database is new. */
export async function prepareSandbox(store: Store, ids: Ids): Promise<Sandbox> {
  const { result } = await store.transact(async (reader) => {
    const known = await reader.get('sandboxes', SANDBOX)
    const sandbox: Sandbox = known ?? {
      id: SANDBOX,
      object: 'sandbox',
      fingerprint_salt: ids.newToken(),
      form_key: ids.newToken(),
    }
    return { result: sandbox, writes: known ? [] : [{ put: sandbox }], events: [] }
  })
  return result
}

/**
 * What signs what is forwarded, unless a flag says otherwise: a service's own secret, or, at a store that others share,
 * the one of whichever came first, so that a receiver need not know who sends.
 */
export async function webhookSecretOf(
  store: Store,
  { ids, own }: { readonly ids: Ids; readonly own: string },
): Promise<string> {
  if (store.sharing === undefined) return own
  await prepareSandbox(store, ids)
  const { result } = await store.transact(async (reader) => {
    const sandbox = await reader.get('sandboxes', SANDBOX)
    if (sandbox === null || sandbox.webhook_secret !== undefined) {
      return { result: sandbox?.webhook_secret ?? own, writes: [], events: [] }
    }
    return { result: own, writes: [{ put: { ...sandbox, webhook_secret: own } }], events: [] }
  })
  return result
}

/**
 * Makes a key open the API of this database, if it does not yet; `now` in Unix seconds. Resolves with false for a key
 * that was expired or revoked here: that stays so.
 */
export async function admitKey(
  store: Store,
  secret: string,
  { ids, now }: { readonly ids: Ids; readonly now: number },
): Promise<boolean> {
  const digest = digestOf(secret)
  const { result } = await store.transact(async (reader) => {
    const known = await reader.get('api_key_digests', digest)
    if (known !== null) {
      const key = await reader.get('api_keys', known.key)
      return { result: key !== null && isOpenKey(key, now), writes: [], events: [] }
    }
    const { newId } = ids
    const { key, found } = createApiKey({ name: GIVEN }, { secret, digest }, { newId, wallNow: now })
    return { result: true, writes: [{ put: key.after }, { put: found.after }], events: [] }
  })
  return result
}

/** Whose key the daemon gives to its own command line. */
export interface OwnKey {
  readonly home: string
  /** The key of a flag, in place of the home folder's own. */
  readonly given: string | undefined
  readonly credentials: Credentials
  readonly ids: Ids
  /** Unix seconds. */
  readonly now: number
  /** Whether other machines reach the service. */
  readonly isExposed: boolean
}

/**
 * Resolves with a key that opens the API: the one that was given, or the home folder's own, which is made anew when it
 * was revoked in this database. Refuses a given one that was.
 */
export async function admitOwnKey(store: Store, own: OwnKey): Promise<string> {
  const { home, given, credentials, ids } = own
  const secret = given ?? credentials.api_key
  // At a database that others share, the keys of this name are theirs too; a weak one is never admitted there.
  if (own.isExposed && store.sharing === undefined) {
    await revokeEarlierKeys(store, [secret, credentials.api_key])
  }
  // The one that is kept stays valid beside one that was given, unless it was revoked.
  if (given !== undefined) await admitKey(store, credentials.api_key, own)
  if (await admitKey(store, secret, own)) return secret
  if (given !== undefined) {
    throw new StartupProblem(
      'api_key_refused',
      'The key of --api-key was revoked in this database, or has expired. Give another one, or leave the flag out.',
    )
  }
  const fresh = await renewApiKey(home, credentials, ids)
  await admitKey(store, fresh, own)
  return fresh
}

// Keys that earlier runs were given with --api-key may be as short as 'test', which is fine for one machine alone.
async function revokeEarlierKeys(store: Store, kept: readonly string[]): Promise<void> {
  await store.transact(async (reader) => {
    const digests = await Promise.all(kept.map((secret) => reader.get('api_key_digests', digestOf(secret))))
    const own = new Set(digests.map((digest) => digest?.key))
    const all = await loadAll(reader, 'api_keys', {})
    const earlier = all.filter(
      ({ id, name, status }) => name === GIVEN && status === 'active' && !own.has(id),
    )
    return { result: null, writes: earlier.map((key) => ({ put: revokeApiKey(key).after })), events: [] }
  })
}
