import { api } from '../../../src/api/api.ts'
import { streamRoutes } from '../../../src/api/operations/streams.ts'
import { type Client, createClient } from '../../../src/client/client.ts'
import { findSignatureProblems } from '../../../src/webhooks/verify.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { errorIn, postJson, sendRequest } from '../../support/raw-http.ts'
import { newPaymentSession } from '../../support/samples.ts'
import { assert, suite } from '../../support/suite.ts'
import { testBackend } from '../../support/test-backend.ts'
import { openWebhookServer } from '../../webhooks/webhook-server.ts'
import { readRoute } from '../streams/stream-reader.ts'

const test = suite<{ daemon: TestDaemon }>('daemon/sandbox-manager')

test.before.each(async (context) => {
  context.daemon = await openDaemon()
})

test.after.each(async ({ daemon }) => {
  await daemon.stop()
})

/** Creates a sandbox and a client with its key. */
async function create(daemon: TestDaemon, fields: { from?: string; expires_at?: number } = {}) {
  const sandbox = await daemon.call(api.sandboxes.create, fields)
  return { sandbox, ...clientOf(daemon, sandbox.api_key) }
}

function clientOf(daemon: TestDaemon, apiKey: string): { client: Client; call: Client['call'] } {
  const client = createClient({ apiBase: daemon.location.api_url, apiKey })
  return { client, call: client.call }
}

async function emailsOf(call: Client['call']): Promise<(string | null)[]> {
  const { data } = await call(api.customers.list, {})
  return data.map((one) => one.email)
}

test('copies the objects of a sandbox with their ids, and later changes affect only one of the two sandboxes', async ({
  daemon,
}) => {
  const ada = await daemon.call(api.customers.create, { email: 'ada@example.com' })
  const { call } = await create(daemon, { from: 'default' })
  assert.equal(await call(api.customers.retrieve, { id: ada.id }), ada)
  await call(api.customers.update, { id: ada.id, email: 'eve@example.com' })
  assert.equal(await emailsOf(daemon.call), ['ada@example.com'])
  assert.equal(await emailsOf(call), ['eve@example.com'])
})

test('resets a copy to its original contents or to empty, and keeps its API keys', async ({ daemon }) => {
  await daemon.call(api.customers.create, { email: 'ada@example.com' })
  const { sandbox, call } = await create(daemon, { from: 'default' })
  await call(api.customers.create, { email: 'bob@example.com' })
  await daemon.call(api.customers.create, { email: 'late@example.com' })
  const restored = await daemon.call(api.sandboxes.reset, { id: sandbox.id })
  assert.equal([restored.objects, restored.events], [1, 1])
  assert.equal(await emailsOf(call), ['ada@example.com'])
  // The sandbox resets itself during a request with its own key.
  const emptied = await call(api.sandboxes.reset, { id: 'current', to: 'empty' })
  assert.equal([emptied.objects, emptied.events], [0, 0])
  assert.equal(await emailsOf(call), [])
  await daemon.call(api.sandboxes.reset, { id: sandbox.id, to: 'origin' })
  assert.equal(await emailsOf(call), ['ada@example.com'])
})

test('a sandbox that resets itself contains the log entry of the reset request', async ({ daemon }) => {
  const { call } = await create(daemon)
  await call(api.customers.create, { email: 'ada@example.com' })
  await call(api.sandboxes.reset, { id: 'current' })
  const { data } = await call(api.requestLogs.list, {})
  assert.equal(
    data.map(({ path }) => path),
    ['/v1/sandboxes/current/reset'],
  )
})

