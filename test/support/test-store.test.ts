import { randomUUID } from 'node:crypto'
import type { Store } from '../../src/store/port/store.ts'
import { commit, customer, event, rejection } from '../store/fixture.ts'
import { stopOwnPostgres } from './postgres.ts'
import { assert, suite } from './suite.ts'
import { createTestStore, enterStoreScope, leaveStoreScope } from './test-store.ts'

process.env['PAYCLI_TEST_STORE'] = 'postgres'

const test = suite('support/test-store')

test.after(stopOwnPostgres)

const add = (store: Store) =>
  store.transact(async () =>
    commit(null, {
      writes: [{ put: customer(`cus_${randomUUID()}`) }],
      events: [event(`evt_${randomUUID()}`)],
    }),
  )

/** Stores an event and returns its sequence number. */
async function nextSequence(store: Store): Promise<number | undefined> {
  return (await add(store)).events[0]?.sequence
}

let earlier: Store

test('stores of one test are separate', async () => {
  earlier = createTestStore()
  const other = createTestStore()
  assert.is(await nextSequence(earlier), 1)
  assert.is(await nextSequence(earlier), 2)
  assert.is(await nextSequence(other), 1)
  assert.is(await earlier.count('customers'), 2)
})

test('the next test receives an empty store, and cannot use the earlier store', async () => {
  const store = createTestStore()
  assert.is(await store.count('customers'), 0)
  assert.is(await store.newestSequence(), 0)
  assert.is(await nextSequence(store), 1)
  assert.match((await rejection(earlier.count('customers'))).message, 'after the end of its test')
})

test('a closed store keeps its records', async () => {
  const store = createTestStore()
  await add(store)
  await store.close()
  assert.is(await store.count('customers'), 1)
})

test('the end of a property case closes only the stores of that case', async () => {
  const ofTest = createTestStore()
  await add(ofTest)
  enterStoreScope()
  const ofCase = createTestStore()
  await add(ofCase)
  await leaveStoreScope()
  assert.is(await ofTest.count('customers'), 1)
  assert.match((await rejection(ofCase.count('customers'))).message, 'after the end of its test')
})

test.run()
