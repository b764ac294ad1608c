import { digestOf } from '../../src/api/auth.ts'
import { createIds } from '../../src/daemon/ids.ts'
import { admitKey, prepareSandbox } from '../../src/daemon/sandbox.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { assert, suite } from '../support/suite.ts'

const NOW = 1_790_000_000
const KEY = 'paysk_test_one'

const test = suite('daemon/sandbox')

const ids = createIds()

test('the secrets of a sandbox are made once', async () => {
  const store = createMemoryStore()
  const made = await prepareSandbox(store, ids)
  assert.match(made.fingerprint_salt, /^\w{24}$/)
  assert.is.not(made.fingerprint_salt, made.form_key)
  assert.equal(await prepareSandbox(store, ids), made)
  assert.is.not((await prepareSandbox(createMemoryStore(), ids)).form_key, made.form_key)
})

test('a key is admitted once, and only its digest and its end are kept', async () => {
  const store = createMemoryStore()
  await admitKey(store, KEY, { ids, now: NOW })
  const all = async () => (await store.list('api_keys', { limit: 10 })).data
  const [kept] = await all()
  assert.equal(
    [kept?.digest, kept?.last4, kept?.status, kept?.created],
    [digestOf(KEY), '_one', 'active', NOW],
  )
  assert.not.match(JSON.stringify(kept), KEY)
  await admitKey(store, KEY, { ids, now: NOW + 1 })
  assert.equal(await all(), [kept])
  await admitKey(store, 'paysk_test_two', { ids, now: NOW })
  assert.is((await all()).length, 2)
})

test.run()
