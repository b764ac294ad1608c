import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  retireWebhookEndpoint,
  updateWebhookEndpoint,
} from '../../src/domain/webhook-endpoints.ts'
import { refusal } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { createWorld, START } from '../support/world.ts'

const test = suite('domain/webhook-endpoints')

const URL = 'http://127.0.0.1:3000/hook'
const made = (fields = {}, existing = 0) =>
  createWebhookEndpoint({ url: URL, ...fields }, { secret: 'whsec_1', existing }, createWorld())

test('an endpoint and its secret share an id and neither has an event', () => {
  const { endpoint, secret } = made()
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

test('the seventeenth endpoint is refused', async () => {
  made({}, 15)
  assert.is((await refusal(() => made({}, 16))).code, 'webhook_endpoint_limit')
})

test('every unknown event is told', async () => {
  const { errors } = await refusal(() => made({ enabled_events: ['a', '*', 'b.*'] }))
  assert.equal(
    errors.map(({ code, param }) => `${code} ${param}`),
    ['event_type_unknown enabled_events[0]', 'event_type_unknown enabled_events[2]'],
  )
})

/** status and reason before, what is asked, status and reason after */
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
] as const

for (const [status, disabled_reason, asked, after, reason] of STATES) {
  const was = disabled_reason === null ? status : `${status} by ${disabled_reason}`
  test(`an endpoint that is ${was} and asked to be ${asked ?? 'as it is'} becomes ${after}, ${reason ?? 'no reason'}`, () => {
    const endpoint = { ...made().endpoint.after, status, disabled_reason }
    const updated = updateWebhookEndpoint(endpoint, asked === undefined ? {} : { status: asked }, []).after
    assert.equal([updated.status, updated.disabled_reason], [after, reason])
  })
}

test('an update changes what is given and merges metadata', () => {
  const endpoint = made({ description: 'x', metadata: { a: '1', b: '2' } }).endpoint.after
  const fields = {
    url: 'https://example.com',
    enabled_events: ['invoice.*', 'invoice.*'],
    description: null,
    metadata: { a: null, c: '3' },
  }
  const { changes, after } = updateWebhookEndpoint(endpoint, fields, [])
  assert.equal(after, {
    ...endpoint,
    url: 'https://example.com',
    enabled_events: ['invoice.*'],
    description: null,
    metadata: { b: '2', c: '3' },
  })
  assert.equal(changes, [{ event: null, before: endpoint, after }])
})

test('disabling drops the deliveries that still wait, and nothing else does', () => {
  const endpoint = made().endpoint.after
  const waiting = { id: 'whd_1', object: 'webhook_delivery' }
  const changesOf = (status: 'enabled' | 'disabled') =>
    updateWebhookEndpoint(endpoint, { status }, [waiting]).changes.slice(1)
  assert.equal(changesOf('disabled'), [{ event: null, before: waiting, after: null }])
  assert.equal(changesOf('enabled'), [])
})

test('an endpoint whose receiver is gone is disabled and says so', () => {
  const endpoint = made().endpoint.after
  const { before, after } = retireWebhookEndpoint(endpoint)
  assert.equal([before, after], [endpoint, { ...endpoint, status: 'disabled', disabled_reason: 'gone' }])
})

test('a deletion takes the secret along, where there is one', () => {
  const { endpoint, secret } = made()
  assert.equal(
    deleteWebhookEndpoint(endpoint.after, secret.after).map(({ before, after }) => [before, after]),
    [
      [endpoint.after, null],
      [secret.after, null],
    ],
  )
  assert.is(deleteWebhookEndpoint(endpoint.after, null).length, 1)
})

test.run()
