import { api } from '../../../src/api/api.ts'
import { createStreamOffers } from '../../../src/daemon/streams/stream-offers.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { openWebhookServer } from '../../webhooks/webhook-server.ts'
import { readStream } from './stream-reader.ts'

const test = suite('daemon/streams/stream-offers')

let daemon: TestDaemon

test.before.each(async () => {
  daemon = await openDaemon()
})

test.after.each(() => daemon.stop())

const create = (email: string) => daemon.call(api.customers.create, { email })

const HOOK = 'http://127.0.0.1:3000/hook'
const RESULTS = { method: 'POST', path: '/v1/stream/results' } as const
const LEAVE = { method: 'POST', path: '/v1/stream/leave' } as const
const DONE = {
  http_status: 200,
  error: null,
  duration_ms: 5,
  response_body: 'ok',
  response_body_truncated: false,
}

test('an offer contains the body and headers of a delivery to an endpoint, except the signatures', async () => {
  const server = await openWebhookServer()
  await daemon.call(api.webhookEndpoints.create, { url: server.url })
  const reading = await readStream(daemon, { forward: [`*=${HOOK}`] })
  await reading.waitFor('ready', 1)
  const metadata = { z: 'é 😀 \u2028 "quoted"  two  spaces', a: '1' }
  await daemon.call(api.customers.create, { email: 'a@example.com', metadata })
  await server.waitFor(1)
  const { request, event, attempt, trigger } = await reading.read('offer')
  assert.is(request.body, server.received[0]?.body)
  assert.equal([attempt, trigger, request.url], [1, 'automatic', HOOK])
  assert.is(request.headers['webhook-id'], event)
  const { 'webhook-signature': _own, 'Paycli-Signature': _too, ...headers } = request.headers
  for (const [name, value] of Object.entries(headers))
    assert.is(server.received[0]?.headers[name], value, name)
  reading.close()
  await server.close()
})

test('lists the reported result of an offer as a delivery attempt', async () => {
  const reading = await readStream(daemon, { forward: [`customer.*=${HOOK}`] })
  const customer = await create('a@example.com')
  const { delivery, webhook_endpoint } = await reading.read('offer')
  const answer = await daemon.client.send(RESULTS, { delivery, ...DONE })
  assert.equal(answer, { object: 'webhook_result', delivery, taken: true })
  const listed = await daemon.call(api.webhookDeliveries.retrieve, { id: delivery })
  assert.equal([listed.status, listed.http_status, listed.url], ['succeeded', 200, HOOK])
  const again = await daemon.client.send(RESULTS, { delivery, ...DONE })
  assert.is(Object(again).taken, false)
  const { data } = await daemon.call(api.events.list, { object_id: customer.id })
  await daemon.call(api.events.resend, { id: data[0]?.id ?? '', webhook_endpoint })
  const offers = await reading.waitFor('offer', 2)
  assert.is(JSON.parse(offers[1]?.data ?? '').trigger, 'manual')
  reading.close()
})

test('offers a delivery again after its lease expires', async () => {
  const reading = await readStream(daemon, { forward: [`*=${HOOK}`] })
  await create('a@example.com')
  const first = await reading.read('offer')
  daemon.clock.move(30)
  // Expires the lease and offers the delivery again.
  void daemon.tick()
  const offers = await reading.waitFor('offer', 2)
  assert.is(JSON.parse(offers[1]?.data ?? '').delivery, first.delivery)
  reading.close()
})

/** Connects a listener that has an offer, and then a second listener to the same target. */
async function openTwo() {
  const first = await readStream(daemon, { forward: [`*=${HOOK}`] })
  const { reader } = await first.read('ready')
  await create('a@example.com')
  const { delivery } = await first.read('offer')
  const next = await readStream(daemon, { forward: [`*=${HOOK}`] })
  await next.waitFor('ready', 1)
  return { first, delivery, reader, next }
}

