import { api } from '../../src/api/api.ts'
import { createStreamOffers } from '../../src/daemon/stream-offers.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { assert, suite } from '../support/suite.ts'
import { openWebhookServer } from '../webhooks/webhook-server.ts'
import { readStream } from './stream-reader.ts'

const test = suite('daemon/stream-offers')

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

test('an offer contains the same bytes as a delivery to an endpoint', async () => {
  const server = await openWebhookServer()
  await daemon.call(api.webhookEndpoints.create, { url: server.url })
  const reading = await readStream(daemon, { forward: [`*=${HOOK}`] })
  await reading.waitFor('ready', 1)
  const metadata = { z: 'é 😀 \u2028 "quoted"  two  spaces', a: '1' }
  await daemon.call(api.customers.create, { email: 'a@example.com', metadata })
  await server.waitFor(1)
  const [offer] = await reading.waitFor('offer', 1)
  const { request, event, attempt, trigger } = JSON.parse(offer?.data ?? '')
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
  const [offer] = await reading.waitFor('offer', 1)
  const { delivery, webhook_endpoint } = JSON.parse(offer?.data ?? '')
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

const deliveryOf = (frame: { readonly data: string } | undefined) => JSON.parse(frame?.data ?? '').delivery

test('offers a delivery again after its lease expires', async () => {
  const reading = await readStream(daemon, { forward: [`*=${HOOK}`] })
  await create('a@example.com')
  const [first] = await reading.waitFor('offer', 1)
  daemon.clock.move(30)
  // Expires the lease and offers the delivery again.
  void daemon.tick()
  const offers = await reading.waitFor('offer', 2)
  assert.is(deliveryOf(offers[1]), deliveryOf(first))
  reading.close()
})

/** Disconnects a listener that has an offer, and connects another. */
async function afterDeath() {
  const dead = await readStream(daemon, { forward: [`*=${HOOK}`] })
  const [ready] = await dead.waitFor('ready', 1)
  await create('a@example.com')
  const [offer] = await dead.waitFor('offer', 1)
  const gone = new Promise((resolve) => dead.response.once('close', resolve))
  dead.close()
  await gone
  const next = await readStream(daemon, { forward: [`*=${HOOK}`] })
  await next.waitFor('ready', 1)
  void daemon.tick()
  return { delivery: deliveryOf(offer), reader: JSON.parse(ready?.data ?? '').reader, next }
}

test('a disconnected listener keeps its offer until the lease expires', async () => {
  const { delivery, next } = await afterDeath()
  const { taken } = Object(await daemon.client.send(RESULTS, { delivery, ...DONE }))
  assert.is(taken, true)
  await daemon.tick()
  assert.is((await daemon.call(api.webhookDeliveries.retrieve, { id: delivery })).status, 'succeeded')
  await create('b@example.com')
  const [other] = await next.waitFor('offer', 1)
  assert.is.not(deliveryOf(other), delivery)
  next.close()
})

test('offers the deliveries of a listener that left to the next one immediately', async () => {
  const { delivery, reader, next } = await afterDeath()
  const answer = await daemon.client.send(LEAVE, { reader })
  assert.equal(answer, { object: 'webhook_leave', webhook_endpoints: [] })
  const [offer] = await next.waitFor('offer', 1)
  assert.is(deliveryOf(offer), delivery)
  next.close()
})

/** Returns a delivery that is not offered because its listener left. */
async function afterLeaving(): Promise<string> {
  const { delivery, reader, next } = await afterDeath()
  const gone = new Promise((resolve) => next.response.once('close', resolve))
  next.close()
  await gone
  await daemon.client.send(LEAVE, { reader })
  return delivery
}

test('stores a reported success immediately when the delivery is not offered', async () => {
  const delivery = await afterLeaving()
  const { taken } = Object(await daemon.client.send(RESULTS, { delivery, ...DONE }))
  const { status, http_status } = await daemon.call(api.webhookDeliveries.retrieve, { id: delivery })
  assert.equal([taken, status, http_status], [true, 'succeeded', 200])
  const again = Object(await daemon.client.send(RESULTS, { delivery, ...DONE }))
  assert.is(again.taken, false)
})

test('does not accept a reported result for a delivery that the service sends itself', async () => {
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

test('applies an earlier reported failure when the delivery is offered again', async () => {
  const delivery = await afterLeaving()
  const failed = { ...DONE, http_status: 500, error: 'http_status', error_message: 'no' }
  await daemon.client.send(RESULTS, { delivery, ...failed })
  const late = await readStream(daemon, { forward: [`*=${HOOK}`] })
  await late.waitFor('ready', 1)
  await daemon.tick()
  assert.is((await daemon.call(api.webhookDeliveries.retrieve, { id: delivery })).status, 'failed')
  late.close()
})

test('skips deliveries that a filter excludes', async () => {
  const reading = await readStream(daemon, { forward: [`*=${HOOK}`] })
  await create('a@example.com')
  await create('b@example.com')
  const [offer] = await reading.waitFor('offer', 1)
  const { delivery } = JSON.parse(offer?.data ?? '')
  await daemon.client.send(RESULTS, { delivery, skipped: true })
  const offers = await reading.waitFor('offer', 2)
  assert.is.not(JSON.parse(offers[1]?.data ?? '').delivery, delivery)
  assert.is((await daemon.call(api.webhookDeliveries.retrieve, { id: delivery })).status, 'skipped')
  reading.close()
})

const RESULT = { ...DONE, error_message: null, retry_after: null }

test('acknowledges a result once it is stored, and rejects it after 30 seconds', async () => {
  let nowMs = 0
  const offers = createStreamOffers(() => nowMs)
  const offer = async (delivery: string) => {
    const offered = offers.add(delivery, 'reader_1')
    const [settled, outcomes] = [offers.reportResult(delivery, RESULT), [] as string[]]
    settled.then(
      (isTaken) => outcomes.push(`taken: ${isTaken}`),
      ({ code }) => outcomes.push(code),
    )
    assert.equal(await offered, RESULT)
    return outcomes
  }
  const [kept, lost] = [await offer('whd_1'), await offer('whd_2')]
  offers.confirmStored('whd_1')
  nowMs = 29_999
  offers.expireLeases()
  await new Promise(setImmediate)
  assert.equal([kept, lost], [['taken: true'], []])
  nowMs = 30_000
  offers.expireLeases()
  await new Promise(setImmediate)
  assert.equal([kept, lost], [['taken: true'], ['unavailable']])
})

test('discards a result after 30 seconds when it was reported before the delivery was offered', async () => {
  let nowMs = 0
  const offers = createStreamOffers(() => nowMs)
  assert.is(await offers.reportResult('whd_1', RESULT), false)
  nowMs = 29_999
  offers.expireLeases()
  assert.equal(offers.earlyResult('whd_1'), RESULT)
  nowMs = 30_000
  offers.expireLeases()
  assert.is(offers.earlyResult('whd_1'), undefined)
})

test.run()
