import { hash } from 'node:crypto'
import { api } from '../../../src/api/index.ts'
import type { IdempotencyKey } from '../../../src/domain/idempotency.ts'
import { put } from '../../store/fixture.ts'
import { codeOf, sendKeyed } from '../../support/keyed.ts'
import { createSandbox, DAY, type Sandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/execute-once.upgrade')

const ADA = { operation: api.customers.create, key: 'key 1', body: { email: 'ada@example.com' } }

/** A sandbox whose answer to `ADA` was stored as 0.1.0 did: by the digest of the key alone. */
async function upgraded(change: Partial<IdempotencyKey> = {}): Promise<{ sandbox: Sandbox; body: string }> {
  const sandbox = createSandbox()
  const { body } = await sendKeyed(sandbox.runtime, ADA)
  const [stored] = await sandbox.store.oldest('idempotency_keys', 1)
  if (stored === undefined) throw new Error('no answer was stored')
  const old = { ...stored, id: `idem_${hash('sha256', ADA.key, 'hex')}`, ...change }
  await sandbox.store.transact(async () => ({
    result: null,
    writes: [{ remove: stored }, { put: old }],
    events: [],
  }))
  return { sandbox, body }
}

async function customersIn(sandbox: Sandbox): Promise<number> {
  return (await sandbox.call(api.customers.list, {})).data.length
}

test('replays an answer that 0.1.0 stored, for 24 hours', async () => {
  const { sandbox, body } = await upgraded()
  await sandbox.advance(DAY - 1)
  const again = await sendKeyed(sandbox.runtime, ADA)
  assert.equal([again.body, again.replayOf === null], [body, false])
  assert.is(await customersIn(sandbox), 1)
  await sandbox.advance(1)
  assert.is((await sendKeyed(sandbox.runtime, ADA)).replayOf, null)
  assert.is(await customersIn(sandbox), 2)
})

test('refuses another request with a key that 0.1.0 stored, and one that is still in progress', async () => {
  const { sandbox } = await upgraded()
  const other = await sendKeyed(sandbox.runtime, { ...ADA, body: { email: 'eve@example.com' } })
  assert.is(codeOf(other), 'idempotency_key_reused')
  const busy = await upgraded({ answer: null })
  assert.is(codeOf(await sendKeyed(busy.sandbox.runtime, ADA)), 'idempotency_key_in_use')
})

test('finds an answer of 0.1.0 that is stored after the first lookup', async () => {
  const { sandbox, body } = await upgraded()
  const [old] = await sandbox.store.oldest('idempotency_keys', 1)
  if (old === undefined) throw new Error('no answer was stored')
  await sandbox.store.transact(async () => ({ result: null, writes: [{ remove: old }], events: [] }))
  // Between the lookup and the transaction the answers are counted.
  const count = async (collection: Parameters<typeof sandbox.store.count>[0]) => {
    await put(sandbox.store, old)
    return sandbox.store.count(collection)
  }
  const again = await sendKeyed({ ...sandbox.runtime, store: { ...sandbox.store, count } }, ADA)
  assert.equal([again.body, again.replayOf === null], [body, false])
  assert.is(await customersIn(sandbox), 1)
})

test.run()
