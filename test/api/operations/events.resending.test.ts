import { api } from '../../../src/api/api.ts'
import type { ParamsOf } from '../../../src/api/core/operation.ts'
import type { WebhookDelivery } from '../../../src/domain/events/webhook-deliveries.ts'
import { createTargetGuard } from '../../../src/webhooks/ssrf-guard.ts'
import { testDomainErrors } from '../../support/domain-errors.ts'
import { newCustomer } from '../../support/samples.ts'
import { catchDomainError, createSandbox, DAY, type Sandbox, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api: resending and recovering')

const STRICT = { isPublicOnly: true, allowed: [], ownPorts: [] }
const HOOK = { url: 'http://127.0.0.1:9/hook' }

async function newEndpoint(sandbox: Sandbox, fields: { enabled_events?: string[] } = {}): Promise<string> {
  return (await sandbox.call(api.webhookEndpoints.create, { ...HOOK, ...fields })).id
}

/** Settles all pending deliveries as the delivery worker would. */
async function settle(sandbox: Sandbox, status: WebhookDelivery['status']): Promise<void> {
  await sandbox.store.transact(async (reader) => {
    const { data } = await reader.list('webhook_deliveries', { where: { status: 'pending' }, limit: 10_000 })
    const writes = data.map((delivery) => ({ put: { ...delivery, status, next_attempt_at: null } }))
    return { result: null, writes, events: [] }
  })
}

async function newEvent(sandbox: Sandbox): Promise<string> {
  await newCustomer(sandbox)
  return (await sandbox.events()).at(-1)?.id ?? ''
}

const waiting = async (sandbox: Sandbox) =>
  (await sandbox.store.list('webhook_deliveries', { where: { status: 'pending' }, limit: 10_000 })).data
    .toReversed()
    .map(({ event, webhook_endpoint, trigger, attempt }) => ({ event, webhook_endpoint, trigger, attempt }))

testDomainErrors(test, {
  operation: api.events.resend,
  prepare: async (sandbox) => {
    await newEndpoint(sandbox)
    return { id: await newEvent(sandbox), body: {} }
  },
  table: `
  webhook_endpoint = "we_none"              resource_missing
  webhook_endpoint = 5                      parameter_invalid_type
  endpoint = "we_1"                         parameter_unknown
  `,
})

testDomainErrors(test, {
  operation: api.webhookEndpoints.recover,
  prepare: async (sandbox) => ({ id: await newEndpoint(sandbox), body: { since: START - 60 } }),
  table: `
  no since                                  parameter_missing
  since = ${START - 14 * DAY - 1}           timestamp_invalid
  since = -1                                timestamp_invalid
  until = ${START - 61}                     timestamp_invalid
  types = ["a.b"]                           parameter_invalid_enum     at types[0]
  `,
})

testDomainErrors(test, {
  operation: api.webhookEndpoints.rollSecret,
  prepare: async (sandbox) => ({ id: await newEndpoint(sandbox), body: {} }),
  table: `
  grace_seconds = -1                        parameter_invalid_integer
  grace_seconds = 604801                    parameter_invalid_integer
  grace_seconds = 1.5                       parameter_invalid_integer
  `,
})

test('returns 404 for an unknown event or webhook endpoint', async () => {
  const sandbox = createSandbox()
  for (const call of [
    () => sandbox.call(api.events.resend, { id: 'evt_none' }),
    () => sandbox.call(api.webhookEndpoints.recover, { id: 'we_none', since: START }),
    () => sandbox.call(api.webhookEndpoints.rollSecret, { id: 'we_none' }),
  ]) {
    const { code, param } = await catchDomainError(call)
    assert.equal([code, param], ['resource_missing', 'id'])
  }
})

test('resends an event to every enabled endpoint that subscribes to it, or only to the requested endpoint', async () => {
  const sandbox = createSandbox()
  const wants = await newEndpoint(sandbox)
  const other = await newEndpoint(sandbox, { enabled_events: ['invoice.*'] })
  const event = await newEvent(sandbox)
  await settle(sandbox, 'succeeded')
  const { data } = await sandbox.call(api.events.resend, { id: event })
  assert.equal(
    data.map((row) => [row.event, row.webhook_endpoint, row.trigger, row.status, row.attempt]),
    [[event, wants, 'manual', 'pending', 1]],
  )
  const named = await sandbox.call(api.events.resend, { id: event, webhook_endpoint: other })
  assert.equal(
    named.data.map(({ webhook_endpoint }) => webhook_endpoint),
    [other],
  )
  assert.is((await sandbox.call(api.events.retrieve, { id: event })).pending_webhooks, 1)
})

test('returns the pending delivery for a repeated resend and creates no second delivery', async () => {
  const sandbox = createSandbox()
  await newEndpoint(sandbox)
  const event = await newEvent(sandbox)
  await settle(sandbox, 'failed')
  const first = await sandbox.call(api.events.resend, { id: event })
  assert.equal(await sandbox.call(api.events.resend, { id: event }), first)
  assert.is((await waiting(sandbox)).length, 1)
})

test('rejects a resend when no endpoint is enabled or the requested endpoint is disabled', async () => {
  const sandbox = createSandbox()
  const event = await newEvent(sandbox)
  const nobody = await catchDomainError(sandbox.call(api.events.resend, { id: event }))
  assert.equal([nobody.code, nobody.param], ['resource_missing', 'webhook_endpoint'])
  const id = await newEndpoint(sandbox)
  await sandbox.call(api.webhookEndpoints.update, { id, status: 'disabled' })
  const disabled = await catchDomainError(
    sandbox.call(api.events.resend, { id: event, webhook_endpoint: id }),
  )
  assert.is(disabled.code, 'webhook_endpoint_disabled')
  assert.is((await catchDomainError(sandbox.call(api.events.resend, { id: event }))).code, 'resource_missing')
  const recover = await newEvent(sandbox).then(() =>
    catchDomainError(sandbox.call(api.webhookEndpoints.recover, { id, since: START })),
  )
  assert.is(recover.code, 'webhook_endpoint_disabled')
})

test('lists events of a disabled endpoint as skipped and recovers them after it is enabled', async () => {
  const sandbox = createSandbox()
  const id = await newEndpoint(sandbox)
  const waited = await newEvent(sandbox)
  await sandbox.call(api.webhookEndpoints.update, { id, status: 'disabled' })
  const missed = await newEvent(sandbox)
  const skipped = await sandbox.call(api.webhookDeliveries.list, { status: 'skipped' })
  assert.equal(
    skipped.data.map(({ event }) => event),
    [missed, waited],
  )
  await sandbox.call(api.webhookEndpoints.update, { id, status: 'enabled' })
  assert.equal(await waiting(sandbox), [])
  assert.equal(await sandbox.call(api.webhookEndpoints.recover, { id, since: START }), {
    object: 'webhook_recovery',
    webhook_endpoint: id,
    resent: 2,
    has_more: false,
  })
  assert.equal(
    await waiting(sandbox),
    [waited, missed].map((event) => ({ event, webhook_endpoint: id, trigger: 'manual', attempt: 1 })),
  )
})

test('recovers each failed delivery of the time window and event types once, oldest first', async () => {
  const sandbox = createSandbox()
  const id = await newEndpoint(sandbox)
  const other = await newEndpoint(sandbox)
  const recover = async (params: Omit<ParamsOf<typeof api.webhookEndpoints.recover>, 'id'>) =>
    (await sandbox.call(api.webhookEndpoints.recover, { id, ...params })).resent
  await newEvent(sandbox)
  await settle(sandbox, 'succeeded')
  await sandbox.advance(10)
  const early = await newEvent(sandbox)
  await sandbox.advance(10)
  const late = await newEvent(sandbox)
  await settle(sandbox, 'failed')
  await sandbox.advance(10)
  await newEvent(sandbox)
  assert.is(await recover({ since: START, types: ['invoice.paid'] }), 0)
  assert.is(await recover({ since: START, until: START + 9 }), 0)
  assert.is(await recover({ since: START + 11, until: START + 19 }), 0)
  assert.is(await recover({ since: START, until: START + 10 }), 1)
  assert.is(await recover({ since: START, types: ['customer.created'] }), 1)
  assert.is(await recover({ since: START }), 0)
  const byHand = (await waiting(sandbox)).filter(({ trigger }) => trigger === 'manual')
  assert.equal(
    byHand.map(({ event, webhook_endpoint }) => [event, webhook_endpoint]),
    [
      [early, id],
      [late, id],
    ],
  )
  assert.ok(byHand.every(({ webhook_endpoint }) => webhook_endpoint !== other))
})

test('recovers a failed delivery with a future retry, but not one whose retry is due or has succeeded', async () => {
  const sandbox = createSandbox()
  const id = await newEndpoint(sandbox)
  const event = await newEvent(sandbox)
  const recover = async () => (await sandbox.call(api.webhookEndpoints.recover, { id, since: START })).resent
  assert.is(await recover(), 0)
  const [first] = (await sandbox.store.list('webhook_deliveries', { where: { event }, limit: 1 })).data
  if (first === undefined) throw new Error('nothing is planned')
  const retry = { ...first, id: 'whd_retry', attempt: 2, next_attempt_at: START + 300 }
  const failed = { ...first, status: 'failed' as const, next_attempt_at: START + 300 }
  const put = (...deliveries: WebhookDelivery[]) =>
    sandbox.store.transact(async () => ({
      result: null,
      writes: deliveries.map((delivery) => ({ put: delivery })),
      events: [],
    }))
  await put(failed, retry)
  await sandbox.advance(299)
  assert.is(await recover(), 1)
  assert.is(await recover(), 0)
  const [byHand] = (await sandbox.store.list('webhook_deliveries', { where: { event }, limit: 1 })).data
  if (byHand === undefined) throw new Error('nothing was resent')
  assert.is(byHand.trigger, 'manual')
  await put({ ...byHand, status: 'failed', next_attempt_at: null })
  assert.is(await recover(), 1)
  assert.equal((await sandbox.store.get('webhook_deliveries', retry.id))?.next_attempt_at, START + 300)
  await settle(sandbox, 'failed')
  await put(retry)
  await sandbox.advance(1)
  assert.is(await recover(), 0)
  await put({ ...retry, status: 'succeeded', next_attempt_at: null })
  assert.is(await recover(), 0)
})

test('rounds the time of a retry up to the next second', async () => {
  const sandbox = createSandbox()
  await newEndpoint(sandbox)
  const event = await newEvent(sandbox)
  const [first] = (await sandbox.store.list('webhook_deliveries', { where: { event }, limit: 1 })).data
  if (first === undefined) throw new Error('no delivery is planned')
  const retry = { ...first, attempt: 2, next_attempt_at: START + 1.001 }
  await sandbox.store.transact(async () => ({ result: null, writes: [{ put: retry }], events: [] }))
  const shown = await sandbox.call(api.webhookDeliveries.retrieve, { id: retry.id })
  assert.equal(shown, { ...retry, next_attempt_at: START + 2 })
  const { data } = await sandbox.call(api.webhookDeliveries.list, { event })
  assert.equal(data, [shown])
})

test('recovers at most 1000 events per request', async () => {
  const sandbox = createSandbox()
  const id = await newEndpoint(sandbox)
  for (let made = 0; made < 1020; made += 1) await newCustomer(sandbox)
  await settle(sandbox, 'failed')
  const recover = () => sandbox.call(api.webhookEndpoints.recover, { id, since: START })
  const first = await recover()
  assert.equal([first.resent, first.has_more], [1000, true])
  const second = await recover()
  assert.equal([second.resent, second.has_more], [20, false])
  const order = (await sandbox.events()).map((event) => event.id)
  assert.equal(
    (await waiting(sandbox)).map(({ event }) => event),
    order,
  )
})

test('rollSecret returns the new secret only in its response, and the old secret stays valid for a day or the grace period', async () => {
  const sandbox = createSandbox()
  const { id, secret } = await sandbox.call(api.webhookEndpoints.create, HOOK)
  const rolled = await sandbox.call(api.webhookEndpoints.rollSecret, { id })
  assert.not.equal(rolled.secret, secret)
  const { secret: _, ...shown } = rolled
  assert.equal(await sandbox.call(api.webhookEndpoints.retrieve, { id }), shown)
  const rolledSecret = await sandbox.store.get('webhook_secrets', id)
  assert.equal(rolledSecret?.previous, [{ secret, expires_at: START + DAY }])
  await sandbox.call(api.webhookEndpoints.rollSecret, { id, grace_seconds: 0 })
  const last = await sandbox.store.get('webhook_secrets', id)
  assert.equal(last?.previous, [{ secret, expires_at: START + DAY }])
})

test('rejects a webhook endpoint with a blocked URL on create and on update', async () => {
  const sandbox = createSandbox({ requireAllowedUrl: createTargetGuard(STRICT).requireAllowed })
  const { code, param } = await catchDomainError(sandbox.call(api.webhookEndpoints.create, HOOK))
  assert.equal([code, param], ['webhook_target_blocked', 'url'])
  const { id } = await sandbox.call(api.webhookEndpoints.create, { url: 'https://example.com/' })
  const updateError = await catchDomainError(
    sandbox.call(api.webhookEndpoints.update, { id, url: 'http://10.0.0.1/' }),
  )
  assert.match(updateError.message, '--allow-webhooks-to')
})

test.run()
