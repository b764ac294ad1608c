import { createKeyWatch } from '../../src/daemon/key-watch.ts'
import type { ApiKey } from '../../src/domain/api-keys.ts'
import type { Store } from '../../src/store/port/store.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/key-watch')

/** A watch of streams with two keys, at a store that the test plays. */
function watchOf(kept: Readonly<Record<string, Pick<ApiKey, 'status' | 'expires_at'>>>) {
  const seen = { now: 100, asked: [] as string[], ended: [] as string[], failure: null as Error | null }
  const store: Partial<Store> = {
    async get(_collection, id) {
      seen.asked.push(id)
      if (seen.failure !== null) throw seen.failure
      return (kept[id] ?? null) as never
    },
  }
  const hub = { keys: () => ['key_1', 'key_2'], endKey: (id: string) => seen.ended.push(id) }
  const look = createKeyWatch({ store: store as Store, wallNow: () => seen.now }, hub)
  return { seen, look }
}

const OPEN = { status: 'active', expires_at: null } as const

test('looks up each key that has streams, and ends the streams of one that expires', async () => {
  const { seen, look } = watchOf({ key_1: OPEN, key_2: { status: 'active', expires_at: 101 } })
  await look()
  assert.equal(seen.asked, ['key_1', 'key_2'])
  assert.equal(seen.ended, [])
  seen.now = 101
  await look()
  assert.equal(seen.ended, ['key_2'])
})

test('ends the streams of a key that is revoked within the second of the last look', async () => {
  const kept: Record<string, Pick<ApiKey, 'status' | 'expires_at'>> = { key_1: OPEN, key_2: OPEN }
  const { seen, look } = watchOf(kept)
  await look()
  kept['key_1'] = { status: 'revoked', expires_at: null }
  await look()
  assert.equal(seen.ended, ['key_1'])
})

test('a key that is not there any more opens nothing', async () => {
  const { seen, look } = watchOf({ key_2: OPEN })
  await look()
  assert.equal(seen.ended, ['key_1'])
})

test('while the store does not answer no stream ends, and it is asked again at once', async () => {
  const { seen, look } = watchOf({ key_2: OPEN })
  seen.failure = new Error('the store is away')
  assert.is(await look().catch((error) => error), seen.failure)
  assert.equal(seen.ended, [])
  seen.failure = null
  await look()
  assert.equal(seen.ended, ['key_1'])
})

test('shares one more look among all calls while a look is under way', async () => {
  const kept: Record<string, Pick<ApiKey, 'status' | 'expires_at'>> = { key_1: OPEN, key_2: OPEN }
  const { seen, look } = watchOf(kept)
  const first = look()
  kept['key_1'] = { status: 'revoked', expires_at: null }
  await Promise.all([first, ...Array.from({ length: 50 }, () => look())])
  assert.is(seen.asked.length, 4)
  assert.equal(seen.ended, ['key_1'])
  await look()
  assert.is(seen.asked.length, 6)
})

test.run()
