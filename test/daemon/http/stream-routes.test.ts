import { api } from '../../../src/api/api.ts'
import { streamRoutes } from '../../../src/api/operations/streams.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { assert, suite } from '../../support/suite.ts'
import { firstTarget, readRoute, readStream } from '../streams/stream-reader.ts'

const test = suite('daemon/streams/stream-routes')

let daemon: TestDaemon

test.before.each(async () => {
  daemon = await openDaemon()
})

test.after.each(() => daemon.stop())

const create = (email: string) => daemon.call(api.customers.create, { email })
const typesOf = (frames: readonly { readonly data: string }[]) =>
  frames.map(({ data }) => JSON.parse(data).type)

const HOOK = 'http://127.0.0.1:3000/hook'
const LEAVE = { method: 'POST', path: '/v1/stream/leave' } as const

test('the event stream starts with a comment and sends each event with its position', async () => {
  const reading = await readStream(daemon)
  assert.is(reading.response.headers['content-type'], 'text/event-stream')
  await reading.waitFor('ready', 1)
  assert.ok(reading.text().startsWith(': '), reading.text())
  await create('a@example.com')
  const [first] = await reading.waitFor('event', 1)
  assert.equal([first?.id, JSON.parse(first?.data ?? '').sequence], ['1', 1])
  reading.close()
})

test('Last-Event-ID resumes after its position and overrides the parameter after', async () => {
  for (const name of ['a', 'b', 'c']) await create(`${name}@example.com`)
  const reading = await readStream(daemon, { after: 0 }, { 'Last-Event-ID': '1' })
  const frames = await reading.waitFor('event', 2)
  assert.equal(
    frames.map(({ id }) => id),
    ['2', '3'],
  )
  reading.close()
})

test('filters events by type, and sends a reset for a position beyond the end', async () => {
  const customer = await create('a@example.com')
  await daemon.call(api.customers.update, { id: customer.id, name: 'Ada' })
  const reading = await readStream(daemon, { after: 900, types: ['customer.updated'] })
  assert.equal(typesOf(await reading.waitFor('event', 1)), ['customer.updated'])
  assert.equal(await reading.read('reset'), { after: 900, continues_after: 0 })
  reading.close()
})

test('sends a heartbeat with the position every 15 seconds', async () => {
  await create('a@example.com')
  const reading = await readStream(daemon)
  await reading.waitFor('ready', 1)
  daemon.clock.move(14)
  await daemon.tick()
  assert.not.match(reading.text(), 'still here')
  daemon.clock.move(1)
  await daemon.tick()
  await reading.waitForText('\n\n: still here\nid: 1\n\n')
  reading.close()
})

test('rejects a request with a missing key or an invalid parameter', async () => {
  const { api_url } = daemon.location
  const authorization = { Authorization: `Bearer ${daemon.location.api_key}` }
  for (const [query, headers, status] of [
    ['', {}, 401],
    ['', { ...authorization, 'Last-Event-ID': 'x' }, 400],
    ['?forward[]=a.b=http://127.0.0.1/', authorization, 400],
    ['?forward[]=*=ftp://127.0.0.1/', authorization, 400],
    ['?types[]=a.b', authorization, 400],
    ['?afer=1', authorization, 400],
  ] as const) {
    const answer = await fetch(`${api_url}/v1/stream${query}`, { headers })
    assert.equal([query, answer.status], [query, status])
    assert.match(await answer.text(), /"message":".+"/)
  }
})

test('a restricted key can read events, but cannot forward deliveries or read the webhook secret', async () => {
  const { secret } = await daemon.call(api.apiKeys.create, {
    name: 'reader',
    scopes: ['events:read'],
  })
  const restricted = { location: { ...daemon.location, api_key: secret } }
  const reading = await readStream(restricted)
  assert.is((await reading.read('ready')).webhook_secret, null)
  reading.close()
  for (const query of [{ secret: 'yes' }, { forward: [`*=${HOOK}`] }]) {
    const refused = await readStream(restricted, query)
    assert.is(refused.response.statusCode, 403)
    refused.close()
  }
})

