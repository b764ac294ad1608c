import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { parseRetrySchedule } from '../../src/webhooks/schedule.ts'
import { createSender, type Sender } from '../../src/webhooks/send.ts'
import { createWebhookSecret } from '../../src/webhooks/sign.ts'
import { createTargetGuard } from '../../src/webhooks/ssrf-guard.ts'
import { assert, suite } from '../support/suite.ts'
import { Outbox } from './outbox.ts'
import { openWebhookServer, type WebhookServer } from './webhook-server.ts'

interface Context {
  outbox: Outbox
  sender: Sender
  servers: WebhookServer[]
}

const test = suite<Context>('webhooks/worker with HTTP servers')

const SECRET = createWebhookSecret((count) => Buffer.alloc(count, 'paycli'))

test.before.each((context) => {
  context.outbox = new Outbox()
  // The verifiers use the clock of the machine.
  context.outbox.now = Math.floor(Date.now() / 1000)
  context.sender = createSender({
    nowMs: () => performance.now(),
    guard: createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: [] }),
  })
  context.servers = []
})

test.after.each(async ({ sender, servers }) => {
  await sender.close()
  for (const receiver of servers) await receiver.close()
})

test('each attempt has the same body and a valid signature', async (context) => {
  const { outbox, sender } = context
  const receiver = await openWebhookServer((_request, response) => {
    response.statusCode = receiver.received.length < 3 ? 500 : 204
    response.end()
  })
  context.servers.push(receiver)
  await outbox.addEndpoint(receiver.url, SECRET)
  const [event] = await outbox.emit()
  await outbox.runOut(outbox.worker(sender.send, { schedule: parseRetrySchedule('1s,1s') }))
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

test('a stalled endpoint does not delay others, even on the same origin', async (context) => {
  const { outbox, sender } = context
  const hanging = await openWebhookServer((request, response) => {
    if (request.url !== '/hook') response.end()
  })
  const fast = await openWebhookServer()
  context.servers.push(hanging, fast)
  await outbox.addEndpoint(fast.url)
  await outbox.addEndpoint(`${new URL(hanging.url).origin}/beside`)
  // The worker starts the newest endpoint first.
  await outbox.addEndpoint(hanging.url)
  const events = await outbox.emit(20)
  const worker = outbox.worker(sender.send)
  await worker.tick()
  await fast.waitFor(20)
  await hanging.waitFor(21)
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
  assert.equal(unsure, [], 'an aborted attempt is no failure')
})

test.run()
