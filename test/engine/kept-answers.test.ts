import { api } from '../../src/api/index.ts'
import { DEFAULT_RETENTION } from '../../src/domain/retention.ts'
import { dropExpired } from '../../src/engine/retention.ts'
import { codeOf, sendKeyed } from '../support/keyed.ts'
import { createSandbox, DAY, type Sandbox } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/kept-answers')

const ADA = { operation: api.customers.create, key: 'key 1', body: { email: 'ada@example.com' } }

async function atLimit(): Promise<Sandbox> {
  const sandbox = createSandbox({ maxAnswers: 3 })
  for (const key of ['key 1', 'key 2', 'key 3']) await sendKeyed(sandbox.runtime, { ...ADA, key })
  return sandbox
}

test('refuses a new key when the limit of kept answers is reached, and changes nothing', async () => {
  const sandbox = await atLimit()
  await sandbox.advance(60)
  const before = await sandbox.snapshot()
  const refused = await sendKeyed(sandbox.runtime, { ...ADA, key: 'key 4' })
  assert.equal([refused.status, codeOf(refused)], [503, 'idempotency_limit_reached'])
  assert.match(refused.body, `in ${DAY - 60} s`)
  assert.equal(await sandbox.snapshot(), before)
})

test('replays a kept key at the limit, and carries out requests without a key', async () => {
  const sandbox = await atLimit()
  for (const key of ['key 1', 'key 3']) {
    const again = await sendKeyed(sandbox.runtime, { ...ADA, key })
    assert.equal([again.status, again.replayOf === null], [200, false])
  }
  await sandbox.call(api.customers.create, { email: 'eve@example.com' })
  const invalid = await sendKeyed(sandbox.runtime, { ...ADA, key: 'key 4', body: {} })
  assert.is(codeOf(invalid), 'parameter_missing')
})

test('accepts new keys again once kept answers are 24 hours old and swept', async () => {
  const sandbox = await atLimit()
  await sandbox.advance(DAY)
  await dropExpired(sandbox.runtime, DEFAULT_RETENTION)
  const accepted = await sendKeyed(sandbox.runtime, { ...ADA, key: 'key 4' })
  assert.equal([accepted.status, accepted.replayOf], [200, null])
})

test('counts the answers that another process stored at the next sweep', async () => {
  const sandbox = createSandbox({ maxAnswers: 3 })
  await sendKeyed(sandbox.runtime, ADA)
  // A store object of its own, as another process has.
  const other = { ...sandbox.runtime, store: { ...sandbox.store } }
  for (const key of ['key 2', 'key 3']) await sendKeyed(other, { ...ADA, key })
  await dropExpired(sandbox.runtime, DEFAULT_RETENTION)
  const refused = await sendKeyed(sandbox.runtime, { ...ADA, key: 'key 4' })
  assert.is(codeOf(refused), 'idempotency_limit_reached')
})

test('tells to wait until settled time lets the oldest answer go', async () => {
  const sandbox = createSandbox({ maxAnswers: 3 })
  await dropExpired(sandbox.runtime, DEFAULT_RETENTION)
  for (const key of ['key 1', 'key 2', 'key 3']) await sendKeyed(sandbox.runtime, { ...ADA, key })
  await sandbox.advance(30 * DAY)
  await dropExpired(sandbox.runtime, DEFAULT_RETENTION)
  await sandbox.advance(60)
  const refused = await sendKeyed(sandbox.runtime, { ...ADA, key: 'key 4' })
  assert.match(refused.body, `in ${DAY - 60} s`)
})

test('tells to wait a day at most while settled time is behind', async () => {
  const sandbox = createSandbox({ maxAnswers: 1 })
  await dropExpired(sandbox.runtime, DEFAULT_RETENTION)
  await sandbox.advance(30 * DAY)
  await dropExpired(sandbox.runtime, DEFAULT_RETENTION)
  await sendKeyed(sandbox.runtime, ADA)
  const refused = await sendKeyed(sandbox.runtime, { ...ADA, key: 'key 2' })
  assert.match(refused.body, `in ${DAY} s`)
})

test.run()
