import { api } from '../../src/api/api.ts'
import { commit } from '../../src/engine/commit.ts'
import { createFaultRuleCache } from '../../src/engine/fault-rule-cache.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import { REAL_TIME } from '../../src/engine/time-reference.ts'
import type { Store, StoreReader } from '../../src/store/port/store.ts'
import { countsOf } from '../support/payment-faults.ts'
import { newCustomer } from '../support/samples.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/commit.faults')

/** Returns a runtime that counts how often a list of faults is read. */
function countReads({ runtime }: Sandbox): { readonly runtime: Runtime; readonly reads: () => number } {
  let reads = 0
  const counting =
    (reader: StoreReader): StoreReader['list'] =>
    (collection, query) => {
      if (collection === 'faults') reads += 1
      return reader.list(collection, query)
    }
  const store: Store = {
    ...runtime.store,
    list: counting(runtime.store),
    transact: (work) =>
      runtime.store.transact((reader) =>
        work({ ...runtime.store, get: reader.get.bind(reader), list: counting(reader) }),
      ),
  }
  return {
    runtime: { ...runtime, store, faults: createFaultRuleCache(store, runtime.wallNow) },
    reads: () => reads,
  }
}

/** Commits a transaction that applies the fault rules on payments once, as a charge does. */
function charge(runtime: Runtime, customer = 'cus_1'): Promise<string> {
  return commit(runtime, {
    request: null,
    load: async () => null,
    when: () => REAL_TIME,
    decide: (_, { issuerFaults }) => ({
      changes: [],
      result: issuerFaults?.decide(customer)?.kind ?? 'none',
    }),
  })
}

test('transactions of a sandbox without faults read the fault rules once', async () => {
  const { runtime, reads } = countReads(createSandbox())
  for (const _ of [1, 2, 3]) assert.is(await charge(runtime), 'none')
  assert.is(reads(), 1)
})

test('transactions of a sandbox with other faults read the fault rules once', async () => {
  const sandbox = createSandbox()
  await sandbox.call(api.faults.create, { type: 'duplicate' })
  const { runtime, reads } = countReads(sandbox)
  for (const _ of [1, 2, 3]) assert.is(await charge(runtime), 'none')
  assert.is(reads(), 1)
})

test('a matching fault causes no further read of the fault rules after its transaction', async () => {
  const sandbox = createSandbox()
  await sandbox.call(api.faults.create, { type: 'decline' })
  const { runtime, reads } = countReads(sandbox)
  for (const _ of [1, 2]) assert.is(await charge(runtime), 'decline')
  assert.is(reads(), 2)
})

test('a fault that is created after the fault rules were read applies to the next transaction', async () => {
  const sandbox = createSandbox()
  const { runtime } = sandbox
  assert.is(await charge(runtime), 'none')
  const { id } = await sandbox.call(api.faults.create, { type: 'decline' })
  assert.is(await charge(runtime), 'decline')
  await sandbox.call(api.faults.delete, { id })
  assert.is(await charge(runtime), 'none')
})

test('counts a match once when the store runs the transaction twice', async () => {
  const sandbox = createSandbox()
  const fault = await sandbox.call(api.faults.create, { type: 'decline', times: 1 })
  const { store } = sandbox.runtime
  const transact: Store['transact'] = (work) =>
    store.transact(async (reader) => {
      await work(reader)
      return work(reader)
    })
  assert.is(await charge({ ...sandbox.runtime, store: { ...store, transact } }), 'decline')
  assert.is(await countsOf(sandbox, fault), '1/1')
})

test('counts concurrent charges one after the other', async () => {
  const sandbox = createSandbox()
  const fault = await sandbox.call(api.faults.create, { type: 'decline', skip: 3, times: 4 })
  const kinds = await Promise.all(Array.from({ length: 10 }, () => charge(sandbox.runtime)))
  assert.is(kinds.filter((kind) => kind === 'decline').length, 4)
  assert.is(await countsOf(sandbox, fault), '10/4')
})

test('counts no match for a transaction without a charge', async () => {
  const sandbox = createSandbox()
  const fault = await sandbox.call(api.faults.create, { type: 'decline' })
  await newCustomer(sandbox)
  assert.is(await countsOf(sandbox, fault), '0/0')
})

test.run()
