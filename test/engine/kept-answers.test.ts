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

/** Lets a sandbox count how often its store counts the answers. */
function counting({ runtime, store }: Sandbox) {
  const seen = { counts: 0 }
  const count: Sandbox['store']['count'] = (collection) => {
    seen.counts += 1
    return store.count(collection)
  }
  return { seen, runtime: { ...runtime, store: { ...store, count } } }
}

test('counts the answers that another process stored once an hour', async () => {
  const sandbox = createSandbox({ maxAnswers: 3 })
  await sendKeyed(sandbox.runtime, ADA)
  // A store object of its own, as another process has.
  const other = { ...sandbox.runtime, store: { ...sandbox.store } }
  for (const key of ['key 2', 'key 3']) await sendKeyed(other, { ...ADA, key })
  await sandbox.advance(3600)
  await dropExpired(sandbox.runtime, DEFAULT_RETENTION)
  const refused = await sendKeyed(sandbox.runtime, { ...ADA, key: 'key 4' })
  assert.is(codeOf(refused), 'idempotency_limit_reached')
})

test('counts the answers once for concurrent requests and for sweeps within an hour', async () => {
  const sandbox = createSandbox({ maxAnswers: 100 })
  const { seen, runtime } = counting(sandbox)
  const keys = Array.from({ length: 20 }, (_, at) => `key ${at}`)
  await Promise.all(keys.map((key) => sendKeyed(runtime, { ...ADA, key })))
  for (let minute = 0; minute < 59; minute += 1) {
    await sandbox.advance(60)
    await dropExpired(runtime, DEFAULT_RETENTION)
  }
  assert.is(seen.counts, 1)
  await sandbox.advance(60)
  await dropExpired(runtime, DEFAULT_RETENTION)
  assert.is(seen.counts, 2)
})

test('counts the answers at each sweep above 80 percent of the limit', async () => {
  const sandbox = createSandbox({ maxAnswers: 5 })
  const { seen, runtime } = counting(sandbox)
  for (const key of ['key 1', 'key 2', 'key 3', 'key 4']) await sendKeyed(runtime, { ...ADA, key })
  for (let minute = 0; minute < 5; minute += 1) {
    await sandbox.advance(60)
    await dropExpired(runtime, DEFAULT_RETENTION)
  }
  assert.is(seen.counts, 6)
})

test('makes room for as many answers as the sweep removed, without another count', async () => {
  const sandbox = createSandbox({ maxAnswers: 6 })
  const { seen, runtime } = counting(sandbox)
  for (const key of ['key 1', 'key 2', 'key 3']) await sendKeyed(runtime, { ...ADA, key })
  await sandbox.advance(DAY - 60)
  await dropExpired(runtime, DEFAULT_RETENTION)
  await sandbox.advance(60)
  await dropExpired(runtime, DEFAULT_RETENTION)
  for (const key of ['key 4', 'key 5', 'key 6', 'key 7']) {
    assert.is((await sendKeyed(runtime, { ...ADA, key })).status, 200)
  }
  assert.is(seen.counts, 2)
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
