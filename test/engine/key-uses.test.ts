import type { ApiKey } from '../../src/domain/api-keys.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import { createKeyUses } from '../../src/engine/key-uses.ts'
import { createMemoryStore } from '../../src/store/memory/memory.ts'
import type { Store } from '../../src/store/port/store.ts'
import { put, remove } from '../store/fixture.ts'
import { SAMPLES } from '../store/samples.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/key-uses')

const KEY = SAMPLES.api_keys
/** The beginning of a minute. */
const MINUTE = 1_700_000_040

async function opened(given: Partial<Store> = {}) {
  const store = createMemoryStore()
  await put(store, KEY)
  let writes = 0
  const transact: Store['transact'] = async (work) => {
    writes += 1
    return store.transact(work)
  }
  const clock = { now: MINUTE }
  const uses = createKeyUses({ ...store, transact, ...given }, () => clock.now)
  const usedAt = async () => (await store.get('api_keys', KEY.id))?.last_used_at
  return { store, clock, uses, usedAt, writes: () => writes }
}

test('a use is kept to the minute, and once a minute', async () => {
  const { clock, uses, usedAt, writes, store } = await opened()
  for (const second of [7, 8, 59]) {
    clock.now = MINUTE + second
    uses.note((await store.get('api_keys', KEY.id)) ?? KEY)
    await uses.flush()
    assert.is(await usedAt(), MINUTE)
  }
  assert.is(writes(), 1)
  clock.now = MINUTE + 60
  uses.note((await store.get('api_keys', KEY.id)) ?? KEY)
  await uses.flush()
  assert.is(await usedAt(), MINUTE + 60)
})

test('what became of the key meanwhile stays', async () => {
  const { store, uses, usedAt } = await opened()
  uses.note(KEY)
  const revoked: ApiKey = { ...KEY, status: 'revoked' }
  await put(store, revoked)
  await uses.flush()
  const { status } = (await store.get('api_keys', KEY.id)) ?? KEY
  assert.equal([status, await usedAt()], ['revoked', MINUTE])
})

test('a key that is gone is no fault', async () => {
  const { store, uses } = await opened()
  uses.note(KEY)
  await remove(store, KEY)
  await uses.flush()
  assert.is(await store.get('api_keys', KEY.id), null)
})

test('a full disk delays it, any other fault is told', async () => {
  const { store } = await opened()
  const faults: unknown[] = [new DomainError('storage_full', 'Full.'), new Error('broken')]
  const { uses } = await opened({
    transact: async (work) => {
      const fault = faults.shift()
      if (fault !== undefined) throw fault
      return store.transact(work)
    },
  })
  uses.note(KEY)
  await uses.flush()
  assert.match(String(await uses.flush().catch((error: unknown) => error)), 'broken')
  uses.note(KEY)
  await uses.flush()
  assert.is((await store.get('api_keys', KEY.id))?.last_used_at, MINUTE)
})

test.run()
