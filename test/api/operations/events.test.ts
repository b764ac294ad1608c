import { api } from '../../../src/api/api.ts'
import type { ParamsOf } from '../../../src/api/core/operation.ts'
import type { WebhookDelivery } from '../../../src/domain/events/webhook-deliveries.ts'
import { CARDS, newCheckout, newCustomer } from '../../support/samples.ts'
import { catchDomainError, createSandbox, type Sandbox, START, typed } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/events')

const HOOK = { url: 'http://127.0.0.1:9/hook' }

test('an event has every field in order and can be retrieved', async () => {
  const sandbox = createSandbox()
  const customer = await newCustomer(sandbox)
  const [event] = (await sandbox.call(api.events.list, {})).data
  assert.equal(event, {
    id: event?.id,
    object: 'event',
    type: 'customer.created',
    api_version: '1',
    created: START,
    livemode: false,
    data: { object: customer },
    pending_webhooks: 0,
    request: { id: 'req_Test00000000000000000001', idempotency_key: null },
    sequence: 1,
    test_clock: null,
  })
  assert.equal(
    Object.keys(event ?? {}).join(' '),
    'id object type api_version created livemode data pending_webhooks request sequence test_clock',
  )
  assert.equal(await sandbox.call(api.events.retrieve, { id: event?.id ?? '' }), event)
})

test('events caused by a hosted page or a due job have request null', async () => {
  const sandbox = createSandbox()
  const { id, expires_at } = await newCheckout(sandbox)
  await newCheckout(sandbox)
  await sandbox.submit(id, typed(CARDS.visa))
  await sandbox.moveTo(expires_at)
  for (const { type, request } of await sandbox.events()) {
    assert.is(
      request === null,
      !type.endsWith('.created') || /^(subscription|invoice|payment)\./.test(type),
      type,
    )
  }
})

test('lists events newest first, by type, types, object and sequence', async () => {
  const sandbox = createSandbox()
  const { id } = await newCheckout(sandbox)
  await sandbox.submit(id, typed(CARDS.visa))
  const list = async (params: ParamsOf<typeof api.events.list>) =>
    (await sandbox.call(api.events.list, params)).data.map(({ type, sequence }) => `${sequence} ${type}`)
  assert.equal(await list({ limit: 2 }), ['11 checkout_session.completed', '10 invoice.paid'])
  assert.equal(await list({ type: 'invoice.paid' }), ['10 invoice.paid'])
  assert.equal(await list({ types: ['invoice.paid', 'customer.created'] }), [
    '10 invoice.paid',
    '1 customer.created',
  ])
  assert.equal(await list({ object_id: id }), ['11 checkout_session.completed', '2 checkout_session.created'])
  assert.equal(await list({ sequence: { gte: 3, lt: 5 } }), [
    '4 customer.updated',
    '3 payment_method.attached',
  ])
})

test('rejects a list of unknown event types or of more than 20 types', async () => {
  const sandbox = createSandbox()
  const send = (search: string) => catchDomainError(sandbox.send(api.events.list, { search }))
  const wrong = await send('type=invoice.payd')
  assert.equal([wrong.code, wrong.param], ['parameter_invalid_enum', 'type'])
  assert.match(wrong.message, /^type 'invoice.payd' is none of .* Did you mean invoice\.paid\?$/)
  assert.match((await send('type=sold')).message, /^type 'sold' is not one of: customer\.created, /)
  assert.equal((await send('types[]=invoice.paid&types[]=x')).param, 'types[1]')
  assert.is((await send('types[]=invoice.paid&'.repeat(21))).code, 'parameter_invalid_array')
  assert.is((await send('types=invoice.paid')).code, 'parameter_invalid_type')
})

/** Settles deliveries as the delivery worker would. */
async function deliver(sandbox: Sandbox, event: string, status: WebhookDelivery['status']): Promise<void> {
  await sandbox.store.transact(async (reader) => {
    const { data } = await reader.list('webhook_deliveries', { where: { event }, limit: 1 })
    const writes = data.map((delivery) => ({ put: { ...delivery, status, next_attempt_at: null } }))
    return { result: null, writes, events: [] }
  })
}

