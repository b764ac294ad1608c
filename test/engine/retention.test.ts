import { api } from '../../src/api/api.ts'
import { createIdempotencyKey } from '../../src/domain/requests/idempotency.ts'
import { DEFAULT_RETENTION } from '../../src/domain/time/retention.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { deleteExpiredRecords } from '../../src/engine/retention.ts'
import { sendIdempotent } from '../support/idempotent-requests.ts'
import { CARDS, newCheckout, newCustomer, newPaymentSession } from '../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/retention')

const RULES = { maxAgeSeconds: 30 * DAY, maxEvents: 1000 }

async function sequences(sandbox: Sandbox): Promise<number[]> {
  return (await sandbox.events()).map(({ sequence }) => sequence)
}

/** Runs retention once a day, as a running daemon does. */
async function runDays(sandbox: Sandbox, days: number): Promise<number> {
  let deleted = 0
  for (let day = 0; day < days; day += 1) {
    deleted += await deleteExpiredRecords(sandbox.runtime, RULES)
    await sandbox.advance(DAY)
  }
  return deleted + (await deleteExpiredRecords(sandbox.runtime, RULES))
}

test('deletes events over the maximum age and keeps their objects', async () => {
  const sandbox = createSandbox()
  const old = await newCustomer(sandbox)
  await runDays(sandbox, 28)
  await newCustomer(sandbox)
  assert.is(await runDays(sandbox, 1), 0)
  assert.equal(await sequences(sandbox), [1, 2])
  assert.is(await runDays(sandbox, 1), 1)
  assert.equal(await sequences(sandbox), [2])
  assert.is((await sandbox.call(api.customers.retrieve, { id: old.id })).id, old.id)
})

test('does not count a forward jump of the clock toward the age of events', async () => {
  const sandbox = createSandbox()
  await newCustomer(sandbox)
  await runDays(sandbox, 3)
  for (const days of [60, 400, 4000]) {
    await sandbox.advance(days * DAY)
    assert.is(await deleteExpiredRecords(sandbox.runtime, RULES), 0)
  }
  assert.equal(await sequences(sandbox), [1])
  assert.is(await runDays(sandbox, 26), 0)
  assert.is(await runDays(sandbox, 1), 1)
})

test('continues to count the age of events after the clock was set back', async () => {
  const sandbox = createSandbox()
  await newCustomer(sandbox)
  await sandbox.advance(4000 * DAY)
  await deleteExpiredRecords(sandbox.runtime, RULES)
  const now = sandbox.now() - 4000 * DAY
  sandbox.setClock(now)
  assert.is(await runDays(sandbox, 29), 0)
  assert.is(await runDays(sandbox, 1), 1)
})

test('deletes the oldest events over the maximum number and continues the sequence', async () => {
  const sandbox = createSandbox()
  for (let i = 0; i < 7; i += 1) await newCustomer(sandbox)
  await deleteExpiredRecords(sandbox.runtime, { ...RULES, maxEvents: 3 })
  assert.equal(await sequences(sandbox), [5, 6, 7])
  await newCustomer(sandbox)
  assert.equal(await sequences(sandbox), [5, 6, 7, 8])
})

test('deletes more events than the limit of one round', async () => {
  const sandbox = createSandbox()
  for (let i = 0; i < 450; i += 1) await newCustomer(sandbox)
  assert.is(await deleteExpiredRecords(sandbox.runtime, { ...RULES, maxEvents: 10 }), 440)
  assert.is((await sandbox.events()).length, 10)
})

test('deletes an event together with all its deliveries', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  await newCustomer(sandbox)
  const [event] = await sandbox.events()
  for (let sent = 0; sent < 150; sent += 1) {
    await sandbox.call(api.events.resend, { id: event?.id ?? '', webhook_endpoint: id })
    await sandbox.store.transact(async (reader) => {
      const { data } = await reader.list('webhook_deliveries', { where: { status: 'pending' }, limit: 9 })
      const writes = data.map((row) => ({
        put: { ...row, status: 'failed' as const, next_attempt_at: null },
      }))
      return { result: null, writes, events: [] }
    })
  }
  assert.is(await deleteExpiredRecords(sandbox.runtime, { ...RULES, maxEvents: 0 }), 152)
  assert.equal((await sandbox.snapshot()).records.webhook_deliveries, [])
})

test('keeps an event with a pending delivery until the delivery ends', async () => {
  const sandbox = createSandbox()
  await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  const waiting = await newCustomer(sandbox)
  await deleteExpiredRecords(sandbox.runtime, { ...RULES, maxEvents: 0 })
  const [kept] = await sandbox.events()
  assert.is(kept?.data.object.id, waiting.id)
  const { data } = await sandbox.call(api.webhookDeliveries.list, {})
  const [pending] = data
  if (!pending) throw new Error('no delivery was planned')
  await sandbox.store.transact(async () => ({
    result: null,
    writes: [{ put: { ...pending, status: 'succeeded' as const, next_attempt_at: null } }],
    events: [],
  }))
  assert.is(await deleteExpiredRecords(sandbox.runtime, { ...RULES, maxEvents: 0 }), 2)
  assert.equal((await sandbox.call(api.webhookDeliveries.list, {})).data, [])
})

