import { Webhook } from 'standardwebhooks'
import { api } from '../../../src/api/api.ts'
import { createClient } from '../../../src/client/client.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { newDatabase } from '../../support/test-store.ts'
import { openWebhookServer, type WebhookServer } from '../../webhooks/webhook-server.ts'
import { readStream } from '../streams/stream-reader.ts'

interface Context {
  receiver: WebhookServer
  daemons: TestDaemon[]
}

const test = suite<Context>('daemon/background-jobs with faults')

test.before.each(async (context) => {
  context.receiver = await openWebhookServer()
  context.daemons = []
})

test.after.each(async ({ receiver, daemons }) => {
  for (const daemon of daemons) await daemon.stop()
  await receiver.close()
})

async function open({ daemons }: Context, options: Parameters<typeof openDaemon>[0] = {}) {
  const daemon = await openDaemon(options)
  daemons.push(daemon)
  return daemon
}

const create = ({ call }: TestDaemon) => call(api.customers.create, { email: 'ada@example.com' })
const pendingOf = async ({ call }: TestDaemon) =>
  (await call(api.webhookDeliveries.list, { status: 'pending' })).data

test('sends held and delayed deliveries after a restart', async (context) => {
  const db = await newDatabase()
  // A database in memory does not survive a restart.
  if (db === null) return
  const { receiver } = context
  const first = await openDaemon({ db })
  const endpoint = await first.call(api.webhookEndpoints.create, { url: receiver.url })
  await first.call(api.faults.create, { type: 'hold', times: 1 })
  await first.call(api.faults.create, { type: 'delay_delivery', delay_ms: 30_000, times: 1 })
  await create(first)
  await create(first)
  await first.tick()
  await first.stop()
  const next = await open(context, { db, home: first.home, clock: first.clock })
  await next.tick()
  assert.is(receiver.received.length, 0)
  next.clock.move(30)
  await next.tick()
  assert.is(receiver.received.length, 1)
  const [held, ...others] = await pendingOf(next)
  assert.equal(others, [])
  assert.is(held?.next_attempt_at, null)
  await next.call(api.webhookDeliveries.send, { id: held?.id ?? '' })
  await next.tick()
  assert.is(receiver.received.length, 2)
  for (const { body, headers } of receiver.received)
    new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)
  assert.equal((await pendingOf(next)).length, 0)
})

test('sends a scheduled retry and a held delivery immediately on request, but no delivery that is not pending', async (context) => {
  const { receiver } = context
  const daemon = await open(context)
  await daemon.call(api.webhookEndpoints.create, { url: receiver.url })
  const fault = await daemon.call(api.faults.create, { type: 'drop_attempt', times: 1 })
  await create(daemon)
  await daemon.tick()
  assert.is(receiver.received.length, 0)
  const [retry] = await pendingOf(daemon)
  const sent = await daemon.call(api.webhookDeliveries.send, { id: retry?.id ?? '' })
  assert.equal([sent.id, sent.status, sent.attempt], [retry?.id, 'pending', 2])
  assert.ok((sent.next_attempt_at ?? Number.POSITIVE_INFINITY) <= daemon.clock.now())
  await daemon.tick()
  assert.is(receiver.received.length, 1)
  const error = await daemon.call(api.webhookDeliveries.send, { id: sent.id }).catch((thrown) => thrown)
  assert.equal([error.status, error.error?.code], [400, 'webhook_delivery_unexpected_state'])
  assert.match(error.message, /events\/evt_\w+\/resend/)
  const { data } = await daemon.call(api.webhookDeliveries.list, { status: 'failed' })
  assert.equal(
    data.map((one) => one.fault),
    [fault.id],
  )
})

for (const end of ['delete', 'clear'] as const) {
  test(`sends held deliveries in their order after faults.${end}`, async (context) => {
    const { receiver } = context
    const daemon = await open(context)
    await daemon.call(api.webhookEndpoints.create, { url: receiver.url })
    const fault = await daemon.call(api.faults.create, { type: 'hold', times: 2 })
    const customers = [await create(daemon), await create(daemon), await create(daemon)]
    await daemon.tick()
    const received = () => receiver.received.map(({ body }) => JSON.parse(body).data.object.id)
    assert.equal(received(), [customers[2]?.id])
    if (end === 'delete') await daemon.call(api.faults.delete, { id: fault.id })
    else assert.is((await daemon.call(api.faults.clear, {})).released, 2)
    await daemon.tick()
    assert.equal(
      received(),
      [2, 0, 1].map((index) => customers[index]?.id),
    )
    assert.equal(await pendingOf(daemon), [])
    const { data } = await daemon.call(api.webhookDeliveries.list, { status: 'succeeded' })
    assert.equal(
      data.map((delivery) => delivery.fault),
      [null, fault.id, fault.id],
    )
  })
}

