import { api } from '../../../src/api/api.ts'
import { EVENT_TYPES } from '../../../src/domain/core/event-types.ts'
import { testDomainErrors } from '../../support/domain-errors.ts'
import { newCustomer } from '../../support/samples.ts'
import { catchDomainError, createSandbox, DAY, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/webhook-endpoints')

const URL = 'http://127.0.0.1:3000/hook'

const COMMON = `
  url = "localhost:3000"                    url_invalid
  url = "ws://localhost:3000"               url_invalid
  url = url(2049)                           url_invalid
  enabled_events = []                       parameter_invalid_array
  enabled_events = stars(101)               parameter_invalid_array
  enabled_events = [""]                     parameter_invalid_string     at enabled_events[0]
  enabled_events = [5]                      parameter_invalid_type     at enabled_events[0]
  enabled_events = ["*","invoice.sold"]     event_type_unknown     at enabled_events[1]
  enabled_events = ["subscription"]         event_type_unknown     at enabled_events[0]
  enabled_events = ["charge.*"]             event_type_unknown     at enabled_events[0]
  enabled_events = ["*.created"]            event_type_unknown     at enabled_events[0]
  enabled_events = ["checkout.session.completed"]     event_type_unknown     at enabled_events[0]
  description = text(5001)                  parameter_invalid_string
  metadata = keys(51)                       metadata_invalid
  secret = "whsec_mine"                     parameter_unknown
  enabled_event = ["*"]                     parameter_unknown     try enabled_events
`

testDomainErrors(test, {
  operation: api.webhookEndpoints.create,
  prepare: async () => ({ body: { url: URL } }),
  table: `
  no url                                    parameter_missing
  url = null                                parameter_missing
  status = "disabled"                       parameter_unknown
  ${COMMON.trim()}
  `,
})

testDomainErrors(test, {
  operation: api.webhookEndpoints.update,
  prepare: async (sandbox) => ({
    id: (await sandbox.call(api.webhookEndpoints.create, { url: URL })).id,
    body: {},
  }),
  table: `
  url = null                                parameter_invalid_type
  status = "paused"                         parameter_invalid_enum
  enabled_events = null                     parameter_invalid_type
  ${COMMON.trim()}
  `,
})

test('returns the webhook secret only from create', async () => {
  const sandbox = createSandbox()
  const { secret, ...endpoint } = await sandbox.call(api.webhookEndpoints.create, { url: URL })
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.equal(endpoint, {
    id: endpoint.id,
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
  assert.equal(await sandbox.call(api.webhookEndpoints.retrieve, { id: endpoint.id }), endpoint)
  assert.equal((await sandbox.call(api.webhookEndpoints.list, {})).data, [endpoint])
  assert.equal(await sandbox.call(api.webhookEndpoints.update, { id: endpoint.id }), endpoint)
})

test('accepts every event type, every prefix and * in enabled_events, and removes duplicates', async () => {
  const sandbox = createSandbox()
  const prefixes = [...new Set(EVENT_TYPES.map((type) => `${type.split('.')[0]}.*`))]
  const types = [...EVENT_TYPES, ...prefixes, '*']
  const { enabled_events } = await sandbox.call(api.webhookEndpoints.create, {
    url: URL,
    enabled_events: [...types, '*', 'invoice.paid'],
  })
  assert.equal(enabled_events, types)
})

test('rejects an unknown event type, and lists the types of its object, or all objects for an unknown object', async () => {
  const sandbox = createSandbox()
  const create = sandbox.call(api.webhookEndpoints.create, {
    url: URL,
    enabled_events: ['a.b', '*', 'refund.b'],
  })
  const { errors } = await catchDomainError(create)
  assert.equal(
    errors.map(({ param }) => param),
    ['enabled_events[0]', 'enabled_events[2]'],
  )
  const [first = '', second = ''] = errors.map(({ message }) => message)
  assert.match(
    first,
    /^Unknown event type 'a\.b':.* The objects are customer, checkout_session, .*, test_clock\.$/,
  )
  assert.match(second, 'There are refund.created, refund.updated, refund.failed.')
  const stripe = sandbox.call(api.webhookEndpoints.create, { url: URL, enabled_events: ['payment_intent.*'] })
  assert.match((await catchDomainError(stripe)).message, /Did you mean 'payment\.\*'\?$/)
})

test('sets disabled_reason when an endpoint is disabled and clears it when the endpoint is enabled', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.webhookEndpoints.create, { url: URL })
  const disabled = await sandbox.call(api.webhookEndpoints.update, { id, status: 'disabled' })
  assert.equal([disabled.status, disabled.disabled_reason], ['disabled', 'api'])
  assert.equal((await sandbox.call(api.webhookEndpoints.list, { status: 'disabled' })).data, [disabled])
  const enabled = await sandbox.call(api.webhookEndpoints.update, { id, status: 'enabled' })
  assert.equal([enabled.status, enabled.disabled_reason], ['enabled', null])
})

test('rejects more than 100 webhook endpoints', async () => {
  const sandbox = createSandbox()
  const made: string[] = []
  for (let count = 0; count < 100; count += 1) {
    made.push((await sandbox.call(api.webhookEndpoints.create, { url: URL })).id)
  }
  const { code, message } = await catchDomainError(sandbox.call(api.webhookEndpoints.create, { url: URL }))
  assert.is(code, 'webhook_endpoint_limit')
  assert.match(message, /Cannot create another .*: the limit of 100 is reached\. Delete an endpoint/)
  await sandbox.call(api.webhookEndpoints.delete, { id: made[0] ?? '' })
  await sandbox.call(api.webhookEndpoints.create, { url: URL })
})

test('deletes an endpoint with its secret and its pending deliveries', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.webhookEndpoints.create, { url: URL })
  const other = await sandbox.call(api.webhookEndpoints.create, { url: URL })
  await newCustomer(sandbox)
  assert.equal(await sandbox.call(api.webhookEndpoints.delete, { id }), {
    id,
    object: 'webhook_endpoint',
    deleted: true,
  })
  assert.is((await catchDomainError(sandbox.call(api.webhookEndpoints.retrieve, { id }))).param, 'id')
  const { records } = await sandbox.snapshot()
  assert.equal(
    records.webhook_secrets.map((secret) => secret.id),
    [other.id],
  )
  assert.equal(
    records.webhook_deliveries.map((delivery) => delivery.webhook_endpoint),
    [other.id],
  )
})

