import type { ApiKey } from '../../../src/domain/sandboxes/api-keys.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { apiKey } from '../../support/api-key.ts'
import { onDatabase } from '../../support/postgres.ts'
import { coordinatorOf, schemaOf, until } from './postgres-stores.ts'

const LONG_SECONDS = 600
/** A name that is written without the store. */
const HIDDEN = 'hidden'

export const KEY: ApiKey = apiKey('1')

/** Returns whether a store returns the key from memory, and thus misses a change that was written without the store. */
export async function keepsKey(store: Store, url: string): Promise<boolean> {
  const rename = (from: string, to: string) =>
    onDatabase(url, (client) =>
      client.query(
        `UPDATE ${schemaOf(url)}.records SET record = replace(record::text, $1, $2)::json WHERE kind = 'api_keys'`,
        [`"name":"${from}"`, `"name":"${to}"`],
      ),
    )
  const before = await store.get('api_keys', KEY.id)
  await rename(KEY.name ?? '', HIDDEN)
  const after = await store.get('api_keys', KEY.id)
  await rename(HIDDEN, KEY.name ?? '')
  return before?.name === after?.name
}

/** Makes a store listen, and waits until it has detected that it is the only process and keeps the key. */
export async function untilKept(store: Store, url: string): Promise<void> {
  coordinatorOf(store).onChange(() => {})
  await until(async () => {
    await coordinatorOf(store).heartbeat(LONG_SECONDS)
    return keepsKey(store, url)
  })
}

/** Returns the key with another status. */
export function keyWith(status: ApiKey['status']): ApiKey {
  return { ...KEY, status }
}
