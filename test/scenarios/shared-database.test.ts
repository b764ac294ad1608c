import { api } from '../../src/api/api.ts'
import { readPages } from '../../src/cli/request/paginate.ts'
import type { Client } from '../../src/client/client.ts'
import { followStream } from '../../src/client/follow-stream.ts'
import type { Event } from '../../src/domain/events/events.ts'
import { cardFields, openForm, sendForm } from '../support/page-forms.ts'
import { dropDatabase, newDatabaseUrl, startPostgres, stopOwnPostgres } from '../support/postgres.ts'
import { assert, suite } from '../support/suite.ts'
import { openWebhookServer } from '../webhooks/webhook-server.ts'
import { type Cluster, startCluster } from './cluster.ts'

const SERVICES = 3
const WRITERS = 6
const KILLS = 6
const WRITES_BETWEEN_KILLS = 25
const CLOCKS = 4
const MONTHS = 3
const MOST_RECORDS = 100_000
const SUBMITS = 20

const test = suite('scenarios/shared-database', {}, 180_000)

test.after(stopOwnPostgres)

/** Repeats a call at the next server until it responds, with one idempotency key. */
async function callUntilResponse<R>(
  cluster: Cluster,
  key: string,
  call: (client: Client) => Promise<R>,
): Promise<R> {
  for (let place = key.length; ; place += 1) {
    try {
      return await call(cluster.client(place, key))
    } catch (error) {
      // The server was killed, has not restarted yet, or the first request is still running.
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (place > 1000) throw error
    }
  }
}

/** Creates a subscription on its own test clock. */
async function subscribeOnClock(client: Client): Promise<{ clock: string; subscription: string }> {
  const clock = await client.call(api.testClocks.create, { frozen_time: 1_767_225_600 })
  const customer = await client.call(api.customers.create, {
    email: 'rent@example.com',
    test_clock: clock.id,
  })
  const { id } = await client.call(api.checkoutSessions.create, {
    customer: customer.id,
    currency: 'eur',
    subscription_data: {
      interval: 'month',
      items: [
        { description: 'Rent', type: 'rent', price_data: { amount: 1900, currency: 'eur', tax_percent: 19 } },
      ],
    },
  })
  const session = await client.call(api.checkoutSessions.complete, { id, test_card: 'visa' })
  if (session.object !== 'checkout_session') throw new Error('no checkout session')
  return { clock: clock.id, subscription: session.subscription ?? '' }
}

/** Reads the events of one server across restarts until it is stopped, and counts each sequence number. */
function listen(
  cluster: Cluster,
  place: number,
  signal: AbortSignal,
): { readonly received: number[]; readonly done: Promise<void> } {
  const received: number[] = []
  const { api_url, api_key } = cluster.at(place).location
  const done = followStream({
    apiBase: api_url,
    apiKey: api_key,
    query: {},
    after: '0',
    signal,
    backoffMs: () => 50,
    onMessage: ({ event, data }) => {
      if (event === 'event') received.push((JSON.parse(data) as Event).sequence)
      if (event === 'reset') throw new Error(`service ${place} lost its place: ${data}`)
    },
  })
  return { received, done }
}

async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 25))
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Writers that create customers until they are stopped, and the id of each response by email. */
interface Writers {
  readonly answered: ReadonlyMap<string, string>
  readonly stop: () => Promise<void>
}

function startWriters(cluster: Cluster): Writers {
  const answered = new Map<string, string>()
  let isOver = false
  const writing = upTo(WRITERS).map(async (writer) => {
    for (let number = 0; !isOver; number += 1) {
      const email = `${writer}-${number}@example.com`
      const { id } = await callUntilResponse(cluster, `write ${email}`, (client) =>
        client.call(api.customers.create, { email }),
      )
      answered.set(email, id)
    }
  })
  return {
    answered,
    async stop() {
      isOver = true
      await Promise.all(writing)
    },
  }
}

/** Asserts that each confirmed customer exists exactly once. */
async function checkCustomers(client: Client, answered: ReadonlyMap<string, string>): Promise<void> {
  const { found: customers } = await readPages(
    (cursor) => client.call(api.customers.list, { ...cursor }),
    MOST_RECORDS,
  )
  const byEmail = Map.groupBy(customers, ({ email }) => email)
  const lost = [...answered].filter(([email, id]) => byEmail.get(email)?.[0]?.id !== id)
  assert.equal(lost, [], 'confirmed, but lost')
  const twice = [...answered.keys()].filter((email) => byEmail.get(email)?.length !== 1)
  assert.equal(twice, [], 'duplicates')
}

/** Asserts that a subscription has one paid invoice for each period. */
async function checkInvoices(client: Client, subscription: string): Promise<void> {
  const { data } = await client.call(api.invoices.list, { subscription, limit: 100 })
  assert.equal(
    data.map(({ status }) => status),
    upTo(MONTHS + 1).map(() => 'paid'),
  )
  assert.is(
    new Set(data.map(({ period_start }) => period_start)).size,
    MONTHS + 1,
    'each period is billed once',
  )
}