test('pending_webhooks counts the endpoints without a successful delivery', async () => {
  const sandbox = createSandbox()
  await sandbox.call(api.webhookEndpoints.create, HOOK)
  await sandbox.call(api.webhookEndpoints.create, { ...HOOK, enabled_events: ['customer.*'] })
  await sandbox.call(api.webhookEndpoints.create, { ...HOOK, enabled_events: ['invoice.*'] })
  await newCustomer(sandbox)
  const [event] = await sandbox.events()
  const pending = async () =>
    (await sandbox.call(api.events.retrieve, { id: event?.id ?? '' })).pending_webhooks
  assert.is(await pending(), 2)
  await deliver(sandbox, event?.id ?? '', 'failed')
  assert.is(await pending(), 2)
  await deliver(sandbox, event?.id ?? '', 'succeeded')
  assert.is(await pending(), 1)
  const listed = await sandbox.call(api.events.list, {})
  assert.is(listed.data[0]?.pending_webhooks, 1)
  await deliver(sandbox, event?.id ?? '', 'skipped')
  assert.is(await pending(), 1)
})

test('lists deliveries by event, endpoint and status, and retrieves a delivery', async () => {
  const sandbox = createSandbox()
  const { id: endpoint } = await sandbox.call(api.webhookEndpoints.create, HOOK)
  await newCustomer(sandbox)
  const [event] = await sandbox.events()
  const list = async (params: ParamsOf<typeof api.webhookDeliveries.list>) =>
    (await sandbox.call(api.webhookDeliveries.list, params)).data
  const [delivery] = await list({ event: event?.id ?? '', webhook_endpoint: endpoint, status: 'pending' })
  assert.equal(delivery, {
    id: delivery?.id,
    object: 'webhook_delivery',
    created: START,
    livemode: false,
    event: event?.id,
    webhook_endpoint: endpoint,
    url: HOOK.url,
    attempt: 1,
    status: 'pending',
    http_status: null,
    error: null,
    error_message: null,
    duration_ms: null,
    request_headers: {},
    response_body: null,
    response_body_truncated: false,
    next_attempt_at: START,
    trigger: 'automatic',
    fault: null,
  })
  assert.equal(await list({ status: 'succeeded' }), [])
  assert.equal(await sandbox.call(api.webhookDeliveries.retrieve, { id: delivery?.id ?? '' }), delivery)
})

test('lists deliveries by the type and the object of their events, page by page', async () => {
  const sandbox = createSandbox()
  const { id } = await newCheckout(sandbox)
  await sandbox.call(api.webhookEndpoints.create, HOOK)
  await sandbox.call(api.webhookEndpoints.create, HOOK)
  await sandbox.submit(id, typed(CARDS.visa))
  const types = new Map((await sandbox.events()).map((event) => [event.id, event.type]))
  const list = async (params: ParamsOf<typeof api.webhookDeliveries.list>) =>
    (await sandbox.call(api.webhookDeliveries.list, params)).data
  const typesOf = async (params: ParamsOf<typeof api.webhookDeliveries.list>) =>
    (await list(params)).map(({ event }) => types.get(event))
  assert.equal(await typesOf({ type: 'invoice.paid' }), ['invoice.paid', 'invoice.paid'])
  assert.equal(await typesOf({ object_id: id }), ['checkout_session.completed', 'checkout_session.completed'])
  assert.equal(await typesOf({ object_id: id, type: 'invoice.paid' }), [])
  assert.equal(await typesOf({ object_id: id, status: 'failed' }), [])
  const [newest, oldest] = await list({ object_id: id })
  assert.ok(newest)
  assert.equal(await list({ object_id: id, limit: 1, starting_after: newest.id }), [oldest])
  assert.equal(await list({ object_id: id, event: newest.event }), [newest, oldest])
  assert.equal(await list({ type: 'invoice.paid', event: newest.event }), [])
})

test('finds the deliveries of an event that 500 newer events of its object follow', async () => {
  const sandbox = createSandbox()
  await sandbox.call(api.webhookEndpoints.create, HOOK)
  const { id: object_id } = await newCustomer(sandbox)
  const [oldest] = (await sandbox.call(api.webhookDeliveries.list, {})).data
  assert.ok(oldest)
  for (let count = 0; count < 500; count += 1)
    await sandbox.call(api.customers.update, { id: object_id, name: `Ada ${count}` })
  const { event } = oldest
  const list = async (params: ParamsOf<typeof api.webhookDeliveries.list>) =>
    (await sandbox.call(api.webhookDeliveries.list, params)).data
  assert.equal(await list({ object_id, event }), [oldest])
  assert.equal(await list({ type: 'customer.updated', event }), [])
  assert.equal(await list({ object_id, ending_before: oldest.id, event: 'evt_none' }), [])
})

test.run()
