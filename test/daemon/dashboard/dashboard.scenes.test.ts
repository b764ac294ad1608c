import { api } from '../../../src/api/api.ts'
import { createScenes } from '../../../src/cli/serve/dashboard.ts'
import type { listTriggers, TriggerCommandResult } from '../../../src/cli/trigger/trigger.ts'
import type { FixtureRunResult, SceneFailure } from '../../../src/presentation/scene-results.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { signIn } from '../../support/dashboard.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('dashboard scenes on the server')

/** The response of `GET /dashboard/<sandbox>/scenes`. */
interface SceneList {
  readonly object: string
  readonly data: ReturnType<typeof listTriggers>
}

let daemon: TestDaemon
let headers: Readonly<Record<string, string>>

test.before(async () => {
  daemon = await openDaemon({ createScenes })
  headers = (await signIn(daemon)).headers
})

test.after(() => daemon?.stop())

test('lists every trigger with its description', async () => {
  const { object, data } = await call<SceneList>('GET', '/scenes')
  assert.is(object, 'list')
  const renewed = data.find(({ type }) => type === 'subscription.renewed')
  assert.is(typeof renewed?.how, 'string')
  assert.ok(renewed?.makes.includes('checkout_session'))
})

test('runs a scene and returns the created objects and events', async () => {
  const result = await call<TriggerCommandResult>('POST', '/scenes/payment.failed/run')
  assert.is(result.object, 'trigger')
  const types = result.events.map(({ type }) => type)
  assert.ok(types.includes('payment.failed'), types.join())
  const event = await daemon.call(api.events.retrieve, { id: result.event })
  assert.is(event.type, 'payment.failed')
  const customer = result.made.find((id) => id.startsWith('cus_')) ?? ''
  assert.is((await daemon.call(api.customers.retrieve, { id: customer })).id, customer)
})

test('returns the expected error of a failed scene with its hint', async () => {
  const result = await call<SceneFailure>('POST', '/scenes/subscription.unpaid/run')
  assert.is(result.object, 'scene_failure')
  assert.match(result.message, /Expected subscription\.unpaid/)
  assert.match(result.hint ?? '', /--on-exhausted unpaid/)
})

test('returns a failure for an unknown or ambiguous scene', async () => {
  for (const type of ['nothing.here', 'customer.*', '__proto__']) {
    const { object, message } = await call<SceneFailure>('POST', `/scenes/${type}/run`)
    assert.is(object, 'scene_failure', type)
    assert.ok(message.length > 0)
  }
})

test('returns a failure for a sandbox whose key is not stored on this machine', async () => {
  const { id } = await daemon.call(api.sandboxes.create, {})
  const { object, message } = await call<SceneFailure>('POST', '/scenes/customer.created/run', undefined, id)
  assert.is(object, 'scene_failure')
  assert.match(message, /No key of sandbox/)
})

test('runs a fixture file and returns the name, request, id and error status of each step', async () => {
  const result = await call<FixtureRunResult>('POST', '/fixtures/run', {
    fixtures: [
      { name: 'ada', path: '/v1/customers', params: { email: 'ada@example.com', name: 'Ada' } },
      { method: 'GET', path: `/v1/customers/\${ada.id}` },
      { name: 'bad', path: '/v1/customers', params: { email: 'x' }, expect: 400 },
      { method: 'GET', path: 'customers' },
    ],
    env: { ADA: `\${ada.id}` },
  })
  const id = result.steps[0]?.id
  assert.equal(result, {
    object: 'fixture_run',
    steps: [
      { name: 'ada', method: 'POST', path: '/v1/customers', id, error_status: null },
      { name: 'step2', method: 'GET', path: `/v1/customers/${id}`, id, error_status: null },
      { name: 'bad', method: 'POST', path: '/v1/customers', id: null, error_status: 400 },
      { name: 'step4', method: 'GET', path: '/v1/customers', id: null, error_status: null },
    ],
    failure: null,
  })
})

test('stops at the first step that fails, and returns the steps before it', async () => {
  const { steps, failure } = await call<FixtureRunResult>('POST', '/fixtures/run', {
    fixtures: [
      { path: '/v1/customers', params: { email: 'ada@example.com' } },
      { name: 'broken', path: '/v1/customers', params: { email: 'no address' } },
      { path: '/v1/customers', params: { email: 'grace@example.com' } },
    ],
  })
  assert.is(steps.length, 1)
  assert.is(failure?.object, 'scene_failure')
  assert.match(failure?.message ?? '', /^Step 'broken': /)
})

test('sends no request to keys, webhook endpoints, sandboxes or other paths', async () => {
  const before = (await daemon.call(api.apiKeys.list, {})).data.length
  const paths = [
    ...['/v1/api_keys', 'api_keys', '/v1/webhook_endpoints', '/v1/sandboxes', '/v1/faults', '/healthz'],
    ...['/v1/customers/../api_keys', '/v1/./api_keys', '/v1/customers%2f..%2fapi_keys', '/v1/customers_x'],
    ...['//evil.example/v1/customers', `\${ada.metadata.path}`],
  ]
  for (const path of paths) {
    const { steps, failure } = await call<FixtureRunResult>('POST', '/fixtures/run', {
      fixtures: [
        {
          name: 'ada',
          path: '/v1/customers',
          params: { email: 'ada@example.com', metadata: { path: 'api_keys' } },
        },
        { name: 'hostile', path, params: { name: 'x' } },
      ],
    })
    assert.is(steps.length, 1, path)
    assert.match(
      failure?.message ?? '',
      /^Step 'hostile': (?:The dashboard does not send|Invalid target)/,
      path,
    )
  }
  assert.is((await daemon.call(api.apiKeys.list, {})).data.length, before)
})

test('rejects a file that is not a fixture file or has too many steps', async () => {
  const many = Array.from({ length: 501 }, () => ({ method: 'GET', path: 'customers' }))
  for (const file of [{}, { fixtures: 'x' }, { fixtures: [{ name: 'a' }] }, [], { fixtures: many }]) {
    const { object, message } = await call<SceneFailure>('POST', '/fixtures/run', file)
    assert.is(object, 'scene_failure')
    assert.match(message, /^The file has 501 steps|^'The file' is not a valid fixture file/)
  }
  assert.is((await send('POST', '/fixtures/run')).status, 200)
})

test('rejects a fixture file that exceeds the maximum size of a request', async () => {
  const response = await send('POST', '/fixtures/run', { fixtures: [], env: { A: 'x'.repeat(300_000) } })
  assert.is(response.status, 413)
})

async function send(method: string, path: string, body?: object, sandbox = 'default'): Promise<Response> {
  return fetch(`${daemon.location.api_url}/dashboard/${sandbox}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function call<T>(...args: Parameters<typeof send>): Promise<T> {
  const response = await send(...args)
  const result = await response.json()
  assert.is(response.status, 200, JSON.stringify(result))
  return result as T
}

test.run()