test(`${SERVICES} daemons under load with ${KILLS} kills lose no object, and bill and deliver nothing twice`, async () => {
  const db = await newDatabaseUrl()
  const cluster = await startCluster(SERVICES, db)
  const receiver = await openWebhookServer()
  const first = cluster.client(0)
  await first.call(api.webhookEndpoints.create, { url: receiver.url, enabled_events: ['*'] })
  const billed = await Promise.all(upTo(CLOCKS).map(() => subscribeOnClock(first)))
  const ending = new AbortController()
  const listeners = upTo(SERVICES).map((place) => listen(cluster, place, ending.signal))
  const writers = startWriters(cluster)
  const { answered } = writers
  const advancing = billed.map(({ clock }) =>
    callUntilResponse(cluster, `advance ${clock}`, (client) =>
      client.call(api.testClocks.advance, { id: clock, by: { interval: 'month', count: MONTHS } }),
    ),
  )
  for (let kill = 0; kill < KILLS; kill += 1) {
    const wanted = answered.size + WRITES_BETWEEN_KILLS
    await waitUntil(() => answered.size >= wanted)
    await cluster.replace(kill)
  }
  await Promise.all([writers.stop(), ...advancing])

  await checkCustomers(first, answered)
  for (const { subscription } of billed) await checkInvoices(first, subscription)
  const { found: events } = await readPages(
    (cursor) => first.call(api.events.list, { ...cursor }),
    MOST_RECORDS,
  )
  const sequences = upTo(events.length)
  const kept = events.map(({ sequence }) => sequence).sort((a, b) => a - b)
  assert.equal(kept, sequences, 'no event is lost')
  await waitUntil(() => listeners.every(({ received }) => received.length >= events.length))
  ending.abort()
  await Promise.all(listeners.map(({ done }) => done))
  for (const { received } of listeners)
    assert.equal(received, sequences, 'each listener receives each event once, in order')
  await waitUntil(
    () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size >= events.length,
  )
  await cluster.stop()
  await receiver.close()
  await dropDatabase(db)
})

test(`${SUBMITS} submissions of one form to ${SERVICES} daemons create one payment and one event`, async () => {
  const db = await newDatabaseUrl()
  const cluster = await startCluster(SERVICES, db)
  const client = cluster.client(0)
  const customer = await client.call(api.customers.create, { email: 'ada@example.com' })
  const session = await client.call(api.paymentSessions.create, {
    customer: customer.id,
    amount: 1200,
    currency: 'eur',
    payment_method_types: ['card'],
    return_url: 'https://shop.example/done',
  })
  const { pathname } = new URL(session.url)
  const urls = upTo(SERVICES).map((place) => cluster.at(place).location.checkout_url + pathname)
  const token = await openForm(urls[0] ?? '')
  const answers = await Promise.all(
    upTo(SUBMITS).map((number) =>
      sendForm(urls[number % SERVICES] ?? '', token, cardFields('4242424242424242')),
    ),
  )
  assert.equal([...new Set(answers.map(({ status }) => status))], [303])
  assert.is((await client.call(api.payments.list, {})).data.length, 1)
  for (const types of [['payment_session.completed'], ['payment.succeeded']] as const)
    assert.is((await client.call(api.events.list, { types: [...types] })).data.length, 1, types[0])
  await cluster.stop()
  await dropDatabase(db)
})

test('keeps every confirmed object when PostgreSQL is killed under load and restarted', async () => {
  const server = await startPostgres()
  const cluster = await startCluster(2, server.url)
  const writers = startWriters(cluster)
  const { answered } = writers
  for (const end of [server.kill, server.halt]) {
    const before = answered.size
    await waitUntil(() => answered.size >= before + WRITES_BETWEEN_KILLS)
    await end()
    const refused = await cluster
      .client(0)
      .call(api.customers.list, {})
      .catch((error: unknown) => error)
    assert.match(String(refused), 'database', 'the error names the database')
    await server.start()
  }
  const after = answered.size
  await waitUntil(() => answered.size >= after + WRITES_BETWEEN_KILLS)
  await writers.stop()
  const client = cluster.client(1)
  const { found } = await readPages((cursor) => client.call(api.customers.list, { ...cursor }), MOST_RECORDS)
  const kept = new Map(found.map(({ email, id }) => [email, id]))
  assert.equal(
    [...answered].filter(([email, id]) => kept.get(email) !== id),
    [],
  )
  assert.is(kept.size, found.length, 'no duplicates')
  const { data } = await client.call(api.events.list, { limit: 1 })
  assert.is(data[0]?.sequence, found.length)
  await cluster.stop()
  await server.stop()
})

test.run()
