import { digestApiKey } from '../../src/api/core/auth.ts'
import { createIdGenerators } from '../../src/daemon/system/ids.ts'
import { ensureInternalSandboxSecrets, registerApiKey } from '../../src/engine/sandbox-credentials.ts'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { assert, suite } from '../support/suite.ts'

const NOW = 1_790_000_000
const KEY = 'paysk_test_one'

const test = suite('engine/sandbox-credentials')

const ids = createIdGenerators()

const admit = (store: Store, secret: string, now: number) =>
  registerApiKey({ store, newId: ids.newId, wallNow: () => now }, { secret, digest: digestApiKey(secret) })

test('generates the secrets of a sandbox on the first call, and returns the same secrets on later calls', async () => {
  const store = createMemoryStore()
  const made = await ensureInternalSandboxSecrets(store, ids.newToken)
  assert.match(made.fingerprint_salt, /^\w{24}$/)
  assert.is.not(made.fingerprint_salt, made.form_key)
  assert.equal(await ensureInternalSandboxSecrets(store, ids.newToken), made)
  assert.is.not(
    (await ensureInternalSandboxSecrets(createMemoryStore(), ids.newToken)).form_key,
    made.form_key,
  )
})

test('registers a repeated API key only once, and stores only its digest and last four characters', async () => {
  const store = createMemoryStore()
  await admit(store, KEY, NOW)
  const all = async () => (await store.list('api_keys', { limit: 10 })).data
  const [kept] = await all()
  assert.equal(
    [(await store.get('api_key_digests', digestApiKey(KEY)))?.key, kept?.last4, kept?.status, kept?.created],
    [kept?.id, '_one', 'active', NOW],
  )
  assert.not.match(JSON.stringify(kept), KEY)
  await admit(store, KEY, NOW + 1)
  assert.equal(await all(), [kept])
  await admit(store, 'paysk_test_two', NOW)
  assert.is((await all()).length, 2)
})

test('does not register a revoked or expired key again', async () => {
  const store = createMemoryStore()
  await admit(store, KEY, NOW)
  const [key] = (await store.list('api_keys', { limit: 1 })).data
  if (key === undefined) throw new Error('no key')
  const changes = [
    { ...key, status: 'revoked' as const },
    { ...key, status: 'expired' as const },
    { ...key, expires_at: NOW + 1 },
  ]
  for (const put of changes) {
    await store.transact(async () => ({ result: null, writes: [{ put }], events: [] }))
    assert.is(await admit(store, KEY, NOW + 1), false)
  }
  assert.equal(await store.get('api_keys', key.id), changes.at(-1))
})

test('keeps the first shared webhook secret of a database', async () => {
  const store = createMemoryStore()
  const made = await ensureInternalSandboxSecrets(store, ids.newToken)
  assert.is(made.webhook_secret, undefined)
  assert.equal(await ensureInternalSandboxSecrets(store, ids.newToken, 'first'), {
    ...made,
    webhook_secret: 'first',
  })
  assert.is((await ensureInternalSandboxSecrets(store, ids.newToken, 'second')).webhook_secret, 'first')
})

test.run()
