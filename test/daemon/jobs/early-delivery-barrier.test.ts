import { api } from '../../../src/api/api.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { recordTimers } from '../../support/timers.ts'
import { gate } from '../../webhooks/outbox.ts'
import { openWebhookServer, type WebhookServer } from '../../webhooks/webhook-server.ts'
import { readStream } from '../streams/stream-reader.ts'

interface Context {
  daemon: TestDaemon
  receivers: WebhookServer[]
}

/** The first part of the wait for an early delivery, in which earlier deliveries to the endpoint end. */
const ORDERED_MS = 1000

const test = suite<Context>('daemon/jobs/early-delivery-barrier')

test.before.each(async (context) => {
  context.daemon = await openDaemon()
  context.receivers = []
})

test.after.each(async ({ daemon, receivers }) => {
  for (const receiver of receivers) await receiver.close()
  await daemon.stop()
})

/** Opens a handler with an endpoint. */
async function openHandler(
  { daemon, receivers }: Context,
  ...answer: Parameters<typeof openWebhookServer>
): Promise<WebhookServer & { endpoint: string }> {
  const receiver = await openWebhookServer(...answer)
  receivers.push(receiver)
  const { id } = await daemon.call(api.webhookEndpoints.create, { url: receiver.url })
  return { ...receiver, endpoint: id }
}

/** Opens a handler that responds once `open` is called. */
async function openSlowHandler(context: Context) {
  const { opened, open } = gate()
  const handler = await openHandler(context, async (_request, response) => {
    await opened
    response.end()
  })
  return { ...handler, open }
}

const create = ({ daemon }: Context) => daemon.call(api.customers.create, { email: 'ada@example.com' })

async function statusesOf({ daemon }: Context): Promise<string[]> {
  return (await daemon.call(api.webhookDeliveries.list, {})).data.map(({ status }) => status)
}

test('returns the response only after the handler has responded', async (context) => {
  const { daemon } = context
  const handler = await openSlowHandler(context)
  const fault = await daemon.call(api.faults.create, { type: 'early', times: 1 })
  let isReturned = false
  const created = create(context).then((customer) => {
    isReturned = true
    return customer
  })
  await handler.waitFor(1)
  // A response that does not wait would arrive during these requests.
  for (let request = 0; request < 20; request += 1) await daemon.call(api.customers.list, {})
  assert.is(isReturned, false)
  const received = JSON.parse(handler.received[0]?.body ?? '').data.object.id
  handler.open()
  assert.is((await created).id, received)
  const [delivery] = (await daemon.call(api.webhookDeliveries.list, {})).data
  assert.equal([delivery?.status, delivery?.fault], ['succeeded', fault.id])
})

test('waits only for the endpoint that the fault names, and only while the fault applies', async (context) => {
  const { daemon } = context
  const hanging = await openSlowHandler(context)
  const fast = await openHandler(context)
  const match = { webhook_endpoint: fast.endpoint }
  await daemon.call(api.faults.create, { type: 'early', times: 1, match })
  await create(context)
  assert.is(fast.received.length, 1)
  await hanging.waitFor(1)
  const other = await create(context)
  await fast.waitFor(2)
  await daemon.call(api.faults.create, { type: 'early', times: 1, match: { customer: other.id } })
  await create(context)
  await fast.waitFor(3)
  hanging.open()
})

test('does not wait for a delivery to which another fault applies', async (context) => {
  const { daemon } = context
  const handler = await openHandler(context)
  await daemon.call(api.faults.create, { type: 'hold', times: 1 })
  await daemon.call(api.faults.create, { type: 'early' })
  await create(context)
  assert.is(handler.received.length, 0)
  await create(context)
  assert.is(handler.received.length, 1)
  assert.equal((await statusesOf(context)).toSorted(), ['pending', 'succeeded'])
})

test('a handler that sends a request gets the response before its own delivery ends', async (context) => {
  const { daemon } = context
  const handler = await openHandler(context, async (_request, response) => {
    // The handler's own request causes the second delivery, and would wait for it.
    if (handler.received.length === 1) await create(context)
    response.end()
  })
  await daemon.call(api.faults.create, { type: 'early' })
  await create(context)
  assert.is(handler.received.length, 2)
  await daemon.tick()
  assert.equal(await statusesOf(context), ['succeeded', 'succeeded'])
})

test('a response does not wait after a failed early attempt, and the delivery is retried later', async (context) => {
  const handler = await openHandler(context, (_request, response) => {
    response.statusCode = 500
    response.end()
  })
  await context.daemon.call(api.faults.create, { type: 'early' })
  await create(context)
  assert.is(handler.received.length, 1)
  assert.equal((await statusesOf(context)).toSorted(), ['failed', 'pending'])
})

test('returns the response when the server stops, before the handler responds', async (context) => {
  const handler = await openSlowHandler(context)
  await context.daemon.call(api.faults.create, { type: 'early' })
  const created = create(context)
  await handler.waitFor(1)
  const stopped = context.daemon.stop()
  assert.is((await created).email, 'ada@example.com')
  handler.open()
  await stopped
})

test('does not wait for the endpoint of a listener that is not connected', async (context) => {
  const { daemon } = context
  const reading = await readStream(daemon, { forward: ['*=http://127.0.0.1:9/'] })
  await reading.waitFor('ready', 1)
  await daemon.call(api.faults.create, { type: 'early' })
  await reading.close()
  const endpoints = async () => (await daemon.call(api.webhookEndpoints.list, {})).data
  const timers = await recordTimers(() => create(context))
  assert.not(timers.includes(ORDERED_MS))
  assert.equal(
    (await endpoints()).map(({ status }) => status),
    ['enabled'],
  )
  assert.equal(await statusesOf(context), ['pending'])
})

test.run()
