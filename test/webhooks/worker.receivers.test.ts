import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { parseSchedule } from '../../src/webhooks/schedule.ts'
import { createSender, type Sender } from '../../src/webhooks/send.ts'
import { createWebhookSecret } from '../../src/webhooks/sign.ts'
import { createTargetGuard } from '../../src/webhooks/ssrf-guard.ts'
import { assert, suite } from '../support/suite.ts'
import { Outbox } from './outbox.ts'
import { openReceiver, type Receiver } from './receiver.ts'

interface Context {
  outbox: Outbox
  sender: Sender
  receivers: Receiver[]
}

const test = suite<Context>('webhooks/worker with real receivers')

const SECRET = createWebhookSecret((count) => Buffer.alloc(count, 'paycli'))

test.before.each((context) => {
  context.outbox = new Outbox()
  // The verifiers compare with the machine's clock.
  context.outbox.now = Math.floor(Date.now() / 1000)
  context.sender = createSender({
    nowMs: () => performance.now(),
    guard: createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: [] }),
  })
  context.receivers = []
})

test.after.each(async ({ sender, receivers }) => {
  await sender.close()
  for (const receiver of receivers) await receiver.close()
})

test('a receiver verifies each attempt and reads the same bytes in all of them', async (context) => {
  const { outbox, sender } = context
  const receiver = await openReceiver((_request, response) => {
    response.statusCode = receiver.received.length < 3 ? 500 : 204
    response.end()
  })
  context.receivers.push(receiver)
  await outbox.addEndpoint(receiver.url, SECRET)
  const [event] = await outbox.emit()
  await outbox.runOut(outbox.worker(sender.send, { schedule: parseSchedule('1s,1s') }))
  assert.is(receiver.received.length, 3)
  for (const { body, headers } of receiver.received) {
    assert.is(body, JSON.stringify(event))
    assert.is(headers['webhook-id'], event?.id)
    new Webhook(SECRET).verify(body, headers as Record<string, string>)
    Stripe.webhooks.constructEvent(body, headers['paycli-signature'] ?? '', SECRET)
  }
  const signatures = receiver.received.map(({ headers }) => headers['webhook-signature'])
  assert.is(new Set(signatures).size, 3)
})

test('a receiver that hangs does not delay another, not even on its own origin', async (context) => {
  const { outbox, sender } = context
  const hanging = await openReceiver((request, response) => {
    if (request.url !== '/hook') response.end()
  })
  const fast = await openReceiver()
  context.receivers.push(hanging, fast)
  await outbox.addEndpoint(fast.url)
  await outbox.addEndpoint(`${new URL(hanging.url).origin}/beside`)
  // The newest endpoint is looked at first.
  await outbox.addEndpoint(hanging.url)
  const events = await outbox.emit(20)
  const worker = outbox.worker(sender.send)
  await worker.tick()
  await fast.has(20)
  await hanging.has(21)
  assert.equal(
    fast.received.map(({ headers }) => headers['webhook-id']),
    events.map(({ id }) => id),
  )
  assert.is(hanging.received.filter(({ url }) => url === '/hook').length, 1)
  worker.stop()
  await sender.close()
  await worker.idle()
  assert.equal(outbox.errors, [])
  const unsure = await outbox.deliveries({ status: 'failed' })
  assert.equal(unsure, [], 'what was broken off is no failure of the receiver')
})

test('410 from a real receiver ends it', async (context) => {
  const { outbox, sender } = context
  const receiver = await openReceiver((_request, response) => response.writeHead(410).end('gone'))
  context.receivers.push(receiver)
  const endpoint = await outbox.addEndpoint(receiver.url)
  await outbox.emit(5)
  await outbox.runOut(outbox.worker(sender.send))
  assert.is(receiver.received.length, 1)
  assert.is((await outbox.endpoint(endpoint))?.disabled_reason, 'gone')
  assert.equal(
    (await outbox.deliveries()).map(({ status, response_body }) => response_body ?? status),
    ['gone', 'skipped', 'skipped', 'skipped', 'skipped'],
  )
})

test.run()