test('recovers an event whose retry is held', async (context) => {
  const { receiver } = context
  const daemon = await open(context)
  const { id } = await daemon.call(api.webhookEndpoints.create, { url: receiver.url })
  await daemon.call(api.faults.create, { type: 'drop_attempt', times: 1 })
  await create(daemon)
  await daemon.tick()
  await daemon.call(api.faults.create, { type: 'hold', times: 1 })
  const [retry] = await pendingOf(daemon)
  await daemon.call(api.webhookDeliveries.send, { id: retry?.id ?? '' })
  await daemon.tick()
  const [held] = await pendingOf(daemon)
  assert.equal([held?.id, held?.next_attempt_at], [retry?.id, null])
  assert.is(receiver.received.length, 0)
  await daemon.call(api.webhookEndpoints.recover, { id, since: daemon.clock.now() - 3600 })
  await daemon.tick()
  assert.is(receiver.received.length, 1)
})

test('faults of deliveries change no event and no object', async (context) => {
  const histories: object[] = []
  for (const types of [
    [],
    ['duplicate', 'bad_signature', 'old_timestamp', 'overlap', 'drop_attempt'],
  ] as const) {
    const daemon = await open(context)
    await daemon.call(api.webhookEndpoints.create, { url: context.receiver.url })
    for (const type of types) await daemon.call(api.faults.create, { type, times: 1 })
    for (let index = 0; index < 6; index += 1) await create(daemon)
    await daemon.tick()
    const { data } = await daemon.call(api.events.list, {})
    const customers = await daemon.call(api.customers.list, {})
    histories.push([
      data.map(({ type, sequence }) => [type, sequence]),
      customers.data.map(({ email }) => email),
    ])
  }
  assert.equal(histories[1], histories[0])
  const ids = context.receiver.received.map(({ headers }) => headers['webhook-id'])
  // One event was sent twice, and another event was dropped.
  assert.equal([ids.length, new Set(ids).size], [12, 11])
})

test('a fault applies only to deliveries of its own sandbox', async (context) => {
  const { receiver } = context
  const daemon = await open(context)
  await daemon.call(api.webhookEndpoints.create, { url: receiver.url })
  const { api_key } = await daemon.call(api.sandboxes.create, {})
  const sandbox = createClient({ apiBase: daemon.location.api_url, apiKey: api_key })
  await sandbox.call(api.webhookEndpoints.create, { url: receiver.url })
  await sandbox.call(api.faults.create, { type: 'delay_delivery', delay_ms: 5000 })
  const { id } = await sandbox.call(api.customers.create, { email: 'grace@example.com' })
  await create(daemon)
  await daemon.tick()
  assert.is(receiver.received.length, 1)
  daemon.clock.move(5)
  await daemon.tick()
  assert.is(JSON.parse(receiver.received[1]?.body ?? '').data.object.id, id)
})

for (const order of ['sequential', 'concurrent'] as const) {
  test(`offers ${order} copies of a duplicate to a listener, each with its own id`, async (context) => {
    const daemon = await open(context)
    const reading = await readStream(daemon, { forward: [`*=${context.receiver.url}`] })
    await reading.waitFor('ready', 1)
    const fault = await daemon.call(api.faults.create, { type: 'duplicate', order, times: 1 })
    await create(daemon)
    const report = { method: 'POST', path: '/v1/stream/results' } as const
    const results: Promise<unknown>[] = []
    const offers: { delivery: string; fault: string; event: string }[] = []
    if (order === 'concurrent') await reading.waitFor('offer', 2)
    for (let count = 1; count <= 2; count += 1) {
      const messages = await reading.waitFor('offer', count)
      const offer = JSON.parse(messages[count - 1]?.data ?? '')
      offers.push(offer)
      const http_status = count === 1 ? 200 : 500
      const result = { http_status, error: count === 1 ? null : 'http_status', duration_ms: 1 }
      results.push(daemon.client.send(report, { delivery: offer.delivery, ...result }))
    }
    assert.equal(
      (await Promise.all(results)).map((result) => (result as { taken: boolean }).taken),
      [true, true],
    )
    assert.equal(
      offers.map((offer) => offer.fault),
      [fault.id, fault.id],
    )
    assert.is(offers[0]?.event, offers[1]?.event)
    const { data } = await daemon.call(api.webhookDeliveries.list, {})
    assert.equal(
      data.map(({ id, status }) => [id, status]),
      [[offers[0]?.delivery, 'succeeded']],
    )
    await reading.close()
  })
}

test.run()
