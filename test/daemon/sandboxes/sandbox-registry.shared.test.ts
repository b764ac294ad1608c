import { api } from '../../../src/api/api.ts'
import { streamRoutes } from '../../../src/api/operations/streams.ts'
import { type Client, createClient } from '../../../src/client/client.ts'
import { createTestClock, openDaemon, type TestClock, type TestDaemon } from '../../support/daemon.ts'
import { dropDatabase, newDatabaseUrl, stopOwnPostgres } from '../../support/postgres.ts'
import { errorIn, sendRequest } from '../../support/raw-http.ts'
import { DAY } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { openWebhookServer } from '../../webhooks/webhook-server.ts'
import { readRoute } from '../streams/stream-reader.ts'

/** Two servers of one PostgreSQL database. */
interface Site {
  readonly clock: TestClock
  readonly a: TestDaemon
  readonly b: TestDaemon
}

const test = suite<{ site: Site; db: string }>('daemon/sandboxes/sandbox-registry.shared')

test.before.each(async (context) => {
  const db = await newDatabaseUrl()
  const clock = createTestClock()
  const [a, b] = [await openDaemon({ db, clock }), await openDaemon({ db, clock })]
  context.db = db
  context.site = { clock, a, b }
})

test.after.each(async ({ site, db }) => {
  await site.a.stop()
  await site.b.stop()
  await dropDatabase(db)
})

test.after(stopOwnPostgres)

/** Creates a sandbox at a server; returns its key and its clients at both servers. */
async function create({ a, b }: Site, fields: { from?: string; expires_at?: number } = {}) {
  const { id, api_key } = await a.call(api.sandboxes.create, fields)
  const at = ({ location }: TestDaemon): Client['call'] =>
    createClient({ apiBase: location.api_url, apiKey: api_key }).call
  return { id, api_key, atA: at(a), atB: at(b) }
}

/** Returns status and error code of a request with a key. */
async function rejectionOf({ location }: TestDaemon, key: string): Promise<[number, unknown]> {
  const response = await sendRequest(`${location.api_url}/v1/customers`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  return [response.status, errorIn(response)['code']]
}

const readEvents = ({ location }: TestDaemon, api_key: string) =>
  readRoute({ location: { ...location, api_key } }, { route: streamRoutes.events })

test('a sandbox that one server created works on another server, with a single sequence of events', async ({
  site,
}) => {
  const { atA, atB } = await create(site)
  for (const call of [atB, atA, atB]) await call(api.customers.create, { email: 'ada@example.com' })
  const { data } = await atA(api.events.list, {})
  assert.equal(
    data.map(({ sequence }) => sequence),
    [3, 2, 1],
  )
  assert.equal((await site.b.call(api.customers.list, {})).data, [])
})

test('every reset on one server resets the streams of another server, even within one second', async ({
  site,
}) => {
  await site.a.call(api.customers.create, { email: 'origin@example.com' })
  const { id, api_key, atA, atB } = await create(site, { from: 'default' })
  for (const to of ['origin', 'empty'] as const) {
    const reading = await readEvents(site.b, api_key)
    await reading.waitFor('ready', 1)
    await atB(api.customers.create, { email: 'bob@example.com' })
    await reading.waitFor('event', 1)
    await site.a.call(api.sandboxes.reset, { id, to })
    await atA(api.customers.create, { email: 'new@example.com' })
    const [reset] = await reading.waitFor('sandbox.reset', 1)
    const [close] = await reading.waitFor('close', 1)
    const position = to === 'origin' ? 1 : 0
    assert.equal([reset?.id, JSON.parse(close?.data ?? '').reason], [String(position), 'reset'])
    const { data } = await atB(api.customers.list, {})
    assert.equal(
      data.map(({ email }) => email),
      ['new@example.com', 'origin@example.com'].slice(0, 1 + position),
    )
  }
  assert.equal(
    site.b.log.filter(({ level }) => level === 'error'),
    [],
  )
})

test('deleting a sandbox on one server ends its keys and streams on another server', async ({ site }) => {
  const { id, api_key, atB } = await create(site)
  await atB(api.customers.create, { email: 'ada@example.com' })
  const reading = await readEvents(site.b, api_key)
  await reading.waitFor('ready', 1)
  await site.a.call(api.sandboxes.delete, { id })
  assert.equal(await rejectionOf(site.b, api_key), [401, 'api_key_invalid'])
  assert.is((await reading.read('close')).reason, 'stopping')
  assert.equal(await rejectionOf(site.b, api_key), [401, 'api_key_invalid'])
})

test('a sandbox expires on both servers, even after one server changes its expiry', async ({ site }) => {
  const expires_at = site.clock.now() + 60
  const [one, other] = [await create(site, { expires_at }), await create(site, { expires_at })]
  for (const { atB } of [one, other]) await atB(api.customers.list, {})
  await site.a.call(api.sandboxes.update, { id: other.id, expires_at: expires_at + 60 })
  site.clock.move(60)
  assert.equal(await rejectionOf(site.b, one.api_key), [401, 'sandbox_expired'])
  assert.equal((await other.atB(api.customers.list, {})).data, [])
  site.clock.move(60)
  for (const daemon of [site.a, site.b]) {
    assert.equal(await rejectionOf(daemon, other.api_key), [401, 'sandbox_expired'])
  }
})

test('a renewal in a sandbox runs on another server when the server that owns the sandbox stops', async ({
  site,
}) => {
  const server = await openWebhookServer()
  const { atA, atB } = await create(site)
  await atA(api.webhookEndpoints.create, { url: server.url, enabled_events: ['invoice.paid'] })
  const { id: customer } = await atA(api.customers.create, { email: 'ada@example.com' })
  const session = await atA(api.checkoutSessions.create, {
    ...{ customer, currency: 'eur' },
    subscription_data: {
      interval: 'month',
      items: [{ description: 'Monthly rent', price_data: { amount: 100_000 } }],
    },
  })
  await atA(api.checkoutSessions.complete, { id: session.id, test_card: 'visa' })
  await server.waitFor(1)
  await site.a.stop()
  site.clock.move(31 * DAY + 10)
  await site.b.tick()
  // Both deliveries arrive before any request to the other server.
  await server.waitFor(2)
  await server.close()
  assert.is((await atB(api.invoices.list, {})).data.length, 2)
})

test('one server delivers all events of a sandbox, even if another server received the request', async ({
  site,
}) => {
  const server = await openWebhookServer()
  const { atA, atB } = await create(site)
  for (const path of ['one', 'two']) {
    await atA(api.webhookEndpoints.create, { url: `${server.url}${path}`, enabled_events: ['*'] })
  }
  await atA(api.customers.create, { email: 'ada@example.com' })
  await server.waitFor(2)
  await atB(api.customers.create, { email: 'bob@example.com' })
  await server.waitFor(4)
  const deliveries = server.received.map(({ url, headers }) => `${url} ${headers['webhook-id']}`)
  assert.is(new Set(deliveries).size, 4)
  await server.close()
})

test.run()
