import type { ApiKey } from '../../../src/domain/sandboxes/api-keys.ts'
import { createApiKeyCache } from '../../../src/store/postgres/key-cache.ts'
import { apiKey } from '../../support/api-key.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('store/key-cache')

/** Creates a cache over a fake store that counts the reads. */
function setUp() {
  const stored = new Map<string, ApiKey>()
  const fake = { reads: 0, isAlone: true, onRead: () => {} }
  const cache = createApiKeyCache(
    async (id) => {
      fake.reads += 1
      const key = stored.get(id) ?? null
      fake.onRead()
      return key
    },
    () => fake.isAlone,
  )
  return { fake, stored, cache }
}

test('caches a key until it changes', async () => {
  const { fake, stored, cache } = setUp()
  stored.set('key_1', apiKey('1'))
  for (let time = 0; time < 3; time += 1) assert.is((await cache.get('key_1'))?.status, 'active')
  assert.is(fake.reads, 1)
  stored.set('key_1', apiKey('1', { status: 'revoked' }))
  cache.clear()
  assert.is((await cache.get('key_1'))?.status, 'revoked')
})

test('reads a key each time while another process could revoke the key', async () => {
  const { fake, stored, cache } = setUp()
  stored.set('key_1', apiKey('1'))
  await cache.get('key_1')
  fake.isAlone = false
  for (let time = 0; time < 2; time += 1) await cache.get('key_1')
  assert.is(fake.reads, 3)
})

test('does not cache a key that was read before a change', async () => {
  const { fake, stored, cache } = setUp()
  stored.set('key_1', apiKey('1'))
  fake.onRead = () => {
    stored.delete('key_1')
    cache.clear()
  }
  await cache.get('key_1')
  assert.is(await cache.get('key_1'), null)
})

test('does not cache a missing key', async () => {
  const { stored, cache } = setUp()
  assert.is(await cache.get('key_1'), null)
  stored.set('key_1', apiKey('1'))
  assert.is((await cache.get('key_1'))?.status, 'active')
})

test('limits the number of cached keys', async () => {
  const { fake, stored, cache } = setUp()
  const ids = Array.from({ length: 101 }, (_, at) => `key_${at}`)
  for (const id of ids) stored.set(id, apiKey('1'))
  for (const id of ids) await cache.get(id)
  await cache.get('key_0')
  assert.is(fake.reads, 102)
})

test.run()