test('stores one event-sequence mark a day and deletes obsolete marks', async () => {
  const sandbox = createSandbox()
  for (let day = 0; day < 40; day += 1) {
    await deleteExpiredRecords(sandbox.runtime, RULES)
    await deleteExpiredRecords(sandbox.runtime, RULES)
    await sandbox.advance(DAY)
  }
  await deleteExpiredRecords(sandbox.runtime, RULES)
  assert.is((await sandbox.store.listOldest('retention_marks', 100)).length, 31)
})

test('the database meets every invariant after the oldest events are deleted', async () => {
  const sandbox = createSandbox()
  const { customer, id } = await newCheckout(sandbox)
  await sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' })
  await newPaymentSession(sandbox, { customer })
  await deleteExpiredRecords(sandbox.runtime, { ...RULES, maxEvents: 4 })
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('the database meets every invariant after all events without pending deliveries are deleted', async () => {
  const sandbox = createSandbox()
  await newCustomer(sandbox)
  await deleteExpiredRecords(sandbox.runtime, { ...RULES, maxEvents: 0 })
  assert.equal(await sequences(sandbox), [])
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
  await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  await newCustomer(sandbox)
  await newCustomer(sandbox)
  await deleteExpiredRecords(sandbox.runtime, { ...RULES, maxEvents: 0 })
  assert.equal(await sequences(sandbox), [2, 3])
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('deletes events whose deliveries ended when their endpoint was disabled', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  for (let i = 0; i < 250; i += 1) await newCustomer(sandbox)
  await sandbox.call(api.webhookEndpoints.update, { id, status: 'disabled' })
  await deleteExpiredRecords(sandbox.runtime, { ...RULES, maxEvents: 0 })
  assert.equal(await sequences(sandbox), [])
})

test('deletes idempotency keys after a day, except those of unfinished requests', async () => {
  const sandbox = createSandbox()
  const create = (key: string) =>
    sendIdempotent(sandbox.runtime, {
      operation: api.customers.create,
      key,
      body: { email: 'ada@example.com' },
    })
  for (let i = 0; i < 450; i += 1) await create(`key ${i}`)
  const unfinished = createIdempotencyKey(
    { id: 'idem_unfinished', fingerprint: 'f', used_at: sandbox.now() },
    null,
  )
  await sandbox.store.transact(async () => ({ result: null, writes: [{ put: unfinished }], events: [] }))
  await sandbox.advance(DAY)
  for (let i = 0; i < 250; i += 1) await create(`key ${i}`)
  await deleteExpiredRecords(sandbox.runtime, RULES)
  const kept = (await sandbox.snapshot()).records.idempotency_keys
  assert.equal([kept.length, kept.filter(({ answer }) => answer === null)], [251, [unfinished]])
})

test('keeps every stored response for 24 hours, up to the limit', async () => {
  const sandbox = createSandbox()
  const runtime = { ...sandbox.runtime, maxStoredResponses: 450 }
  const create = (key: string) =>
    sendIdempotent(runtime, { operation: api.customers.create, key, body: { email: 'ada@example.com' } })
  for (let i = 0; i < 450; i += 1) await create(`key ${i}`)
  await sandbox.advance(DAY - 1)
  assert.is(await deleteExpiredRecords(runtime, RULES), 0)
  assert.is.not((await create('key 0')).replayOf, null)
})

test('limits the rounds of deletions per call and yields between them', async () => {
  const sandbox = createSandbox()
  for (let i = 0; i < 450; i += 1) await newCustomer(sandbox)
  let turns = 0
  const yieldToEventLoop = async () => {
    turns += 1
  }
  const slice = () =>
    deleteExpiredRecords({ ...sandbox.runtime, yieldToEventLoop }, { ...RULES, maxEvents: 0 }, 2)
  assert.equal([await slice(), await slice(), await slice()], [400, 50, 0])
  assert.is(turns, 5)
})

test('deletes decline records after a day', async () => {
  const sandbox = createSandbox()
  for (let made = 0; made < 2; made += 1) {
    const { id } = await newPaymentSession(sandbox, { expires_at: sandbox.now() + 5 * DAY })
    await catchDomainError(sandbox.submit(id, typed(CARDS.stranger)))
    await sandbox.advance(DAY / 2)
  }
  assert.is(await deleteExpiredRecords(sandbox.runtime, RULES), 1)
  assert.is((await sandbox.snapshot()).records.traceless_declines.length, 1)
})

test('keeps events for 30 days, up to a million, by default', () => {
  assert.equal(DEFAULT_RETENTION, { maxAgeSeconds: 2_592_000, maxEvents: 1_000_000 })
})

test.run()
