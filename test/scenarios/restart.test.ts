import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api, operations } from '../../src/api/index.ts'
import type { Event } from '../../src/domain/events.ts'
import { startServing } from '../commands/serving.ts'
import { cardFields, openForm, sendForm } from '../support/buyer.ts'
import { createTestClock, openDaemon, type TestClock, type TestDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { freePort } from '../support/ports.ts'
import { assert, suite } from '../support/suite.ts'
import { ask, fieldsOf, post } from '../support/wire.ts'
import { openReceiver, type Receiver } from '../webhooks/receiver.ts'

const RENT = { description: 'Monthly rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } }
const HALF_AN_HOUR = 1800
const RETRY_SECONDS = 10
const CREATES_AT_ONCE = 20

const test = suite('scenarios/restart')

const home = newFolder()
const db = join(home, 'data', 'paycli.json')
const clock: TestClock = createTestClock()

let daemon: TestDaemon
let receiver: Receiver
let isShopBroken = true

test.before(async () => {
  receiver = await openReceiver((_request, response) => {
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

/** Stops the daemon and starts it again at the same addresses, after so many seconds. */
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
  const answer = await ask(api_url + path, { headers: { Authorization: `Bearer ${api_key}` } })
  assert.is(answer.status, 200, path)
  return answer.text
}

/** Every list of every resource, as it comes over the wire, but the log, into which each of these goes. */
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

/** One of everything, in every state it can stay in. */
async function fill(): Promise<string> {
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
  await call(api.checkoutSessions.complete, { id: sold.id, test_card: 'visa' })
  await call(api.checkoutSessions.expire, { id: expired.id })
  const [paid, declined] = [await newPayment(ada.id), await newPayment(ada.id), await newPayment(bob.id)]
  const { payment } = await call(api.paymentSessions.complete, { id: paid.id, test_card: 'visa' })
  await call(api.refunds.create, { payment: payment ?? '', amount: 1 })
  await call(api.testClocks.create, { frozen_time: clock.now(), name: 'ahead' })
  await call(api.paymentSessions.complete, { id: declined.id, test_card: 'insufficient_funds' }).catch(
    () => {},
  )
  await call(api.customers.delete, { id: bob.id })
  return ada.id
}

test('every list of every resource is the same to the byte, and the key still opens', async () => {
  const ada = await fill()
  await daemon.tick()
  const [before, { location }] = [await allLists(ada), daemon]
  assert.is(Object.keys(before).length, 13)
  for (const [name, text] of Object.entries(before)) assert.ok(JSON.parse(text).data.length > 0, `no ${name}`)
  await restart()
  assert.equal(daemon.location, location)
  const after = await allLists(ada)
  for (const [name, text] of Object.entries(before)) assert.is(after[name], text, name)
})

test('the sequence of events goes on without a gap', async () => {
  const newest = async () => (await daemon.call(api.events.list, { limit: 1 })).data[0]?.sequence ?? 0
  const before = await newest()
  await daemon.call(api.customers.create, { email: 'eve@example.com' })
  assert.is(await newest(), before + 1)
  await restart()
  await daemon.call(api.customers.create, { email: 'eve@example.com' })
  assert.is(await newest(), before + 2)
})

test('a delivery that waited is made, with the body it always had', async () => {
  const waiting = (await daemon.call(api.webhookDeliveries.list, { status: 'pending', limit: 100 })).data
  assert.ok(waiting.length > 20, `${waiting.length} are waiting`)
  await daemon.tick()
  const tried = new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]))
  isShopBroken = false
  // From before the start: its ticker may be faster than whoever waits for it.
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

test('a session whose time passed while nobody was there expired at that time', async () => {
  const customer = await daemon.call(api.customers.create, { email: 'ada@example.com' })
  const session = await newPayment(customer.id, { expires_at: clock.now() + HALF_AN_HOUR })
  await restart(2 * HALF_AN_HOUR)
  const { status, expired_at } = JSON.parse(await get(`/v1/payment_sessions/${session.id}`))
  assert.equal([status, expired_at], ['expired', session.expires_at])
  const { data } = await daemon.call(api.events.list, { object_id: session.id, limit: 1 })
  assert.equal([data[0]?.type, data[0]?.created], ['payment_session.expired', session.expires_at])
  await daemon.tick()
  assert.is(JSON.parse(receiver.received.at(-1)?.body ?? '').id, data[0]?.id)
})

test('a buyer goes on where they were: at the form, and at the bank', async () => {
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

test('nothing of a card is in any file, while it runs or afterwards', async () => {
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

test('what was answered is there after kill -9, and nothing twice', async () => {
  const [killedHome, killed] = [newFolder(), join(newFolder(), 'paycli.json')]
  const env = { PAYCLI_HOME: killedHome }
  const serving = await startServing(['--db', killed, '--log-format', 'silent'], env)
  const { api_url, api_key } = serving.location
  const answered: string[] = []
  const asked = Array.from({ length: CREATES_AT_ONCE }, async (_, index) => {
    const answer = await post(`${api_url}/v1/customers`, api_key, { email: `c${index}@example.com` })
    if (answer.status === 200) answered.push(String(fieldsOf(answer)['id']))
    serving.kill('SIGKILL')
  })
  await Promise.allSettled(asked)
  assert.is(await serving.ended, 'SIGKILL')
  assert.ok(answered.length > 0)
  const after = await openDaemon({ home: killedHome, db: killed })
  assert.is(after.location.api_key, api_key)
  const { data } = await after.call(api.customers.list, { limit: 100 })
  const ids = data.map(({ id }) => id)
  for (const id of answered) assert.ok(ids.includes(id), `${id} was lost`)
  const events: readonly Event[] = (await after.call(api.events.list, { limit: 100 })).data
  assert.equal(
    events.map((event) => event.data.object.id),
    ids,
  )
  assert.equal(
    events.map(({ sequence }) => sequence),
    ids.map((_, index) => ids.length - index),
  )
  await after.stop()
})

test.run()
