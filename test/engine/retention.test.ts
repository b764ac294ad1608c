import { api } from '../../src/api/index.ts'
import { useKey } from '../../src/domain/idempotency.ts'
import { DEFAULT_RETENTION } from '../../src/domain/retention.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { dropExpired } from '../../src/engine/retention.ts'
import { sendKeyed } from '../support/keyed.ts'
import { CARDS, newCheckout, newCustomer, newPaymentSession } from '../support/samples.ts'
import { createSandbox, DAY, refusal, type Sandbox, typed } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('engine/retention')

const RULES = { maxAgeSeconds: 30 * DAY, maxEvents: 1000 }

async function sequences(sandbox: Sandbox): Promise<number[]> {
  return (await sandbox.events()).map(({ sequence }) => sequence)
}

/** Sweeps once a day for so many days, as a service that runs. */
async function runDays(sandbox: Sandbox, days: number): Promise<number> {
  let dropped = 0
  for (let day = 0; day < days; day += 1) {
    dropped += await dropExpired(sandbox.runtime, RULES)
    await sandbox.advance(DAY)
  }
  return dropped + (await dropExpired(sandbox.runtime, RULES))
}

test('events older than the age go, younger ones stay, and their objects are untouched', async () => {
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

test('a clock that jumps forward, or months without the service, delete no event and count no day', async () => {
  const sandbox = createSandbox()
  await newCustomer(sandbox)
  await runDays(sandbox, 3)
  for (const days of [60, 400, 4000]) {
    await sandbox.advance(days * DAY)
    assert.is(await dropExpired(sandbox.runtime, RULES), 0)
  }
  assert.equal(await sequences(sandbox), [1])
  assert.is(await runDays(sandbox, 26), 0)
  assert.is(await runDays(sandbox, 1), 1)
})

test('a clock that was set back goes on counting days', async () => {
  const sandbox = createSandbox()
  await newCustomer(sandbox)
  await sandbox.advance(4000 * DAY)
  await dropExpired(sandbox.runtime, RULES)
  const now = sandbox.now() - 4000 * DAY
  sandbox.setClock(now)
  assert.is(await runDays(sandbox, 29), 0)
  assert.is(await runDays(sandbox, 1), 1)
})

test('of too many events the oldest go, and the sequence goes on', async () => {
  const sandbox = createSandbox()
  for (let i = 0; i < 7; i += 1) await newCustomer(sandbox)
  await dropExpired(sandbox.runtime, { ...RULES, maxEvents: 3 })
  assert.equal(await sequences(sandbox), [5, 6, 7])
  await newCustomer(sandbox)
  assert.equal(await sequences(sandbox), [5, 6, 7, 8])
})

test('more events than one round takes all go', async () => {
  const sandbox = createSandbox()
  for (let i = 0; i < 450; i += 1) await newCustomer(sandbox)
  assert.is(await dropExpired(sandbox.runtime, { ...RULES, maxEvents: 10 }), 440)
  assert.is((await sandbox.events()).length, 10)
})

test('an event goes with all its deliveries, however often it was sent', async () => {
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
  assert.is(await dropExpired(sandbox.runtime, { ...RULES, maxEvents: 0 }), 152)
  assert.equal((await sandbox.snapshot()).records.webhook_deliveries, [])
})

test('an event that still waits to be delivered never goes, and its deliveries go with it later', async () => {
  const sandbox = createSandbox()
  await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  const waiting = await newCustomer(sandbox)
  await dropExpired(sandbox.runtime, { ...RULES, maxEvents: 0 })
  const [kept] = await sandbox.events()
  assert.is(kept?.data.object.id, waiting.id)
  const { data } = await sandbox.call(api.webhookDeliveries.list, {})
  const [pending] = data
  if (!pending) throw new Error('nothing was planned')
  await sandbox.store.transact(async () => ({
    result: null,
    writes: [{ put: { ...pending, status: 'succeeded' as const, next_attempt_at: null } }],
    events: [],
  }))
  assert.is(await dropExpired(sandbox.runtime, { ...RULES, maxEvents: 0 }), 2)
  assert.equal((await sandbox.call(api.webhookDeliveries.list, {})).data, [])
})

test('one mark a day tells the age, and marks that tell nothing any more go', async () => {
  const sandbox = createSandbox()
  for (let day = 0; day < 40; day += 1) {
    await dropExpired(sandbox.runtime, RULES)
    await dropExpired(sandbox.runtime, RULES)
    await sandbox.advance(DAY)
  }
  await dropExpired(sandbox.runtime, RULES)
  assert.is((await sandbox.store.oldest('retention_marks', 100)).length, 31)
})

test('the rules that remain checkable hold after the oldest events went', async () => {
  const sandbox = createSandbox()
  const { customer, id } = await newCheckout(sandbox)
  await sandbox.call(api.checkoutSessions.complete, { id, test_card: 'visa' })
  await newPaymentSession(sandbox, { customer })
  await dropExpired(sandbox.runtime, { ...RULES, maxEvents: 4 })
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('the rules hold too when all of history went, or a waiting event keeps the younger ones', async () => {
  const sandbox = createSandbox()
  await newCustomer(sandbox)
  await dropExpired(sandbox.runtime, { ...RULES, maxEvents: 0 })
  assert.equal(await sequences(sandbox), [])
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
  await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  await newCustomer(sandbox)
  await newCustomer(sandbox)
  await dropExpired(sandbox.runtime, { ...RULES, maxEvents: 0 })
  assert.equal(await sequences(sandbox), [2, 3])
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('events of an endpoint that was disabled wait no longer', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' })
  for (let i = 0; i < 250; i += 1) await newCustomer(sandbox)
  await sandbox.call(api.webhookEndpoints.update, { id, status: 'disabled' })
  await dropExpired(sandbox.runtime, { ...RULES, maxEvents: 0 })
  assert.equal(await sequences(sandbox), [])
})

test('idempotency keys of yesterday go, however the old ones were used again; those at work stay', async () => {
  const sandbox = createSandbox()
  const create = (key: string) =>
    sendKeyed(sandbox.runtime, { operation: api.customers.create, key, body: { email: 'ada@example.com' } })
  for (let i = 0; i < 450; i += 1) await create(`key ${i}`)
  const atWork = useKey({ id: 'idem_at_work', fingerprint: 'f', used_at: sandbox.now() }, null)
  await sandbox.store.transact(async () => ({ result: null, writes: [{ put: atWork }], events: [] }))
  await sandbox.advance(DAY)
  for (let i = 0; i < 250; i += 1) await create(`key ${i}`)
  await dropExpired(sandbox.runtime, RULES)
  const kept = (await sandbox.snapshot()).records.idempotency_keys
  assert.equal([kept.length, kept.filter(({ answer }) => answer === null)], [251, [atWork]])
})

test('keeps every answer younger than 24 hours, however many there are', async () => {
  const sandbox = createSandbox()
  const runtime = { ...sandbox.runtime, maxAnswers: 450 }
  const create = (key: string) =>
    sendKeyed(runtime, { operation: api.customers.create, key, body: { email: 'ada@example.com' } })
  for (let i = 0; i < 450; i += 1) await create(`key ${i}`)
  await sandbox.advance(DAY - 1)
  assert.is(await dropExpired(runtime, RULES), 0)
  assert.is.not((await create('key 0')).replayOf, null)
})

test('a sweep is done in slices, and gives way between them', async () => {
  const sandbox = createSandbox()
  for (let i = 0; i < 450; i += 1) await newCustomer(sandbox)
  let turns = 0
  const yieldToEventLoop = async () => {
    turns += 1
  }
  const slice = () => dropExpired({ ...sandbox.runtime, yieldToEventLoop }, { ...RULES, maxEvents: 0 }, 2)
  assert.equal([await slice(), await slice(), await slice()], [400, 50, 0])
  assert.is(turns, 5)
})

test('what was noted of declines goes when it is a day old', async () => {
  const sandbox = createSandbox()
  for (let made = 0; made < 2; made += 1) {
    const { id } = await newPaymentSession(sandbox, { expires_at: sandbox.now() + 5 * DAY })
    await refusal(sandbox.submit(id, typed(CARDS.stranger)))
    await sandbox.advance(DAY / 2)
  }
  assert.is(await dropExpired(sandbox.runtime, RULES), 1)
  assert.is((await sandbox.snapshot()).records.traceless_declines.length, 1)
})

test('thirty days and a million events are kept unless told otherwise', () => {
  assert.equal(DEFAULT_RETENTION, { maxAgeSeconds: 2_592_000, maxEvents: 1_000_000 })
})

test.run()
