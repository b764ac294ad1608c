import type { ApiKey } from '../../../src/domain/api-keys.ts'
import { createApiKeyCache } from '../../../src/store/postgres/api-key-cache.ts'
import { apiKey } from '../../support/api-key.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('store/api-key-cache')

/** Creates a cache over a key that a test changes, and counts the reads. */
function setUp() {
  const fake = {
    key: apiKey('1') as ApiKey | null,
    reads: 0,
    nowMs: 0,
    isListening: true,
    onRead: () => {},
  }
  const read = async () => {
    fake.reads += 1
    const { key } = fake
    fake.onRead()
    return key
  }
  const options = { isListening: () => fake.isListening, monotonicMs: () => fake.nowMs }
  return { fake, ...createApiKeyCache(read, options) }
}

test('reads a key once within a second', async () => {
  const { fake, get } = setUp()
  for (const nowMs of [0, 500, 999]) {
    fake.nowMs = nowMs
    assert.is(await get('1'), fake.key)
  }
  assert.is(fake.reads, 1)
})

test('returns a key that was changed without a notification for less than a second', async () => {
  const { fake, get } = setUp()
  await get('1')
  fake.key = apiKey('1', { status: 'revoked' })
  fake.nowMs = 999
  assert.is((await get('1'))?.status, 'active')
  fake.nowMs = 1000
  assert.is((await get('1'))?.status, 'revoked')
})

test('reads keys again after invalidate', async () => {
  const { fake, get, invalidate } = setUp()
  await get('1')
  fake.key = apiKey('1', { status: 'revoked' })
  invalidate()
  assert.is((await get('1'))?.status, 'revoked')
})

test('does not cache a key that may have changed during the read', async () => {
  const { fake, get, invalidate } = setUp()
  fake.onRead = () => {
    fake.key = apiKey('1', { status: 'revoked' })
    invalidate()
  }
  assert.is((await get('1'))?.status, 'active')
  assert.is((await get('1'))?.status, 'revoked')
})

test('does not cache that a key is missing', async () => {
  const { fake, get } = setUp()
  fake.key = null
  assert.is(await get('1'), null)
  fake.key = apiKey('1')
  assert.is(await get('1'), fake.key)
})

test('reads every time while notifications do not arrive', async () => {
  const { fake, get } = setUp()
  await get('1')
  fake.isListening = false
  for (let count = 0; count < 2; count += 1) await get('1')
  assert.is(fake.reads, 3)
})

test('keeps at most 1000 keys', async () => {
  const { fake, get } = setUp()
  for (let id = 0; id <= 1000; id += 1) await get(String(id))
  for (const id of ['1', '1000']) await get(id)
  assert.is(fake.reads, 1001)
  await get('0')
  assert.is(fake.reads, 1002)
})

test.run()