test('sends sandbox.reset to open streams, which resume after this message', async ({ daemon }) => {
  await daemon.call(api.customers.create, { email: 'ada@example.com' })
  const { sandbox, call } = await create(daemon, { from: 'default' })
  const location = { ...daemon.location, api_key: sandbox.api_key }
  const reading = await readRoute({ location }, { route: streamRoutes.events })
  await reading.waitFor('ready', 1)
  await call(api.customers.create, { email: 'bob@example.com' })
  await reading.waitFor('event', 1)
  await daemon.call(api.sandboxes.reset, { id: sandbox.id })
  const [reset] = await reading.waitFor('sandbox.reset', 1)
  const [close] = await reading.waitFor('close', 1)
  assert.equal([reset?.id, JSON.parse(reset?.data ?? '')], ['1', { continues_after: 1 }])
  assert.is(JSON.parse(close?.data ?? '').reason, 'reset')
  await call(api.customers.create, { email: 'new@example.com' })
  const headers = { 'Last-Event-ID': reset?.id ?? '' }
  const resumed = await readRoute({ location }, { route: streamRoutes.events, headers })
  const { sequence, data } = await resumed.read('event')
  assert.equal([sequence, data.object.email], [2, 'new@example.com'])
  const [before, after] = await Promise.all([reading, resumed].map((one) => one.waitFor('ready', 1)))
  const databaseIn = (ready: typeof before) => JSON.parse(ready?.[0]?.data ?? '').database
  assert.is.not(databaseIn(after), databaseIn(before), 'a client that was not connected starts again')
  resumed.close()
})

test('deleting a sandbox invalidates its keys and hosted pages, and closes its streams', async ({
  daemon,
}) => {
  const { sandbox, call } = await create(daemon)
  const { url } = await newPaymentSession({ call })
  assert.ok(url.startsWith(`${sandbox.checkout_url}/`))
  assert.is((await sendRequest(url)).status, 200)
  assert.is((await sendRequest(url.replace(`/${sandbox.id}/`, '/'))).status, 404)
  const location = { ...daemon.location, api_key: sandbox.api_key }
  const reading = await readRoute({ location }, { route: streamRoutes.events })
  await reading.waitFor('ready', 1)
  await daemon.call(api.sandboxes.delete, { id: sandbox.id })
  assert.is((await reading.read('close')).reason, 'stopping')
  const response = await sendRequest(`${daemon.location.api_url}/v1/customers`, {
    headers: { Authorization: `Bearer ${sandbox.api_key}` },
  })
  assert.equal([response.status, errorIn(response)['code']], [401, 'api_key_invalid'])
  assert.is((await sendRequest(url)).status, 404)
})

test('resets a sandbox without waiting for its stalled endpoint', async ({ daemon }) => {
  const { sandbox, call } = await create(daemon)
  const server = await openWebhookServer(() => {})
  await call(api.webhookEndpoints.create, { url: server.url, enabled_events: ['*'] })
  await call(api.customers.create, { email: 'ada@example.com' })
  await server.waitFor(1)
  await daemon.call(api.sandboxes.reset, { id: sandbox.id })
  assert.equal(await emailsOf(call), [])
  await server.close()
})

test('a copy sends nothing to the handlers of its source, until its endpoints are enabled with a new secret', async ({
  daemon,
}) => {
  const server = await openWebhookServer()
  const { id, secret } = await daemon.call(api.webhookEndpoints.create, { url: server.url })
  const { sandbox, call } = await create(daemon, { from: 'default' })
  await call(api.customers.create, { email: 'ada@example.com' })
  await call(api.sandboxes.reset, { id: 'current' })
  await call(api.customers.create, { email: 'bob@example.com' })
  await daemon.tick()
  assert.equal(server.received, [])
  await daemon.call(api.customers.create, { email: 'eve@example.com' })
  await daemon.tick()
  const rolled = await call(api.webhookEndpoints.rollSecret, { id })
  await call(api.webhookEndpoints.update, { id, status: 'enabled' })
  await call(api.customers.create, { email: 'carl@example.com' })
  await daemon.tick()
  await daemon.call(api.sandboxes.update, { id: sandbox.id, name: 'Zoë' })
  await call(api.customers.create, { email: 'dora@example.com' })
  await daemon.tick()
  const signatures = server.received.map(({ headers, body }) => [
    headers['paycli-sandbox'],
    ...[secret, rolled.secret].map((secret) => {
      const options = { secret, now: daemon.clock.now(), tolerance: 300 }
      return findSignatureProblems({ headers: headers as Record<string, string>, body }, options).length === 0
    }),
  ])
  assert.equal(signatures, [
    [undefined, true, false],
    [sandbox.id, false, true],
    ['Zo%C3%AB', false, true],
  ])
  await server.close()
})