test('changes of webhook endpoints cause no events', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.webhookEndpoints.create, { url: URL })
  await sandbox.call(api.webhookEndpoints.update, { id, description: 'x' })
  await sandbox.call(api.webhookEndpoints.delete, { id })
  assert.equal(await sandbox.events(), [])
})

test('reports the same number of attempts per status in the last 24 hours as the list of deliveries', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.webhookEndpoints.create, { url: URL })
  await sandbox.call(api.webhookEndpoints.create, { url: URL })
  for (let event = 0; event < 5; event += 1) await newCustomer(sandbox)
  const attempts = [
    ['failed', 1],
    ['pending', 2],
    ['succeeded', 3],
    ['skipped', 4],
    ['pending', DAY + 1],
  ] as const
  await sandbox.store.transact(async (reader) => {
    const { data } = await reader.list('webhook_deliveries', { where: { webhook_endpoint: id }, limit: 5 })
    const writes = data.map((delivery, index) => {
      const [status, age] = attempts[index] ?? attempts[0]
      const duration_ms = status === 'failed' || status === 'succeeded' ? age : null
      return { put: { ...delivery, status, created: START - age, duration_ms } }
    })
    return { result: null, writes, events: [] }
  })
  const health = await sandbox.call(api.webhookEndpoints.health, { id })
  const since = { 'created[gte]': START - DAY, webhook_endpoint: id }
  for (const status of ['succeeded', 'failed', 'pending'] as const) {
    const { data } = await sandbox.call(api.webhookDeliveries.list, { ...since, status })
    assert.is(health[status], data.length, status)
  }
  assert.equal([health.since, health.oldest_pending_at], [START - DAY, START - 2])
  assert.equal([health.duration_ms_p50, health.duration_ms_p95], [1, 3])
  const missing = await catchDomainError(sandbox.call(api.webhookEndpoints.health, { id: 'we_none' }))
  assert.is(missing.code, 'resource_missing')
})
test.run()
