import { hash } from 'node:crypto'
import { api } from '../../../src/api/api.ts'
import type { IdempotencyKey } from '../../../src/domain/idempotency.ts'
import { put } from '../../store/fixture.ts'
import { errorCodeOf, sendIdempotent } from '../../support/idempotent-requests.ts'
import { createSandbox, DAY, type Sandbox } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/idempotent-request.upgrade')

const ADA = { operation: api.customers.create, key: 'key 1', body: { email: 'ada@example.com' } }

/** Returns a sandbox whose response to `ADA` is stored as in 0.1.0, by the digest of the key alone. */
async function createUpgradedSandbox(
  change: Partial<IdempotencyKey> = {},
): Promise<{ sandbox: Sandbox; body: string }> {
  const sandbox = createSandbox()
  const { body } = await sendIdempotent(sandbox.runtime, ADA)
  const [stored] = await sandbox.store.listOldest('idempotency_keys', 1)
  if (stored === undefined) throw new Error('no response was stored')
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

test('replays a response that paycli 0.1.0 stored for 24 hours', async () => {
  const { sandbox, body } = await createUpgradedSandbox()
  await sandbox.advance(DAY - 1)
  const again = await sendIdempotent(sandbox.runtime, ADA)
  assert.equal([again.body, again.replayOf === null], [body, false])
  assert.is(await customersIn(sandbox), 1)
  await sandbox.advance(1)
  assert.is((await sendIdempotent(sandbox.runtime, ADA)).replayOf, null)
  assert.is(await customersIn(sandbox), 2)
})

test('rejects a different request with an idempotency key of paycli 0.1.0, and any request while the first is in progress', async () => {
  const { sandbox } = await createUpgradedSandbox()
  const other = await sendIdempotent(sandbox.runtime, { ...ADA, body: { email: 'eve@example.com' } })
  assert.is(errorCodeOf(other), 'idempotency_key_reused')
  const busy = await createUpgradedSandbox({ answer: null })
  assert.is(errorCodeOf(await sendIdempotent(busy.sandbox.runtime, ADA)), 'idempotency_key_in_use')
})

test('finds a response that paycli 0.1.0 stores after the first lookup', async () => {
  const { sandbox, body } = await createUpgradedSandbox()
  const [old] = await sandbox.store.listOldest('idempotency_keys', 1)
  if (old === undefined) throw new Error('no response was stored')
  await sandbox.store.transact(async () => ({ result: null, writes: [{ remove: old }], events: [] }))
  // `count` runs between the lookup and the transaction.
  const count = async (collection: Parameters<typeof sandbox.store.count>[0]) => {
    await put(sandbox.store, old)
    return sandbox.store.count(collection)
  }
  const again = await sendIdempotent({ ...sandbox.runtime, store: { ...sandbox.store, count } }, ADA)
  assert.equal([again.body, again.replayOf === null], [body, false])
  assert.is(await customersIn(sandbox), 1)
})

test.run()
