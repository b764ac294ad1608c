import { digestOf } from '../api/auth.ts'
import type { ApiKey } from '../domain/api-keys.ts'
import type { Sandbox } from '../domain/sandbox.ts'
import type { Store, Write } from '../store/store.ts'
import type { Ids } from './ids.ts'

/** The sandbox's own secrets, made when the database is new. */
export async function prepareSandbox(store: Store, ids: Ids): Promise<Sandbox> {
  const { result } = await store.transact(async (reader) => {
    const known = await reader.get('sandboxes', 'sandbox')
    const sandbox: Sandbox = known ?? {
      id: 'sandbox',
      object: 'sandbox',
      fingerprint_salt: ids.newToken(),
      form_key: ids.newToken(),
    }
    return { result: sandbox, writes: known ? [] : [{ put: sandbox }], events: [] }
  })
  return result
}

/** Makes a key open the API of this database, if it does not yet; `now` in Unix seconds. */
export async function admitKey(
  store: Store,
  key: string,
  { ids, now }: { readonly ids: Ids; readonly now: number },
): Promise<void> {
  const digest = digestOf(key)
  await store.transact(async (reader) => {
    const { data } = await reader.list('api_keys', { where: { digest }, limit: 1 })
    const writes: Write[] = data.length > 0 ? [] : [{ put: newKey(key, digest, { ids, now }) }]
    return { result: null, writes, events: [] }
  })
}

function newKey(
  key: string,
  digest: string,
  { ids, now }: { readonly ids: Ids; readonly now: number },
): ApiKey {
  return {
    id: ids.newId('key_'),
    object: 'api_key',
    created: now,
    name: 'serve',
    kind: 'secret',
    last4: key.slice(-4),
    digest,
    status: 'active',
    expires_at: null,
  }
}
