import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { assert, suite } from '../support/suite.ts'
import {
  allOf,
  closeFaultyEndpoint,
  type FaultyEndpoint,
  idsOf,
  openFaultyEndpoint,
  openWorker,
  SECRET,
} from './faulty-endpoint.ts'
import { createResult, deliverDue, FAILED_RESULT, gate } from './outbox.ts'

const test = suite<FaultyEndpoint>('webhooks/worker with faults')

test.before.each(openFaultyEndpoint)
test.after.each(closeFaultyEndpoint)

for (const order of ['sequential', 'concurrent'] as const) {
  test(`sends a duplicate as ${order} copies with valid signatures and records one attempt`, async (context) => {
    const { outbox, receiver } = context
    const fault = await outbox.addFault({ type: 'duplicate', copies: 3, order, times: 1 })
    const [first, second] = await outbox.emit(2)
    let inFlight = 0
    let most = 0
    const worker = openWorker(context, async (request) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      const result = await context.sender.send(request)
      inFlight -= 1
      return result
    })
    await deliverDue(worker)
    assert.equal(idsOf(context), [first?.id, first?.id, first?.id, second?.id])
    for (const { body, headers } of receiver.received) {
      new Webhook(SECRET).verify(body, headers as Record<string, string>)
    }
    assert.is(most, order === 'sequential' ? 1 : 3)
    assert.equal(await allOf(context, 'status'), ['succeeded', 'succeeded'])
    assert.equal(await allOf(context, 'fault'), [fault.id, null])
    assert.is(outbox.attempts.length, 2)
  })
}

test('records the result of the first copy of a duplicate, not of later copies', async (context) => {
  const { outbox } = context
  await outbox.addFault({ type: 'duplicate' })
  await outbox.emit()
  let sent = 0
  const worker = openWorker(context, async () => {
    sent += 1
    if (sent === 2) throw new Error('aborted')
    return sent === 1 ? createResult({ response_body: 'first' }) : FAILED_RESULT
  })
  await deliverDue(worker)
  assert.equal(
    (await outbox.deliveries()).map(({ status, response_body }) => [status, response_body]),
    [['succeeded', 'first']],
  )
  assert.equal(outbox.errors, [])
})

test('does not wait for the response to an overlapped delivery', async (context) => {
  const { outbox } = context
  const fault = await outbox.addFault({ type: 'overlap', times: 1 })
  const [a, b] = await outbox.emit(2)
  const slow = gate()
  const log: string[] = []
  const worker = openWorker(context, async (request) => {
    const id = request.headers['webhook-id'] ?? ''
    log.push(`start ${id}`)
    if (id === a?.id) await slow.opened
    else slow.open()
    log.push(`end ${id}`)
    return createResult()
  })
  await deliverDue(worker)
  // The second response lets the first request end: without the overlap, this test would not end.
  assert.equal(log.slice(0, 2), [`start ${a?.id}`, `start ${b?.id}`])
  assert.is(log.length, 4)
  assert.equal(await allOf(context, 'status'), ['succeeded', 'succeeded'])
  assert.equal(await allOf(context, 'fault'), [fault.id, null])
  assert.is(outbox.attempts.length, 2)
})

test('sends later events while an overlapped delivery is in flight, and each event once', async (context) => {
  const { outbox } = context
  await outbox.addFault({ type: 'overlap', times: 1 })
  const [a] = await outbox.emit()
  const slow = gate()
  const sent: string[] = []
  const worker = openWorker(context, async (request) => {
    const id = request.headers['webhook-id'] ?? ''
    sent.push(id)
    if (id === a?.id) await slow.opened
    return createResult()
  })
  const started = worker.tick()
  await started
  for (const [b] of [await outbox.emit(), await outbox.emit()]) {
    await worker.tick()
    // A later delivery is recorded while the first delivery is in flight.
    while ((await outbox.deliveries()).every(({ event, status }) => event !== b?.id || status === 'pending'))
      await worker.tick()
  }
  assert.is(sent.length, 3)
  assert.is(worker.isIdle(), false)
  slow.open()
  await worker.idle()
  assert.is(new Set(sent).size, 3)
  assert.equal(await allOf(context, 'status'), Array(3).fill('succeeded'))
})

test('limits the overlapped deliveries of an endpoint to 20', async (context) => {
  const { outbox } = context
  await outbox.addFault({ type: 'overlap' })
  await outbox.emit(25)
  const slow = gate()
  let sent = 0
  const worker = openWorker(context, async () => {
    sent += 1
    // With the limit, the delivery loop waits for the 21st attempt.
    if (sent === 21) setImmediate(slow.open)
    await slow.opened
    return createResult()
  })
  let most = 0
  slow.opened.then(() => {
    most = sent
  })
  await deliverDue(worker)
  assert.is(most, 21)
  assert.is(sent, 25)
})

test('drops an attempt, records it as failed and retries by the schedule', async (context) => {
  const { outbox } = context
  const fault = await outbox.addFault({ type: 'drop_attempt', times: 1 })
  const [event] = await outbox.emit()
  const worker = openWorker(context)
  await deliverDue(worker)
  assert.is(context.receiver.received.length, 0)
  const [dropped, retry] = await outbox.deliveries()
  assert.equal(
    [dropped?.status, dropped?.error, dropped?.duration_ms, dropped?.fault, dropped?.http_status],
    ['failed', 'connection', null, fault.id, null],
  )
  assert.match(dropped?.error_message ?? '', new RegExp(fault.id))
  assert.equal([retry?.status, retry?.attempt, retry?.fault], ['pending', 2, null])
  assert.is(await outbox.store.get('webhook_health', context.endpoint), null, 'the endpoint did not fail')
  await outbox.runOut(worker)
  assert.equal(idsOf(context), [event?.id])
})

test('signs with a wrong secret, and signs the retry with the right secret', async (context) => {
  const { outbox, receiver } = context
  context.status = 400
  const fault = await outbox.addFault({ type: 'bad_signature', times: 1 })
  const [event] = await outbox.emit()
  const worker = openWorker(context)
  await deliverDue(worker)
  context.status = 200
  await outbox.runOut(worker)
  const [forged, genuine] = receiver.received
  const verify = (received = forged) =>
    new Webhook(SECRET).verify(received?.body ?? '', received?.headers as Record<string, string>)
  assert.throws(() => verify(forged), /signature/i)
  assert.throws(() =>
    Stripe.webhooks.constructEvent(forged?.body ?? '', String(forged?.headers['paycli-signature']), SECRET),
  )
  assert.is(forged?.headers['webhook-id'], event?.id)
  verify(genuine)
  assert.equal(await allOf(context, 'fault'), [fault.id, null])
})

test('signs an old timestamp with the right secret', async (context) => {
  const { outbox, receiver } = context
  await outbox.addFault({ type: 'old_timestamp' })
  await outbox.emit()
  await deliverDue(openWorker(context))
  const [received] = receiver.received
  const { body, headers } = received ?? {
    body: '',
    headers: { 'webhook-timestamp': '' } as IncomingHttpHeaders,
  }
  const time = Number(headers['webhook-timestamp'])
  assert.is(time, outbox.now - 600)
  assert.throws(() => new Webhook(SECRET).verify(body, headers as Record<string, string>), /timestamp/i)
  const signature = String(headers['paycli-signature'])
  assert.throws(() => Stripe.webhooks.constructEvent(body, signature, SECRET), /tolerance/)
  // Without a tolerance only the signature counts.
  Stripe.webhooks.constructEvent(body, signature, SECRET, 700)
})

test.run()
