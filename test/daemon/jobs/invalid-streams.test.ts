import {
  createApiKeyCredential,
  createInvalidStreamCloser,
} from '../../../src/daemon/jobs/invalid-streams.ts'
import type { ApiKey } from '../../../src/domain/sandboxes/api-keys.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/invalid-streams')

/** Creates a key watch for streams of two keys, with a fake store. */
function watchOf(kept: Readonly<Record<string, Pick<ApiKey, 'status' | 'expires_at'>>>) {
  const seen = {
    now: 100,
    asked: [] as string[],
    ended: [] as [string, string][],
    failure: null as Error | null,
  }
  const store: Partial<Store> = {
    async get(_collection, id) {
      seen.asked.push(id)
      if (seen.failure !== null) throw seen.failure
      return (kept[id] ?? null) as never
    },
  }
  const runtime = { store: store as Store, wallNow: () => seen.now }
  const hub = {
    openCredentials: () => ['key_1', 'key_2'].map((id) => createApiKeyCredential(runtime, id)),
    closeStreamsOf: (id: string, reason: string) => seen.ended.push([id, reason]),
  }
  const check = createInvalidStreamCloser(hub)
  return { seen, check }
}

const OPEN = { status: 'active', expires_at: null } as const

test('checks each key with open streams, and closes the streams of an expired key', async () => {
  const { seen, check } = watchOf({ key_1: OPEN, key_2: { status: 'active', expires_at: 101 } })
  await check()
  assert.equal(seen.asked, ['key_1', 'key_2'])
  assert.equal(seen.ended, [])
  seen.now = 101
  await check()
  assert.equal(seen.ended, [['key_2', 'key_ended']])
})

test('closes the streams of a key that is revoked in the same second as the last check', async () => {
  const kept: Record<string, Pick<ApiKey, 'status' | 'expires_at'>> = { key_1: OPEN, key_2: OPEN }
  const { seen, check } = watchOf(kept)
  await check()
  kept['key_1'] = { status: 'revoked', expires_at: null }
  await check()
  assert.equal(seen.ended, [['key_1', 'key_ended']])
})

test('closes the streams of a key that was deleted with its sandbox, with the reason stopping', async () => {
  const { seen, check } = watchOf({ key_2: OPEN })
  await check()
  assert.equal(seen.ended, [['key_1', 'stopping']])
})

test('closes no stream while the store is unavailable, and retries on the next call', async () => {
  const { seen, check } = watchOf({ key_2: OPEN })
  seen.failure = new Error('the store is unavailable')
  assert.is(await check().catch((error) => error), seen.failure)
  assert.equal(seen.ended, [])
  seen.failure = null
  await check()
  assert.equal(seen.ended, [['key_1', 'stopping']])
})

test('all calls during a check of keys share one further check', async () => {
  const kept: Record<string, Pick<ApiKey, 'status' | 'expires_at'>> = { key_1: OPEN, key_2: OPEN }
  const { seen, check } = watchOf(kept)
  const first = check()
  kept['key_1'] = { status: 'revoked', expires_at: null }
  await Promise.all([first, ...Array.from({ length: 50 }, () => check())])
  assert.is(seen.asked.length, 4)
  assert.equal(seen.ended, [['key_1', 'key_ended']])
  await check()
  assert.is(seen.asked.length, 6)
})

test.run()