test('an endpoint is not_listening after its listener leaves, or five minutes after the listener disconnects', async () => {
  const statusOf = async (id: string) => (await daemon.call(api.webhookEndpoints.retrieve, { id })).status
  const reading = await readStream(daemon, { forward: [`*=${HOOK}`] })
  const { reader, targets } = await reading.read('ready')
  const id = targets[0].webhook_endpoint
  await daemon.client.send(LEAVE, { reader, webhook_endpoints: [id] })
  assert.is(await statusOf(id), 'not_listening')
  const { data } = await daemon.call(api.webhookEndpoints.list, { status: 'not_listening' })
  assert.equal(
    data.map((one) => [one.id, one.disabled_reason]),
    [[id, null]],
  )
  const recovery = daemon.call(api.webhookEndpoints.recover, { id, since: data[0]?.created ?? 0 })
  assert.match(String(await recovery.catch(String)), `Start it: paycli listen --forward-to '${HOOK}'`)
  const again = await readStream(daemon, { forward: [`*=${HOOK}`] })
  assert.is((await again.read('ready')).targets[0].webhook_endpoint, id)
  assert.is(await statusOf(id), 'enabled')
  const gone = new Promise((resolve) => again.response.once('close', resolve))
  again.close()
  await gone
  // The timeout starts now, or started with an earlier tick.
  daemon.clock.move(60)
  await daemon.tick()
  for (let minute = 0; minute < 4; minute += 1) {
    assert.is(await statusOf(id), 'enabled')
    daemon.clock.move(60)
    await daemon.tick()
  }
  daemon.clock.move(120)
  await daemon.tick()
  assert.is(await statusOf(id), 'not_listening')
})

test('sends each change of an endpoint to its listener once', async () => {
  const reading = await readStream(daemon, { forward: [`*=${HOOK}`] })
  const target = await firstTarget(reading)
  const { webhook_endpoint: id } = target
  await daemon.tick()
  await daemon.call(api.webhookEndpoints.update, { id, status: 'disabled' })
  await daemon.tick()
  await daemon.call(api.webhookEndpoints.update, { id, status: 'enabled', enabled_events: ['invoice.*'] })
  await daemon.tick()
  await daemon.call(api.webhookEndpoints.delete, { id })
  await daemon.tick()
  await daemon.tick()
  const results = (await reading.waitFor('target', 3)).map(({ data }) => JSON.parse(data))
  const changed = { ...target, enabled_events: ['invoice.*'] }
  assert.equal(results, [{ ...target, status: 'disabled' }, changed, { ...changed, status: 'deleted' }])
  reading.close()
})

test('sends the status `deleted` to a listener when the API changes the description of its endpoint', async () => {
  const reading = await readStream(daemon, { forward: [`*=${HOOK}`] })
  const target = await firstTarget(reading)
  await daemon.call(api.webhookEndpoints.update, { id: target.webhook_endpoint, description: 'mine now' })
  await daemon.tick()
  assert.equal(await reading.read('target'), { ...target, status: 'deleted' })
  reading.close()
})

const LOGS = { route: streamRoutes.requestLogs }
const logsOf = (frames: readonly { readonly data: string }[]) =>
  frames.map(({ data }) => [JSON.parse(data).path, JSON.parse(data).status])

test('streams request logs, without requests for the log itself', async () => {
  await create('before@example.com')
  const reading = await readRoute(daemon, LOGS)
  const [ready] = await reading.waitFor('ready', 1)
  await create('a@example.com')
  await daemon.call(api.requestLogs.list, {})
  await fetch(`${daemon.location.api_url}/v1/customers`)
  await daemon.tick()
  const frames = await reading.waitFor('request_log', 2)
  assert.equal(logsOf(frames), [
    ['/v1/customers', 200],
    ['/v1/customers', 401],
  ])
  const first = JSON.parse(frames[0]?.data ?? '')
  assert.is(frames[0]?.id, first.id)
  assert.is((await daemon.call(api.requestLogs.retrieve, { id: String(ready?.id) })).path, '/v1/customers')
  reading.close()
})

