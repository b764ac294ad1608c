import { createDeliveryAttempt } from '../../../src/domain/events/webhook-deliveries.ts'
import {
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  updateWebhookEndpoint,
} from '../../../src/domain/events/webhook-endpoint-changes.ts'
import {
  createWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookEndpointUpdateParams,
} from '../../../src/domain/events/webhook-endpoints.ts'
import type { WebhookHealth } from '../../../src/domain/events/webhook-health.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/events/webhook-endpoints')

const URL = 'http://127.0.0.1:3000/hook'
const ALONE = { pending: [], health: null }
const create = (fields = {}, existing = 0) =>
  createWebhookEndpoint({ url: URL, ...fields }, { secret: 'whsec_1', existing }, createRuleContext())

test('creates an endpoint and its secret with the same id and without events', () => {
  const { endpoint, secret } = create()
  assert.equal(endpoint.after, {
    id: 'we_Test00000000000000000001',
    object: 'webhook_endpoint',
    created: START,
    livemode: false,
    url: URL,
    enabled_events: ['*'],
    status: 'enabled',
    disabled_reason: null,
    description: null,
    metadata: {},
    api_version: '1',
  })
  assert.equal(secret.after, { id: endpoint.after.id, object: 'webhook_secret', secret: 'whsec_1' })
  assert.equal([endpoint.event, secret.event], [null, null])
})

test('rejects a new endpoint above the limit of endpoints', async () => {
  create({}, 15)
  assert.is((await catchDomainError(() => create({}, 100))).code, 'webhook_endpoint_limit')
})

test('reports every unknown event type', async () => {
  const { errors } = await catchDomainError(() => create({ enabled_events: ['a', '*', 'b.*'] }))
  assert.equal(
    errors.map(({ code, param }) => `${code} ${param}`),
    ['event_type_unknown enabled_events[0]', 'event_type_unknown enabled_events[2]'],
  )
})

/** Columns: status and reason before, requested status, status and reason after. */
const STATES = [
  ['enabled', null, undefined, 'enabled', null],
  ['enabled', null, 'enabled', 'enabled', null],
  ['enabled', null, 'disabled', 'disabled', 'api'],
  ['disabled', 'api', undefined, 'disabled', 'api'],
  ['disabled', 'api', 'disabled', 'disabled', 'api'],
  ['disabled', 'api', 'enabled', 'enabled', null],
  ['disabled', 'gone', undefined, 'disabled', 'gone'],
  ['disabled', 'gone', 'disabled', 'disabled', 'gone'],
  ['disabled', 'gone', 'enabled', 'enabled', null],
  ['disabled', 'failing', 'disabled', 'disabled', 'failing'],
  ['disabled', 'failing', 'enabled', 'enabled', null],
  ['disabled', 'copied', undefined, 'disabled', 'copied'],
  ['disabled', 'copied', 'enabled', 'enabled', null],
] as const

for (const [status, disabled_reason, asked, after, reason] of STATES) {
  const was = disabled_reason === null ? status : `${status} by ${disabled_reason}`
  test(`updating an endpoint that is ${was} with ${asked === undefined ? 'no status' : `status ${asked}`} results in status ${after} and ${reason === null ? 'no reason' : `reason ${reason}`}`, () => {
    const endpoint = { ...create().endpoint.after, status, disabled_reason }
    const updated = updateWebhookEndpoint(endpoint, asked === undefined ? {} : { status: asked }, ALONE).after
    assert.equal([updated.status, updated.disabled_reason], [after, reason])
  })
}

test('an update changes only the sent fields and merges metadata', () => {
  const endpoint = create({ description: 'x', metadata: { a: '1', b: '2' } }).endpoint.after
  const fields = {
    url: 'https://example.com',
    enabled_events: ['invoice.*', 'invoice.*'],
    description: null,
    metadata: { a: null, c: '3' },
  }
  const { changes, after } = updateWebhookEndpoint(endpoint, fields, ALONE)
  assert.equal(after, {
    ...endpoint,
    url: 'https://example.com',
    enabled_events: ['invoice.*'],
    description: null,
    metadata: { b: '2', c: '3' },
  })
  assert.equal(changes, [{ event: null, before: endpoint, after }])
})

function pendingDeliveryOf(endpoint: WebhookEndpoint) {
  return createDeliveryAttempt({ id: 'whd_1', event: 'evt_1', endpoint, attempt: 2, dueAt: START + 5 }, START)
}

const healthOf = (endpoint: WebhookEndpoint): WebhookHealth => ({
  id: endpoint.id,
  object: 'webhook_health',
  failures: 3,
  failing_since: START,
})

test('an update skips pending deliveries only when it disables the endpoint', () => {
  const endpoint = create().endpoint.after
  const waiting = pendingDeliveryOf(endpoint)
  const changesOf = (status: 'enabled' | 'disabled') =>
    updateWebhookEndpoint(endpoint, { status }, { pending: [waiting], health: null }).changes.slice(1)
  const skipped = { ...waiting, status: 'skipped', next_attempt_at: null }
  assert.equal(changesOf('disabled'), [{ event: null, before: waiting, after: skipped }])
  assert.equal(changesOf('enabled'), [])
})

test('an update resets the failure count only when it enables the endpoint or changes its URL', () => {
  const endpoint = create().endpoint.after
  const health = healthOf(endpoint)
  const resetsFailures = (was: WebhookEndpoint, fields: WebhookEndpointUpdateParams) =>
    updateWebhookEndpoint(was, fields, { pending: [], health }).changes.some(
      ({ before, after }) => before === health && after === null,
    )
  const disabled = { ...endpoint, status: 'disabled', disabled_reason: 'failing' } as const
  assert.is(resetsFailures(disabled, { status: 'enabled' }), true)
  assert.is(resetsFailures(endpoint, { url: 'http://127.0.0.1:3001/' }), true)
  assert.is(resetsFailures(endpoint, { status: 'enabled', description: 'mine' }), false)
})

for (const reason of ['gone', 'failing'] as const) {
  test(`disables an endpoint with reason ${reason} and skips its pending deliveries`, () => {
    const endpoint = create().endpoint.after
    const waiting = pendingDeliveryOf(endpoint)
    const { changes, after } = disableWebhookEndpoint(endpoint, reason, [waiting])
    assert.equal(after, { ...endpoint, status: 'disabled', disabled_reason: reason })
    assert.equal(
      changes.map((change) => [change.before, change.after]),
      [
        [endpoint, after],
        [waiting, { ...waiting, status: 'skipped', next_attempt_at: null }],
      ],
    )
  })
}

test('deleting an endpoint also deletes its secret, pending deliveries and failure count, if any', () => {
  const { endpoint, secret } = create()
  const waiting = pendingDeliveryOf(endpoint.after)
  const health = healthOf(endpoint.after)
  assert.equal(
    deleteWebhookEndpoint(endpoint.after, secret.after, { pending: [waiting], health }),
    [endpoint.after, secret.after, health, waiting].map((before) => ({ event: null, before, after: null })),
  )
  assert.is(deleteWebhookEndpoint(endpoint.after, null, ALONE).length, 1)
})

test.run()
