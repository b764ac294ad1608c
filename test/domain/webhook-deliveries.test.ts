import { creation } from '../../src/domain/changes.ts'
import { eventOf, type UnsequencedEvent } from '../../src/domain/events.ts'
import { pendingDelivery, planDeliveries, settleDelivery } from '../../src/domain/webhook-deliveries.ts'
import { createWebhookEndpoint, type WebhookEndpoint } from '../../src/domain/webhook-endpoints.ts'
import { aCustomer } from '../support/domain-samples.ts'
import { assert, suite } from '../support/suite.ts'
import { createWorld, START } from '../support/world.ts'

const test = suite('domain/webhook-deliveries')

const world = { ...createWorld(START - 900), wallNow: START }

function endpoint(fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  const given = { secret: 'whsec_1', existing: 0 }
  return { ...createWebhookEndpoint({ url: 'http://127.0.0.1:9/a' }, given, world).endpoint.after, ...fields }
}

function customerCreated(): UnsequencedEvent {
  const event = eventOf(creation('customer.created', aCustomer(world)), null, world)
  if (event === null) throw new Error('a creation has an event')
  return event
}

test('each enabled endpoint that wants an event is planned one delivery, due at once in wall time', () => {
  const [all, some] = [endpoint(), endpoint({ enabled_events: ['customer.*'] })]
  const endpoints = [
    all,
    endpoint({ enabled_events: ['invoice.*'] }),
    endpoint({ status: 'disabled', disabled_reason: 'api' }),
    some,
  ]
  const event = customerCreated()
  const planned = planDeliveries(event, endpoints, world)
  assert.equal(
    planned.map(({ event: told, after }) => [told, after.webhook_endpoint, after.event, after.created]),
    [
      [null, all.id, event.id, START],
      [null, some.id, event.id, START],
    ],
  )
  for (const { after } of planned) {
    assert.equal([after.status, after.attempt, after.next_attempt_at], ['pending', 1, START])
  }
  assert.is(new Set(planned.map(({ after }) => after.id)).size, 2)
})

test('nobody to tell means nothing to deliver', () => {
  assert.equal(planDeliveries(customerCreated(), [], world), [])
})

const pending = (attempt: number) =>
  pendingDelivery({ id: 'whd_1', event: 'evt_1', endpoint: endpoint(), attempt, dueAt: START + 9 }, START)

const outcome = {
  url: 'http://127.0.0.1:9/b',
  request_headers: { 'webhook-id': 'evt_1' },
  http_status: 200,
  error: null,
  duration_ms: 3,
  response_body: 'ok',
  response_body_truncated: false,
}

test('a delivery that was taken has succeeded and is never due again', () => {
  const delivery = pending(1)
  const { event, before, after } = settleDelivery(delivery, outcome, START + 60)
  assert.equal([event, before], [null, delivery])
  assert.equal(after, { ...before, ...outcome, status: 'succeeded', next_attempt_at: null })
})

test('a delivery that was not taken has failed and tells when the next is due, or that none is', () => {
  const refused = { ...outcome, http_status: 500, error: 'http_status' } as const
  for (const next of [START + 60, null]) {
    const { after } = settleDelivery(pending(3), refused, next)
    assert.equal(
      [after.status, after.error, after.attempt, after.next_attempt_at],
      ['failed', 'http_status', 3, next],
    )
  }
})

test.run()
