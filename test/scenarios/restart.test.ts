import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api, operations } from '../../src/api/api.ts'
import { RESOURCES } from '../../src/api/resources/catalog.ts'
import { createTestClock, openDaemon, type TestClock, type TestDaemon } from '../support/daemon.ts'
import { createMissing } from '../support/example-objects.ts'
import { newFolder } from '../support/folders.ts'
import { cardFields, openForm, sendForm } from '../support/page-forms.ts'
import { freePort } from '../support/ports.ts'
import { sendRequest } from '../support/raw-http.ts'
import { assert, suite } from '../support/suite.ts'
import { openWebhookServer, type WebhookServer } from '../webhooks/webhook-server.ts'

const RENT = { description: 'Monthly rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } }
const HALF_AN_HOUR = 1800
const RETRY_SECONDS = 10

const test = suite('scenarios/restart')

const home = newFolder()
const db = join(home, 'data', 'paycli.json')
const clock: TestClock = createTestClock()

let daemon: TestDaemon
let receiver: WebhookServer
let isShopBroken = true

test.before(async () => {
  receiver = await openWebhookServer((_request, response) => {
    response.statusCode = isShopBroken ? 500 : 200
    response.end()
  })
  daemon = await openDaemon({
    ...{ home, db, clock, port: await freePort(), checkoutPort: await freePort() },
    forwardTo: [{ url: receiver.url, events: ['*'] }],
  })
})

test.after(async () => {
  await daemon?.stop()
  await receiver?.close()
})

/** Stops the daemon and restarts it at the same addresses after a number of seconds. */
async function restart(afterSeconds = 0): Promise<void> {
  const { api_url, checkout_url } = daemon.location
  await daemon.stop()
  clock.move(afterSeconds)
  const [port, checkoutPort] = [Number(new URL(api_url).port), Number(new URL(checkout_url).port)]
  daemon = await openDaemon({
    home,
    db,
    clock,
    port,
    checkoutPort,
    forwardTo: [{ url: receiver.url, events: ['*'] }],
  })
}

async function get(path: string): Promise<string> {
  const { api_url, api_key } = daemon.location
  const answer = await sendRequest(api_url + path, { headers: { Authorization: `Bearer ${api_key}` } })
  assert.is(answer.status, 200, path)
  return answer.text
}

/** Returns every list of every resource as sent, except the request log, which these requests change. */
async function allLists(customer: string): Promise<Record<string, string>> {
  const lists: Record<string, string> = {}
  const lasting = operations.filter(({ name }) => /\.list/.test(name) && name !== 'requestLogs.list')
  for (const { name, operation } of lasting) {
    lists[name] = await get(`${operation.path.replace(':id', customer)}?limit=100`)
  }
  return lists
}

async function newPayment(customer: string, fields: { readonly expires_at?: number } = {}) {
  return daemon.call(api.paymentSessions.create, {
    amount: 1000,
    currency: 'eur',
    customer,
    payment_method_types: ['card'],
    return_url: 'https://example.com/return?a=1',
    ...fields,
  })
}

async function newCheckout(customer: string) {
  const subscription_data = { interval: 'month', items: [RENT] } as const
  return daemon.call(api.checkoutSessions.create, { currency: 'eur', customer, subscription_data })
}

/** Creates objects of every type in every persistent status. */
async function createObjects(): Promise<string> {
  const { call } = daemon
  const [ada, bob] = [
    await call(api.customers.create, {
      email: 'ada@example.com',
      name: 'Ada \u2028 🧾',
      metadata: { a: 'b' },
    }),
    await call(api.customers.create, { email: 'bob@example.com' }),
  ]
  await call(api.webhookEndpoints.create, { url: receiver.url, enabled_events: ['invoice.*'] })
  const [sold, expired] = [await newCheckout(ada.id), await newCheckout(ada.id), await newCheckout(ada.id)]
  const { subscription } = await call(api.checkoutSessions.complete, { id: sold.id, test_card: 'visa' })
  await call(api.checkoutSessions.expire, { id: expired.id })
  const [paid, declined] = [await newPayment(ada.id), await newPayment(ada.id), await newPayment(bob.id)]
  const { payment } = await call(api.paymentSessions.complete, { id: paid.id, test_card: 'visa' })
  await call(api.paymentSessions.complete, { id: declined.id, test_card: 'insufficient_funds' }).catch(
    () => {},
  )
  const existing = {
    ...{ customers: ada.id, checkout_sessions: sold.id, payment_sessions: paid.id },
    ...{ payments: payment ?? '', subscriptions: subscription ?? '' },
  }
  await call(api.faults.create, { type: 'error', match: { operation: 'refunds.create' }, skip: 100 })
  await createMissing(call, { ...existing, webhook_endpoints: '', api_keys: '', faults: '' })
  await call(api.customers.delete, { id: bob.id })
  return ada.id
}

test('every list of every resource is identical after a restart, and the API key is still valid', async () => {
  const ada = await createObjects()
  await daemon.tick()
  const [before, { location }] = [await allLists(ada), daemon]
  assert.is(Object.keys(before).length, RESOURCES.length - 1)
  for (const [name, text] of Object.entries(before)) assert.ok(JSON.parse(text).data.length > 0, `no ${name}`)
  await restart()
  assert.equal(daemon.location, location)
  const after = await allLists(ada)
  for (const [name, text] of Object.entries(before)) assert.is(after[name], text, name)
})

test('the sequence of events continues without a gap', async () => {
  const newest = async () => (await daemon.call(api.events.list, { limit: 1 })).data[0]?.sequence ?? 0
  const before = await newest()
  await daemon.call(api.customers.create, { email: 'eve@example.com' })
  assert.is(await newest(), before + 1)
  await restart()
  await daemon.call(api.customers.create, { email: 'eve@example.com' })
  assert.is(await newest(), before + 2)
})

test('sends a pending delivery with its original body after a restart', async () => {
  const waiting = (await daemon.call(api.webhookDeliveries.list, { status: 'pending', limit: 100 })).data
  assert.ok(waiting.length > 20, `${waiting.length} are waiting`)
  await daemon.tick()
  const tried = new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]))
  isShopBroken = false
  // Subscribe before the start, because the ticker may be faster.
  const from = receiver.received.length
  await restart(RETRY_SECONDS)
  await daemon.tick()
  const again = receiver.received.slice(from)
  for (const { event } of waiting) {
    const found = again.find(({ headers }) => headers['webhook-id'] === event)
    assert.is(found?.body, tried.get(event), event)
  }
  assert.equal((await daemon.call(api.webhookDeliveries.list, { status: 'pending' })).data, [])
})