test('filters the stream of request logs, and resumes after the last received log', async () => {
  const reading = await readRoute(daemon, { ...LOGS, query: { status: { gte: 400, lt: 500 } } })
  for (const id of ['cus_1', 'cus_2']) {
    await fetch(`${daemon.location.api_url}/v1/customers/${id}`)
    await create('a@example.com')
  }
  await daemon.tick()
  const frames = await reading.waitFor('request_log', 2)
  assert.equal(logsOf(frames), [
    ['/v1/customers/cus_1', 401],
    ['/v1/customers/cus_2', 401],
  ])
  reading.close()
  const headers = { 'Last-Event-ID': String(frames[0]?.id) }
  const query = { after: '0', path: '/v1/customers/cus_2', method: 'GET' }
  const resumed = await readRoute(daemon, { ...LOGS, query, headers })
  assert.equal(logsOf(await resumed.waitFor('request_log', 1)), [['/v1/customers/cus_2', 401]])
  resumed.close()
  const all = await readRoute(daemon, { ...LOGS, query: { after: '0' } })
  assert.is((await all.waitFor('request_log', 4)).length, 4)
  all.close()
})

test('rejects a key that lacks the scope for request logs', async () => {
  const { secret } = await daemon.call(api.apiKeys.create, { name: 'reader', scopes: ['events:read'] })
  const refused = await readRoute({ location: { ...daemon.location, api_key: secret } }, LOGS)
  assert.is(refused.response.statusCode, 403)
  refused.close()
})

test('closes the streams of an expired key without further events or offers, and keeps streams of other keys open', async () => {
  const { secret } = await daemon.call(api.apiKeys.create, { expires_at: daemon.clock.now() + 60 })
  const own = { location: { ...daemon.location, api_key: secret } }
  const readings = [await readStream(own, { forward: [`*=${HOOK}`] }), await readRoute(own, LOGS)]
  const other = await readStream(daemon)
  await daemon.tick()
  daemon.clock.move(60)
  await daemon.tick()
  await create('a@example.com')
  await daemon.tick()
  for (const reading of readings) {
    assert.is((await reading.read('close')).reason, 'key_ended')
    assert.equal(
      reading.frames.filter(({ data }) => /customer/.test(data)),
      [],
    )
  }
  assert.is((await other.waitFor('event', 1)).length, 1)
  other.close()
  const refused = await readStream(own)
  assert.is(refused.response.statusCode, 401)
  refused.close()
})

for (const { what, end } of [
  { what: 'revoked', end: (id: string) => daemon.call(api.apiKeys.revoke, { id }) },
  { what: 'rolled', end: (id: string) => daemon.call(api.apiKeys.roll, { id, grace_seconds: 0 }) },
]) {
  test(`closes the streams of a key immediately when it is ${what}`, async () => {
    const { secret, ...key } = await daemon.call(api.apiKeys.create, {})
    const own = { location: { ...daemon.location, api_key: secret } }
    const readings = await Promise.all([
      readStream(own),
      readStream(own, { forward: [`*=${HOOK}`] }),
      readRoute(own, LOGS),
    ])
    await create('before@example.com')
    for (const reading of readings.slice(0, 2)) await reading.waitFor('event', 1)
    await end(key.id)
    for (const reading of readings) {
      const [close] = await reading.waitFor('close', 1)
      assert.is(JSON.parse(close?.data ?? '').reason, 'key_ended')
    }
  })
}

test('sends a close event with the position when the server stops', async () => {
  const reading = await readStream(daemon)
  await create('a@example.com')
  await reading.waitFor('event', 1)
  await daemon.stop()
  const [close] = await reading.waitFor('close', 1)
  assert.equal([close?.id, JSON.parse(close?.data ?? '').reason], ['1', 'stopping'])
})

test.run()
