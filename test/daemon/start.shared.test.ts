import { join } from 'node:path'
import { api } from '../../src/api/api.ts'
import { restoreState, saveState } from '../../src/daemon/states.ts'
import { openDatabase } from '../../src/store/open-database.ts'
import type { Store } from '../../src/store/port/store.ts'
import { subscribe } from '../support/billing.ts'
import { createClock, createCustomerOn, interruptAdvance } from '../support/clocks.ts'
import { createTestClock, openDaemon, type TestClock, type TestDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { dropDatabase, newDatabaseUrl, stopOwnPostgres } from '../support/postgres.ts'
import { createSandbox, DAY, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { openWebhookServer } from '../webhooks/webhook-server.ts'
import { readStream } from './streams/stream-reader.ts'

const HOOK = 'http://127.0.0.1:3000/hook'
const LEAVE = { method: 'POST', path: '/v1/stream/leave' } as const
/** The duration of the tests: longer than the five minutes after which an endpoint without a listener is disabled. */
const MINUTES = 8
const SUBSCRIBERS = 8
const MONTHS = 3

const test = suite('daemon/start with a shared PostgreSQL database')

/** The database of a test, its clock and its daemons. */
interface Site {
  readonly db: string
  readonly clock: TestClock
  readonly open: (options?: Parameters<typeof openDaemon>[0]) => Promise<TestDaemon>
}

let site: Site
const opened: TestDaemon[] = []

test.before.each(async () => {
  const db = await newDatabaseUrl()
  const clock = createTestClock()
  site = {
    db,
    clock,
    async open(options = {}) {
      const daemon = await openDaemon({ db, clock, ...options })
      opened.push(daemon)
      return daemon
    },
  }
})

test.after.each(async () => {
  for (const daemon of opened.splice(0)) await daemon.stop()
  await dropDatabase(site.db)
})

test.after(stopOwnPostgres)

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

const create = ({ call }: TestDaemon, email = 'ada@example.com') => call(api.customers.create, { email })
const endpointsOf = async ({ call }: TestDaemon) => (await call(api.webhookEndpoints.list, {})).data
const attemptsOf = ({ log }: TestDaemon) => log.filter(({ message }) => message.startsWith('webhook ')).length

/** Runs the background jobs of a daemon for longer than an endpoint without a listener stays enabled. */
async function passMinutes({ tick }: TestDaemon): Promise<void> {
  for (let minute = 0; minute < MINUTES; minute += 1) {
    site.clock.move(60)
    await tick()
  }
}

/** Opens a listener at a daemon. */
async function listenAt(daemon: TestDaemon) {
  const reading = await readStream(daemon, { forward: [`*=${HOOK}`] })
  const { reader, targets } = await reading.read('ready')
  const endpoint: string = targets[0].webhook_endpoint
  const leave = () => daemon.client.send(LEAVE, { reader, webhook_endpoints: [endpoint] })
  return { reading, endpoint, leave }
}

test('servers with one database have different API keys, and each server accepts all of them', async () => {
  const [a, b] = [await site.open(), await site.open()]
  assert.is.not(a.location.api_key, b.location.api_key)
  const { id } = await create(a)
  assert.is((await b.call(api.customers.retrieve, { id })).id, id)
  const response = await fetch(`${b.location.api_url}/v1/customers/${id}`, {
    headers: { Authorization: `Bearer ${a.location.api_key}` },
  })
  assert.is(response.status, 200)
  assert.equal([a.isNew, b.isNew], [true, false])
})

test('servers that start concurrently on an empty database share its secrets', async () => {
  const all = await Promise.all([site.open(), site.open(), site.open()])
  const readings = await Promise.all(all.map((daemon) => readStream(daemon)))
  const names = await Promise.all(
    readings.map(async (reading) => JSON.parse((await reading.waitFor('ready', 1))[0]?.data ?? '').database),
  )
  assert.is(new Set(names).size, 1)
  for (const reading of readings) reading.close()
})

test('the event stream of one server contains the events of the other server', async () => {
  const [a, b] = [await site.open(), await site.open()]
  const reading = await readStream(a)
  await reading.waitFor('ready', 1)
  await create(b)
  assert.is((await reading.read('event')).type, 'customer.created')
  reading.close()
})

test('revoking a key at one server closes the streams of that key at the other server', async () => {
  const [a, b] = [await site.open(), await site.open()]
  const { secret, id } = await a.call(api.apiKeys.create, { scopes: ['events:read'] })
  const reading = await readStream({ location: { ...a.location, api_key: secret } })
  await reading.waitFor('ready', 1)
  await b.call(api.apiKeys.revoke, { id })
  assert.is((await reading.read('close')).reason, 'key_ended')
})

test('lists events in the order of their sequence numbers even when the clocks of servers differ', async () => {
  const late = createTestClock()
  late.move(-30)
  const [a, b] = [await site.open(), await site.open({ clock: late })]
  for (const daemon of [a, b, a, b]) await create(daemon)
  const { data } = await b.call(api.events.list, {})
  assert.equal(
    data.map(({ sequence }) => sequence),
    [4, 3, 2, 1],
  )
})

test('an endpoint is not_listening only after its last listener on any server leaves', async () => {
  const [a, b] = [await site.open(), await site.open()]
  const [atA, atB] = [await listenAt(a), await listenAt(b)]
  assert.is(atA.endpoint, atB.endpoint)
  for (const daemon of [a, b]) await daemon.tick()
  assert.equal(Object(await atA.leave()).webhook_endpoints, [])
  assert.is((await endpointsOf(b))[0]?.status, 'enabled')
  // Withdraws the announcement of the first server.
  await a.tick()
  assert.equal(Object(await atB.leave()).webhook_endpoints, [atB.endpoint])
  assert.is((await endpointsOf(a))[0]?.status, 'not_listening')
  for (const { reading } of [atA, atB]) reading.close()
})

for (const isStopped of [false, true]) {
  test(`an endpoint stays enabled while the server of its listener ${isStopped ? 'restarts' : 'is another one'}`, async () => {
    const [a, b] = [await site.open(), await site.open()]
    const { reading, endpoint } = await listenAt(a)
    await a.tick()
    if (isStopped) await a.stop()
    await passMinutes(b)
    assert.is((await b.call(api.webhookEndpoints.retrieve, { id: endpoint })).status, 'enabled')
    reading.close()
  })
}

test('an endpoint stays enabled when its listener reconnects', async () => {
  const [a, b] = [await site.open(), await site.open()]
  await passMinutes(b)
  const { reading, endpoint } = await listenAt(a)
  reading.close()
  await a.tick()
  site.clock.move(60)
  await b.tick()
  assert.is((await b.call(api.webhookEndpoints.retrieve, { id: endpoint })).status, 'enabled')
})

test('servers that forward to one URL sign with the same secret', async () => {
  const forwardTo = [{ url: HOOK, events: ['*'] }]
  const [a, b] = [await site.open({ forwardTo }), await site.open({ forwardTo })]
  assert.is(b.location.webhook_secret, a.location.webhook_secret)
  const options = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  assert.is((await site.open({ webhookSecret: options })).location.webhook_secret, options)
})

test('a restore does not replace a database in use', async () => {
  const a = await site.open()
  const file = join(newFolder(), 'saved.json')
  await saveState(site.db, file)
  await a.tick()
  const refused = await restoreState(file, site.db).catch((error: unknown) => error)
  assert.match(String(refused), 'is in use by 1 paycli server(s), and nothing was stored')
  await a.stop()
  await restoreState(file, site.db)
})

test('a server without --forward-to keeps the endpoints of another server', async () => {
  const target = { url: HOOK, events: ['*'] }
  const a = await site.open({ forwardTo: [target] })
  const b = await site.open()
  const other = { url: 'http://127.0.0.1:3001/', events: ['customer.*'] }
  const c = await site.open({ forwardTo: [other] })
  for (const daemon of [a, b, c]) {
    const urls = (await endpointsOf(daemon)).map(({ url, status }) => `${url} ${status}`)
    assert.equal(urls.sort(), [`${HOOK} enabled`, `${other.url} enabled`])
  }
})

test('only one server delivers each event, and another server takes over after that server stops', async () => {
  const server = await openWebhookServer()
  const [a, b] = [await site.open({ forwardTo: [{ url: server.url, events: ['*'] }] }), await site.open()]
  await create(a)
  await server.waitFor(1)
  await until(() => attemptsOf(a) + attemptsOf(b) === 1)
  const [first, second] = attemptsOf(a) === 1 ? [a, b] : [b, a]
  await create(second)
  await server.waitFor(2)
  await until(() => attemptsOf(first) === 2)
  await first.stop()
  await create(second)
  await server.waitFor(3)
  await until(() => attemptsOf(second) === 1)
  const results = server.received.map(({ headers }) => headers['webhook-id'])
  assert.is(new Set(results).size, 3)
  assert.is(results.length, 3)
  await server.close()
})

/** Opens a store as a further process. */
async function openAlone(db: string): Promise<Store> {
  const { defaultStore } = await openDatabase({
    file: db,
    newSuffix: () => 'a-test',
    scheduling: { yieldToEventLoop: () => new Promise(setImmediate), monotonicMs: () => performance.now() },
    holder: { pid: process.pid, url: 'a test' },
  })
  return defaultStore
}

test('another process continues an interrupted clock advance and bills no renewal twice', async () => {
  const store = await openAlone(site.db)
  const sandbox = createSandbox({ store })
  const { id } = await createClock(sandbox)
  const subscription = await subscribe(sandbox, { customer: await createCustomerOn(sandbox, id) })
  await interruptAdvance(sandbox, id, START + 93 * DAY)
  await store.close()
  const [a, b] = [await site.open(), await site.open()]
  await until(async () => (await a.call(api.testClocks.retrieve, { id })).status === 'ready')
  const { data } = await b.call(api.invoices.list, { subscription: subscription.id })
  assert.is(data.length, 4)
  assert.is(new Set(data.map(({ period_start }) => period_start)).size, data.length)
  const logged = [...a.log, ...b.log].filter(({ level }) => level === 'error')
  assert.equal(logged, [])
})

test('only one of several processes bills each renewal in real time', async () => {
  const daemons = [await site.open(), await site.open(), await site.open()]
  const [first] = daemons as [TestDaemon, ...TestDaemon[]]
  const subscribed = Array.from({ length: SUBSCRIBERS }, async (_, number) => {
    const { id } = await create(first, `n${number}@example.com`)
    const items = [{ description: 'Monthly rent', price_data: { amount: 100_000 } }]
    const session = await first.call(api.checkoutSessions.create, {
      ...{ customer: id, currency: 'eur' },
      subscription_data: { interval: 'month', items },
    })
    await first.call(api.checkoutSessions.complete, { id: session.id, test_card: 'visa' })
  })
  await Promise.all(subscribed)
  for (let month = 0; month < MONTHS; month += 1) {
    site.clock.move(31 * DAY)
    await Promise.all([...daemons, ...daemons].map(({ tick }) => tick()))
  }
  const { data } = await first.call(api.invoices.list, { limit: 100 })
  const periods = data.map(({ subscription, period_start }) => `${subscription} ${period_start}`)
  assert.equal(
    [data.length, new Set(periods).size, new Set(data.map(({ number }) => number)).size],
    Array(3).fill(SUBSCRIBERS * (MONTHS + 1)),
  )
  assert.ok(data.every(({ status }) => status === 'paid'))
  const logged = daemons.flatMap(({ log }) => log.filter(({ level }) => level === 'error'))
  assert.equal(logged, [])
})

test.run()