test('a stalled endpoint in one sandbox does not delay the deliveries of another sandbox', async ({
  daemon,
}) => {
  const [one, other] = [await create(daemon), await create(daemon)]
  const servers = [await openWebhookServer(() => {}), await openWebhookServer()]
  for (const [index, { call }] of [one, other].entries()) {
    const [server] = servers.slice(index)
    await call(api.webhookEndpoints.create, { url: server?.url ?? '', enabled_events: ['*'] })
    await call(api.customers.create, { email: 'ada@example.com' })
    await server?.waitFor(1)
  }
  for (const { sandbox } of [one, other]) await daemon.call(api.sandboxes.delete, { id: sandbox.id })
  for (const server of servers) await server.close()
})

test('the error of a copy names the missing source sandbox or saved state', async ({ daemon }) => {
  for (const from of ['sbx_000000000000000000000000', 'missing']) {
    const { api_url, api_key } = daemon.location
    const { code, param } = errorIn(await postJson(`${api_url}/v1/sandboxes`, api_key, { from }))
    assert.equal([code, param], ['resource_missing', 'from'])
  }
})

test('a restricted key can create only empty sandboxes, not copies', async ({ daemon }) => {
  await daemon.call(api.customers.create, { email: 'ada@example.com' })
  const { sandbox } = await create(daemon)
  const restricted = await daemon.call(api.apiKeys.create, { scopes: ['sandboxes:write'] })
  const send = (fields: object) =>
    postJson(`${daemon.location.api_url}/v1/sandboxes`, restricted.secret, fields)
  for (const from of ['default', sandbox.id, 'saved-state']) {
    const response = await send({ from })
    const { code, param } = errorIn(response)
    assert.equal([response.status, code, param], [403, 'insufficient_scope', 'from'])
  }
  const empty = await send({})
  assert.equal([empty.status, JSON.parse(empty.text).objects], [200, 0])
  assert.is((await daemon.call(api.sandboxes.list, {})).data.length, 2)
})

test('lists sandboxes while they are deleted', async ({ daemon }) => {
  const ids = await Promise.all(Array.from({ length: 8 }, async () => (await create(daemon)).sandbox.id))
  const [{ data }] = await Promise.all([
    daemon.call(api.sandboxes.list, {}),
    ...ids.map((id) => daemon.call(api.sandboxes.delete, { id })),
  ])
  for (const { id, objects } of data) assert.equal([ids.includes(id), objects], [true, 0])
  assert.equal((await daemon.call(api.sandboxes.list, {})).data, [])
})

test('a durable sandbox survives a restart, and a sandbox in memory is deleted', async ({ daemon }) => {
  if (testBackend() !== 'lowdb') return
  const durable = await create(daemon)
  const memory = await daemon.call(api.sandboxes.create, { storage: 'memory' })
  await durable.call(api.customers.create, { email: 'ada@example.com' })
  const { db } = daemon.location
  await daemon.stop()
  const next = await openDaemon({ db, home: daemon.home })
  const { data } = await next.call(api.sandboxes.list, {})
  assert.equal(
    data.map(({ id, objects }) => [id, objects]),
    [[durable.sandbox.id, 1]],
  )
  assert.equal(await emailsOf(clientOf(next, durable.sandbox.api_key).call), ['ada@example.com'])
  const response = await postJson(`${next.location.api_url}/v1/customers`, memory.api_key, {})
  assert.is(errorIn(response)['code'], 'api_key_invalid')
  await next.stop()
})

test.run()
