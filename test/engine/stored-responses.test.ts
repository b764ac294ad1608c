import { api } from '../../src/api/api.ts'
import { DEFAULT_RETENTION } from '../../src/domain/time/retention.ts'
import { deleteExpiredRecords } from '../../src/engine/retention.ts'
import { errorCodeOf, sendIdempotent } from '../support/idempotent-requests.ts'
import { createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/stored-responses')

const ADA = { operation: api.customers.create, key: 'key 1', body: { email: 'ada@example.com' } }

async function createFullSandbox(): Promise<Sandbox> {
  const sandbox = createSandbox({ maxStoredResponses: 3 })
  for (const key of ['key 1', 'key 2', 'key 3']) await sendIdempotent(sandbox.runtime, { ...ADA, key })
  return sandbox
}

test('rejects a new idempotency key at the limit of stored responses, and changes nothing', async () => {
  const sandbox = await createFullSandbox()
  await sandbox.advance(60)
  const before = await sandbox.snapshot()
  const refused = await sendIdempotent(sandbox.runtime, { ...ADA, key: 'key 4' })
  assert.equal([refused.status, errorCodeOf(refused)], [503, 'idempotency_limit_reached'])
  assert.match(refused.body, `in ${DAY - 60} s`)
  assert.equal(await sandbox.snapshot(), before)
})

test('replays a stored response at the limit, and executes requests without a key', async () => {
  const sandbox = await createFullSandbox()
  for (const key of ['key 1', 'key 3']) {
    const again = await sendIdempotent(sandbox.runtime, { ...ADA, key })
    assert.equal([again.status, again.replayOf === null], [200, false])
  }
  await sandbox.call(api.customers.create, { email: 'eve@example.com' })
  const invalid = await sendIdempotent(sandbox.runtime, { ...ADA, key: 'key 4', body: {} })
  assert.is(errorCodeOf(invalid), 'parameter_missing')
})

test('accepts new idempotency keys after the stored responses are deleted at 24 hours', async () => {
  const sandbox = await createFullSandbox()
  await sandbox.advance(DAY)
  await deleteExpiredRecords(sandbox.runtime, DEFAULT_RETENTION)
  const accepted = await sendIdempotent(sandbox.runtime, { ...ADA, key: 'key 4' })
  assert.equal([accepted.status, accepted.replayOf], [200, null])
})

test('accepts new idempotency keys while a retention run still deletes stored responses', async () => {
  const sandbox = await createFullSandbox()
  await sandbox.advance(DAY)
  await deleteExpiredRecords(sandbox.runtime, DEFAULT_RETENTION, 1)
  const accepted = await sendIdempotent(sandbox.runtime, { ...ADA, key: 'key 4' })
  assert.equal([accepted.status, accepted.replayOf], [200, null])
})

test('counts the stored responses of other processes at each retention run', async () => {
  const sandbox = createSandbox({ maxStoredResponses: 3 })
  await sendIdempotent(sandbox.runtime, ADA)
  // Another process has a separate store object.
  const other = { ...sandbox.runtime, store: { ...sandbox.store } }
  for (const key of ['key 2', 'key 3']) await sendIdempotent(other, { ...ADA, key })
  await sandbox.advance(60)
  await deleteExpiredRecords(sandbox.runtime, DEFAULT_RETENTION)
  const refused = await sendIdempotent(sandbox.runtime, { ...ADA, key: 'key 4' })
  assert.is(errorCodeOf(refused), 'idempotency_limit_reached')
})

test('the limit error states the seconds until the oldest response expires in retention time', async () => {
  const sandbox = createSandbox({ maxStoredResponses: 3 })
  await deleteExpiredRecords(sandbox.runtime, DEFAULT_RETENTION)
  for (const key of ['key 1', 'key 2', 'key 3']) await sendIdempotent(sandbox.runtime, { ...ADA, key })
  await sandbox.advance(30 * DAY)
  await deleteExpiredRecords(sandbox.runtime, DEFAULT_RETENTION)
  await sandbox.advance(60)
  const refused = await sendIdempotent(sandbox.runtime, { ...ADA, key: 'key 4' })
  assert.match(refused.body, `in ${DAY - 60} s`)
})

test('the limit error states at most a day while retention time is behind', async () => {
  const sandbox = createSandbox({ maxStoredResponses: 1 })
  await deleteExpiredRecords(sandbox.runtime, DEFAULT_RETENTION)
  await sandbox.advance(30 * DAY)
  await deleteExpiredRecords(sandbox.runtime, DEFAULT_RETENTION)
  await sendIdempotent(sandbox.runtime, ADA)
  const refused = await sendIdempotent(sandbox.runtime, { ...ADA, key: 'key 2' })
  assert.match(refused.body, `in ${DAY} s`)
})

test.run()
