import { api } from '../../src/api/api.ts'
import { toRemoval } from '../../src/domain/core/changes.ts'
import type { FaultTarget } from '../../src/domain/faults/fault-matching.ts'
import { commit } from '../../src/engine/commit.ts'
import { createFaultRuleCache, type FaultRuleCache, loadFaults } from '../../src/engine/fault-rule-cache.ts'
import type { Runtime } from '../../src/engine/runtime.ts'
import { REAL_TIME } from '../../src/engine/time-reference.ts'
import type { Store } from '../../src/store/port/store.ts'
import { rejection } from '../store/fixture.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/fault-rules')

const POINT: FaultTarget = { kind: 'request', operation: 'customers.create', customer: null }
const UNAVAILABLE = new Error('the store is unavailable')

interface Rules {
  readonly runtime: Runtime
  readonly faults: FaultRuleCache
  /** Makes each read of the rules outside a transaction fail. */
  readonly fail: (isFailing: boolean) => void
  readonly reads: () => number
}

function openRules({ runtime }: Sandbox): Rules {
  let isFailing = false
  let reads = 0
  const list: Store['list'] = async (collection, query) => {
    reads += 1
    if (isFailing) throw UNAVAILABLE
    return runtime.store.list(collection, query)
  }
  const store: Store = { ...runtime.store, list }
  const faults = createFaultRuleCache(store, runtime.wallNow)
  return {
    runtime: { ...runtime, store, faults },
    faults,
    fail(next) {
      isFailing = next
    },
    reads: () => reads,
  }
}

test('concurrent first requests read the fault rules once', async () => {
  const { faults, reads } = openRules(createSandbox())
  await Promise.all(Array.from({ length: 20 }, () => faults.select(POINT)))
  assert.is(reads(), 1)
  assert.not(faults.has('request'))
})

test('retries a failed read of the fault rules with the next request', async () => {
  const sandbox = createSandbox()
  const { faults, fail } = openRules(sandbox)
  assert.is(await faults.select(POINT), null)
  const { id } = await sandbox.call(api.faults.create, { type: 'error' })
  fail(true)
  assert.is(await rejection(faults.refresh()), UNAVAILABLE)
  assert.ok(faults.has('request'))
  assert.is(await rejection(faults.select(POINT)), UNAVAILABLE)
  fail(false)
  assert.is((await faults.select(POINT))?.id, id)
})

test('deleting a fault succeeds even if the next read of the fault rules fails', async () => {
  const sandbox = createSandbox()
  await sandbox.call(api.faults.create, { type: 'error' })
  const { runtime, faults, fail } = openRules(sandbox)
  assert.is((await faults.select(POINT))?.type, 'error')
  fail(true)
  const deleted = await commit(runtime, {
    request: null,
    load: loadFaults,
    when: () => REAL_TIME,
    decide: (all) => ({ changes: all.map(toRemoval), result: all.length }),
  })
  assert.is(deleted, 1)
  fail(false)
  assert.is(await faults.select(POINT), null)
})

test.run()