test('a session whose expiry passed during the downtime has its scheduled expiry time', async () => {
  const customer = await daemon.call(api.customers.create, { email: 'ada@example.com' })
  const session = await newPayment(customer.id, { expires_at: clock.now() + HALF_AN_HOUR })
  await restart(2 * HALF_AN_HOUR)
  const { status, expired_at } = JSON.parse(await get(`/v1/payment_sessions/${session.id}`))
  assert.equal([status, expired_at], ['expired', session.expires_at])
  const { data } = await daemon.call(api.events.list, { object_id: session.id, limit: 1 })
  assert.equal([data[0]?.type, data[0]?.created], ['payment_session.expired', session.expires_at])
  await daemon.tick()
  const received = receiver.received.map(({ body }) => JSON.parse(body).id)
  assert.ok(received.includes(data[0]?.id))
})

test('a customer can use a card form and a 3-D Secure page that were opened before the restart', async () => {
  const customer = await daemon.call(api.customers.create, { email: 'ada@example.com' })
  const session = await newPayment(customer.id)
  const token = await openForm(session.url)
  await restart()
  const sent = await sendForm(session.url, token, cardFields('4000000000003220'))
  const bank = new URL(sent.headers['location'] ?? '', session.url).href
  assert.match(bank, /\/3ds\/py_/)
  const answerToken = await openForm(bank)
  await restart()
  const answered = await sendForm(bank, answerToken, { answer: 'approve' })
  assert.match(answered.headers['location'] ?? '', /\/done$/)
  assert.is(JSON.parse(await get(`/v1/payment_sessions/${session.id}`)).payment_status, 'paid')
  const repeated = await sendForm(session.url, token, cardFields('4242424242424242'))
  assert.equal([repeated.status, repeated.headers['location']], [303, answered.headers['location']])
})

test('the daemon stores no card data in any file, while running or after it stops', async () => {
  const check = () => {
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    assert.ok(files.length > 2)
    for (const { parentPath, name } of files) {
      assert.not.match(
        readFileSync(join(parentPath, name), 'latin1'),
        /4242424242424242|4000000000003220|"cvc"/,
      )
    }
  }
  check()
  await restart()
  check()
})

test.run()
