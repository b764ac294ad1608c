import { toCreation } from '../../../src/domain/core/changes.ts'
import { toEvent, type UnsequencedEvent } from '../../../src/domain/events/events.ts'
import {
  countPendingEndpoints,
  createDeliveryAttempt,
  createFirstDeliveryAttempts,
  deferDelivery,
  recordDeliveryResult,
  releaseDelivery,
  releasePendingDelivery,
  skipDelivery,
  type WebhookDelivery,
} from '../../../src/domain/events/webhook-deliveries.ts'
import { createWebhookEndpoint, type WebhookEndpoint } from '../../../src/domain/events/webhook-endpoints.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { aCustomer } from '../../support/domain-samples.ts'
import { createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/events/webhook-deliveries')

const context = { ...createRuleContext(START - 900), wallNow: START }

function endpoint(fields: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  const given = { secret: 'whsec_1', existing: 0 }
  return {
    ...createWebhookEndpoint({ url: 'http://127.0.0.1:9/a' }, given, context).endpoint.after,
    ...fields,
  }
}

function customerCreated(): UnsequencedEvent {
  const event = toEvent(toCreation('customer.created', aCustomer(context)), null, context)
  if (event === null) throw new Error('a creation has an event')
  return event
}

test('plans one delivery per matching endpoint: due immediately in real time, or skipped for a disabled endpoint', () => {
  const [all, some] = [endpoint(), endpoint({ enabled_events: ['customer.*'] })]
  const off = endpoint({ status: 'disabled', disabled_reason: 'api' })
  const endpoints = [all, endpoint({ enabled_events: ['invoice.*'] }), some, off]
  const event = customerCreated()
  const planned = createFirstDeliveryAttempts(event, endpoints, context)
  assert.equal(
    planned.map(({ event, after }) => [event, after.webhook_endpoint, after.event, after.created]),
    [
      [null, all.id, event.id, START],
      [null, some.id, event.id, START],
      [null, off.id, event.id, START],
    ],
  )
  assert.equal(
    planned.map(({ after }) => [after.status, after.attempt, after.next_attempt_at]),
    [
      ['pending', 1, START],
      ['pending', 1, START],
      ['skipped', 1, null],
    ],
  )
  assert.is(new Set(planned.map(({ after }) => after.id)).size, 3)
})

test('plans no delivery without a matching endpoint', () => {
  assert.equal(createFirstDeliveryAttempts(customerCreated(), [], context), [])
})

const pending = (attempt: number) =>
  createDeliveryAttempt(
    { id: 'whd_1', event: 'evt_1', endpoint: endpoint(), attempt, dueAt: START + 9 },
    START,
  )

const outcome = {
  url: 'http://127.0.0.1:9/b',
  request_headers: { 'webhook-id': 'evt_1' },
  http_status: 200,
  error: null,
  error_message: null,
  duration_ms: 3,
  response_body: 'ok',
  response_body_truncated: false,
}

test('a successful attempt has status succeeded and no next attempt', () => {
  const delivery = pending(1)
  const { event, before, after } = recordDeliveryResult(delivery, outcome, START + 60)
  assert.equal([event, before], [null, delivery])
  assert.equal(after, { ...before, ...outcome, status: 'succeeded', next_attempt_at: null })
})

test('a failed attempt has status failed and the time of the next attempt, or null', () => {
  const failed = { ...outcome, http_status: 500, error: 'http_status' } as const
  for (const next of [START + 60, null]) {
    const { after } = recordDeliveryResult(pending(3), failed, next)
    assert.equal(
      [after.status, after.error, after.attempt, after.next_attempt_at],
      ['failed', 'http_status', 3, next],
    )
  }
})

test('a skipped delivery has no next attempt', () => {
  const delivery = pending(2)
  const { event, before, after } = skipDelivery(delivery)
  assert.equal([event, before], [null, delivery])
  assert.equal(after, { ...delivery, status: 'skipped', next_attempt_at: null })
})

const row = (webhook_endpoint: string, status: WebhookDelivery['status']): WebhookDelivery => ({
  ...pending(1),
  webhook_endpoint,
  status,
})

for (const [rows, count] of [
  [[], 0],
  [[row('we_1', 'pending')], 1],
  [[row('we_1', 'failed'), row('we_1', 'pending')], 1],
  [[row('we_1', 'failed')], 1],
  [[row('we_1', 'failed'), row('we_1', 'succeeded')], 0],
  [[row('we_1', 'succeeded'), row('we_1', 'failed')], 0],
  [[row('we_1', 'skipped')], 0],
  [[row('we_1', 'skipped'), row('we_1', 'pending')], 1],
  [[row('we_1', 'succeeded'), row('we_2', 'pending'), row('we_3', 'failed')], 2],
] as const) {
  const words = rows.map(({ webhook_endpoint, status }) => `${webhook_endpoint} ${status}`).join(', ')
  test(`counts ${count} pending endpoints for ${words === '' ? 'no delivery' : `the deliveries ${words}`}`, () =>
    assert.is(countPendingEndpoints(rows), count))
}

test('defers a pending delivery with a fault, and releases the delivery before later deliveries', () => {
  const delivery = pending(1)
  const deferred = deferDelivery(delivery, 'flt_1', null).after
  assert.equal([deferred.status, deferred.fault, deferred.next_attempt_at], ['pending', 'flt_1', null])
  const released = releaseDelivery(deferred).after
  assert.equal([released.status, released.fault], ['pending', 'flt_1'])
  assert.is(released.next_attempt_at, delivery.created)
})

for (const status of ['succeeded', 'failed', 'skipped'] as const) {
  test(`does not send a ${status} delivery on request`, async () => {
    const { code, message } = await catchDomainError(() => releasePendingDelivery({ ...pending(1), status }))
    assert.is(code, 'webhook_delivery_unexpected_state')
    assert.match(message, new RegExp(status))
  })
}

test.run()
