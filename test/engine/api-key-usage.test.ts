import { DomainError } from '../../src/domain/core/domain-error.ts'
import type { ApiKey } from '../../src/domain/sandboxes/api-keys.ts'
import { createApiKeyUsageBuffer } from '../../src/engine/api-key-usage.ts'
import { createMemoryStore } from '../../src/store/memory/memory-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { put, remove } from '../store/fixture.ts'
import { SAMPLES } from '../store/samples.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/api-key-usage')

const KEY = SAMPLES.api_keys
/** The start of a minute. */
const MINUTE = 1_700_000_040

async function openUsage(overrides: Partial<Store> = {}) {
  const store = createMemoryStore()
  await put(store, KEY)
  let writes = 0
  const transact: Store['transact'] = async (work) => {
    writes += 1
    return store.transact(work)
  }
  const clock = { now: MINUTE }
  const usage = createApiKeyUsageBuffer({ ...store, transact, ...overrides }, () => clock.now)
  const usedAt = async () => (await store.get('api_keys', KEY.id))?.last_used_at
  return { store, clock, usage, usedAt, writes: () => writes }
}

test('stores the last use of an API key with minute precision, at most one write per minute', async () => {
  const { clock, usage, usedAt, writes, store } = await openUsage()
  for (const second of [7, 8, 59]) {
    clock.now = MINUTE + second
    usage.record((await store.get('api_keys', KEY.id)) ?? KEY)
    await usage.flush()
    assert.is(await usedAt(), MINUTE)
  }
  assert.is(writes(), 1)
  clock.now = MINUTE + 60
  usage.record((await store.get('api_keys', KEY.id)) ?? KEY)
  await usage.flush()
  assert.is(await usedAt(), MINUTE + 60)
})

test('keeps changes that were made to the API key before the flush', async () => {
  const { store, usage, usedAt } = await openUsage()
  usage.record(KEY)
  const revoked: ApiKey = { ...KEY, status: 'revoked' }
  await put(store, revoked)
  await usage.flush()
  const { status } = (await store.get('api_keys', KEY.id)) ?? KEY
  assert.equal([status, await usedAt()], ['revoked', MINUTE])
})

test('does not store the use of a deleted API key', async () => {
  const { store, usage } = await openUsage()
  usage.record(KEY)
  await remove(store, KEY)
  await usage.flush()
  assert.is(await store.get('api_keys', KEY.id), null)
})

test('keeps the last use for the next flush when the disk is full, and throws other errors', async () => {
  const { store } = await openUsage()
  const errors: unknown[] = [new DomainError('storage_full', 'Full.'), new Error('broken')]
  const { usage } = await openUsage({
    transact: async (work) => {
      const error = errors.shift()
      if (error !== undefined) throw error
      return store.transact(work)
    },
  })
  usage.record(KEY)
  await usage.flush()
  assert.match(String(await usage.flush().catch((error: unknown) => error)), 'broken')
  usage.record(KEY)
  await usage.flush()
  assert.is((await store.get('api_keys', KEY.id))?.last_used_at, MINUTE)
})

test.run()
