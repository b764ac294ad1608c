import { digestOf } from '../../src/api/core/auth.ts'
import { loadCredentials } from '../../src/daemon/credentials.ts'
import { createIds } from '../../src/daemon/ids.ts'
import { admitKey, admitOwnKey, prepareSandbox } from '../../src/daemon/sandbox.ts'
import { StartupError } from '../../src/domain/startup-error.ts'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'
import { newFolder } from '../support/folders.ts'
import { assert, suite } from '../support/suite.ts'
import { createFakeCoordinator } from './fake-coordinator.ts'

const NOW = 1_790_000_000
const KEY = 'paysk_test_one'

const test = suite('daemon/sandbox')

const ids = createIds()

test('generates the secrets of a sandbox on the first call, and returns the same ones on later calls', async () => {
  const store = createMemoryStore()
  const made = await prepareSandbox(store, ids)
  assert.match(made.fingerprint_salt, /^\w{24}$/)
  assert.is.not(made.fingerprint_salt, made.form_key)
  assert.equal(await prepareSandbox(store, ids), made)
  assert.is.not((await prepareSandbox(createMemoryStore(), ids)).form_key, made.form_key)
})

test('registers a repeated API key only once, and stores only its digest and last four characters', async () => {
  const store = createMemoryStore()
  await admitKey(store, KEY, ids, NOW)
  const all = async () => (await store.list('api_keys', { limit: 10 })).data
  const [kept] = await all()
  assert.equal(
    [(await store.get('api_key_digests', digestOf(KEY)))?.key, kept?.last4, kept?.status, kept?.created],
    [kept?.id, '_one', 'active', NOW],
  )
  assert.not.match(JSON.stringify(kept), KEY)
  await admitKey(store, KEY, ids, NOW + 1)
  assert.equal(await all(), [kept])
  await admitKey(store, 'paysk_test_two', ids, NOW)
  assert.is((await all()).length, 2)
})

test('does not register a revoked or expired key again', async () => {
  const store = createMemoryStore()
  await admitKey(store, KEY, ids, NOW)
  const [key] = (await store.list('api_keys', { limit: 1 })).data
  if (key === undefined) throw new Error('no key')
  const changes = [
    { ...key, status: 'revoked' as const },
    { ...key, status: 'expired' as const },
    { ...key, expires_at: NOW + 1 },
  ]
  for (const put of changes) {
    await store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
    assert.is(await admitKey(store, KEY, ids, NOW + 1), false)
  }
  assert.equal(await store.get('api_keys', key.id), changes.at(-1))
})

test('replaces a revoked key of the home folder, and rejects a revoked key from --api-key', async () => {
  const store = createMemoryStore()
  const home = newFolder()
  const credentials = await loadCredentials(home, ids)
  const own = { home, credentials, ids, now: NOW, isExposed: false }
  const admitted = (flagKey?: string) => admitOwnKey(store, { ...own, flagKey })
  assert.is(await admitted(), credentials.api_key)
  assert.is(await admitted(KEY), KEY)
  for (const key of (await store.list('api_keys', { limit: 10 })).data) {
    const put = { ...key, status: 'revoked' as const }
    await store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
  }
  const fresh = await admitted()
  assert.is.not(fresh, credentials.api_key)
  assert.equal(await loadCredentials(home, ids), { ...credentials, api_key: fresh })
  const problem = await admitted(KEY).catch((thrown: unknown) => thrown)
  assert.ok(problem instanceof StartupError && problem.code === 'api_key_refused')
})

test('an exposed service revokes the keys that earlier runs registered from --api-key', async () => {
  const store = createMemoryStore()
  const home = newFolder()
  const credentials = await loadCredentials(home, ids)
  const own = { home, credentials, ids, now: NOW }
  await admitOwnKey(store, { ...own, flagKey: 'test', isExposed: false })
  const statuses = async () => {
    const { data } = await store.list('api_keys', { limit: 10 })
    return data.map(({ last4, status }) => `${last4} ${status}`).sort()
  }
  const kept = `${credentials.api_key.slice(-4)} active`
  assert.equal(await statuses(), ['test active', kept].sort())
  await admitOwnKey(store, { ...own, flagKey: KEY, isExposed: true })
  assert.equal(await statuses(), ['test revoked', kept, `${KEY.slice(-4)} active`].sort())
})

test('security 4: a service does not revoke keys of other services in a shared database', async () => {
  const store = { ...createMemoryStore(), coordinator: createFakeCoordinator() }
  const services = await Promise.all(
    [KEY, undefined].map(async (flagKey) => {
      const home = newFolder()
      return { home, flagKey, credentials: await loadCredentials(home, ids), ids, now: NOW, isExposed: true }
    }),
  )
  for (const service of services) await admitOwnKey(store, service)
  const { data } = await store.list('api_keys', { limit: 10 })
  assert.equal(
    data.map(({ status }) => status),
    ['active', 'active', 'active'],
  )
})

test.run()