test('offers the delivery of a disconnected listener immediately to the next listener', async () => {
  const { first, delivery, next } = await openTwo()
  assert.equal(
    next.frames.filter(({ event }) => event === 'offer'),
    [],
  )
  first.close()
  assert.is((await next.read('offer')).delivery, delivery)
  next.close()
})

test('offers the delivery of a listener that left immediately to the next listener', async () => {
  const { first, delivery, reader, next } = await openTwo()
  const answer = await daemon.client.send(LEAVE, { reader })
  assert.equal(answer, { object: 'webhook_leave', webhook_endpoints: [] })
  assert.is((await first.read('close')).reason, 'left')
  assert.is((await next.read('offer')).delivery, delivery)
  next.close()
})

test('rejects the result of a delivery whose listener left, and keeps the delivery pending', async () => {
  const { delivery, reader, next } = await openTwo()
  for (const left of [(await next.read('ready')).reader, reader])
    await daemon.client.send(LEAVE, { reader: left })
  const { taken } = Object(await daemon.client.send(RESULTS, { delivery, ...DONE }))
  const { status } = await daemon.call(api.webhookDeliveries.retrieve, { id: delivery })
  assert.equal([taken, status], [false, 'pending'])
})

test('does not accept a reported result for a delivery that the server sends itself', async () => {
  const server = await openWebhookServer(() => {})
  await daemon.call(api.webhookEndpoints.create, { url: server.url })
  await create('a@example.com')
  await server.waitFor(1)
  const { data } = await daemon.call(api.webhookDeliveries.list, {})
  const id = data[0]?.id ?? ''
  const { taken } = Object(await daemon.client.send(RESULTS, { delivery: id, ...DONE }))
  const { status } = await daemon.call(api.webhookDeliveries.retrieve, { id })
  assert.equal([taken, status], [false, 'pending'])
  await server.close()
})

test('skips deliveries that a filter excludes', async () => {
  const reading = await readStream(daemon, { forward: [`*=${HOOK}`] })
  await create('a@example.com')
  await create('b@example.com')
  const { delivery } = await reading.read('offer')
  await daemon.client.send(RESULTS, { delivery, skipped: true })
  const offers = await reading.waitFor('offer', 2)
  assert.is.not(JSON.parse(offers[1]?.data ?? '').delivery, delivery)
  assert.is((await daemon.call(api.webhookDeliveries.retrieve, { id: delivery })).status, 'skipped')
  reading.close()
})

const RESULT = { ...DONE, error_message: null, retry_after: null }

test('acknowledges a result after storing it, and rejects a result that is not stored within the lease', async () => {
  let nowMs = 0
  const offers = createStreamOffers(() => nowMs)
  const offer = async (delivery: string) => {
    const offered = offers.add(delivery, 'reader_1')
    const outcomes: boolean[] = []
    // A repeated report waits for the same write.
    for (const taken of [offers.reportResult(delivery, RESULT), offers.reportResult(delivery, RESULT)])
      taken.then((isTaken) => outcomes.push(isTaken))
    assert.equal(await offered, RESULT)
    return outcomes
  }
  const [kept, lost] = [await offer('whd_1'), await offer('whd_2')]
  offers.confirmStored('whd_1')
  nowMs = 29_999
  offers.expireLeases()
  await new Promise(setImmediate)
  assert.equal([kept, lost], [[true, true], []])
  nowMs = 30_000
  offers.expireLeases()
  await new Promise(setImmediate)
  assert.equal(
    [kept, lost],
    [
      [true, true],
      [false, false],
    ],
  )
  assert.is(await offers.reportResult('whd_2', RESULT), false)
})

test('rejects a result when the delivery is then reported as skipped', async () => {
  const offers = createStreamOffers(() => 0)
  const offered = offers.add('whd_1', 'reader_1')
  const reported = offers.reportResult('whd_1', RESULT)
  assert.is(await offers.reportResult('whd_1', 'skipped'), true)
  assert.is(await reported, false)
  assert.equal(await offered, RESULT)
})

test.run()
