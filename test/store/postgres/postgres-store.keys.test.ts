import { stopOwnPostgres } from '../../support/postgres.ts'
import { assert, suite } from '../../support/suite.ts'
import { commit, customer, put } from '../fixture.ts'
import { KEY, keepsKey, keyWith, untilKept } from './cached-keys.ts'
import { coordinatorOf, until, withStores } from './postgres-stores.ts'

const test = suite('store/API keys of a PostgreSQL database')

test.after(stopOwnPostgres)

test('the only process caches a key, and uses each change to the key immediately', () =>
  withStores(1, async ([store], url) => {
    await put(store, KEY)
    await untilKept(store, url)
    await put(store, customer('cus_1'))
    assert.is(await keepsKey(store, url), true, 'other records do not clear the key')
    await put(store, keyWith('revoked'))
    assert.is((await store.get('api_keys', KEY.id))?.status, 'revoked')
    await store.transact(async () => commit(null, { writes: [{ remove: KEY }] }))
    assert.is(await store.get('api_keys', KEY.id), null)
  }))

test('stops caching API keys when another process uses the database', () =>
  withStores(2, async ([store, other], url) => {
    await put(store, KEY)
    await untilKept(store, url)
    coordinatorOf(other).onChange(() => {})
    await until(async () => !(await keepsKey(store, url)))
    for (const status of ['revoked', 'active', 'expired'] as const) {
      await put(other, keyWith(status))
      assert.is((await store.get('api_keys', KEY.id))?.status, status)
    }
  }))

test.run()
