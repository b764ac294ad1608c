import * as standard from 'standardwebhooks'
import Stripe from 'stripe'
import * as svix from 'svix'
import { api } from '../../src/api/api.ts'
import type { Event } from '../../src/domain/events/events.ts'
import type { WebhookDelivery } from '../../src/domain/events/webhook-deliveries.ts'
import type { CheckoutSession } from '../../src/domain/sessions/checkout-sessions.ts'
import type { PaymentSession } from '../../src/domain/sessions/payment-sessions.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { fieldsOf, type HttpResponse, sendRequest } from '../support/raw-http.ts'
import { assert, suite } from '../support/suite.ts'
import { openWebhookServer, type ReceivedRequest, type WebhookServer } from '../webhooks/webhook-server.ts'

/** The canonical payloads, byte for byte, except the customer. */
const CHECKOUT_SESSION = `{"currency":"eur","customer":"cus_…","payment_method_types":["card"],
 "subscription_data":{"collection_method":"charge_automatically","interval":"month","interval_count":1,"start_date":1704067200,
  "items":[{"description":"Monthly rent","type":"rent","price_data":{"amount":100000,"currency":"eur","tax_percent":20}}]}}`
const PAYMENT_SESSION = `{"amount":1000,"currency":"eur","customer":"cus_…","payment_method_types":["card"],"return_url":"https://example.com/return"}`

const SALE = [
  'payment_method.attached',
  'customer.updated',
  'subscription.created',
  'invoice.created',
  'invoice.finalized',
  'payment.created',
  'payment.succeeded',
  'invoice.paid',
  'checkout_session.completed',
]
const PAYMENT = ['payment.created', 'payment.succeeded', 'payment_session.completed']
const RETRY_SECONDS = 5

/** API path by id prefix. Nested objects have no path. */
const PATHS: Readonly<Record<string, string>> = {
  cus: 'customers',
  cks: 'checkout_sessions',
  py_sess: 'payment_sessions',
  pm: 'payment_methods',
  sub: 'subscriptions',
  in: 'invoices',
  py: 'payments',
  evt: 'events',
}

const test = suite('scenarios/end-to-end')

let daemon: TestDaemon
let receiver: WebhookServer
/** Objects that the webhook handler retrieved while it handled the completed session. */
const seen = new Map<string, HttpResponse>()
/** Event types for which the handler fails once. */
const failing = new Set<string>()

test.before(async () => {
  receiver = await openWebhookServer(async (_request, response) => {
    const event = eventOf(receiver.received.at(-1))
    if (event.type === 'checkout_session.completed') await retrieveReferences(event)
    response.statusCode = failing.delete(event.type) ? 500 : 200
    response.end('from the shop')
  })
  daemon = await openDaemon({ forwardTo: [{ url: receiver.url, events: ['*'] }] })
})

test.after(async () => {
  await daemon?.stop()
  await receiver?.close()
})

const eventOf = (received: ReceivedRequest | undefined) => JSON.parse(received?.body ?? '{}') as Event
const types = (from: number) => receiver.received.slice(from).map((one) => eventOf(one).type)

function call(method: string, path: string, body = ''): Promise<HttpResponse> {
  const { api_url, api_key } = daemon.location
  const headers = { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' }
  return sendRequest(api_url + path, { method, headers, body })
}

async function create<T>(path: string, body: string): Promise<T> {
  const answer = await call('POST', path, body)
  assert.is(answer.status, 200, answer.text)
  return fieldsOf<T>(answer)
}

async function retrieveReferences(event: Event): Promise<void> {
  for (const [id, prefix = ''] of JSON.stringify(event).matchAll(/\b([a-z]+(?:_sess)?)_[0-9A-Za-z]{24}\b/g)) {
    if (prefix !== 'req') seen.set(id, await call('GET', `/v1/${PATHS[prefix]}/${id}`))
  }
}

function verify({ body, headers }: ReceivedRequest, secret: string): void {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  new standard.Webhook(secret).verify(body, given)
  new svix.Webhook(secret).verify(body, given)
  const event = Stripe.webhooks.constructEvent(body, given['paycli-signature'] ?? '', secret)
  assert.is(event.id, given['webhook-id'])
}

test('creates a subscription from a customer, a session and a card, and delivers the webhook', async () => {
  const customer = await create<{ id: string }>('/v1/customers', '{"email":"ada@example.com"}')
  const session = await create<CheckoutSession>(
    '/v1/checkout_sessions',
    CHECKOUT_SESSION.replace('cus_…', customer.id),
  )
  assert.is(session.url, `${daemon.location.checkout_url}/checkout/${session.id}`)
  assert.match((await sendRequest(session.url)).text, 'Monthly rent')
  await daemon.tick()
  const before = receiver.received.length
  const path = `/v1/test_helpers/checkout_sessions/${session.id}/complete`
  const done = await create<CheckoutSession>(path, '{"test_card":"visa"}')
  assert.equal([done.status, done.payment_status, done.amount_total], ['complete', 'paid', 120_000])
  await daemon.tick()
  assert.equal(types(before), SALE)
  assert.equal(eventOf(receiver.received.at(-1)).data.object, done)
})

test('the handler of checkout_session.completed can retrieve all referenced objects', () => {
  const prefixes = [...seen.keys()].map((id) => id.replace(/_[0-9A-Za-z]{24}$/, '')).sort()
  assert.equal(prefixes, ['cks', 'cus', 'evt', 'in', 'pm', 'py', 'sub'])
  for (const [id, answer] of seen) assert.equal([answer.status, fieldsOf(answer)['id']], [200, id])
  const statusOf = (prefix: string) => {
    const [, answer] = [...seen].find(([id]) => id.startsWith(`${prefix}_`)) ?? []
    return answer && fieldsOf(answer)['status']
  }
  assert.equal(['sub', 'in', 'py', 'cks'].map(statusOf), ['active', 'paid', 'succeeded', 'complete'])
})

test('completes a payment session with a card and delivers the webhook', async () => {
  const customer = await create<{ id: string }>('/v1/customers', '{"email":"bob@example.com"}')
  const session = await create<PaymentSession>(
    '/v1/payment_sessions',
    PAYMENT_SESSION.replace('cus_…', customer.id),
  )
  assert.is(session.url, `${daemon.location.checkout_url}/sessions/${session.id}`)
  await daemon.tick()
  const before = receiver.received.length
  const path = `/v1/test_helpers/payment_sessions/${session.id}/complete`
  const done = await create<PaymentSession>(path, '{"test_card":"visa"}')
  assert.equal([done.status, done.payment_status], ['complete', 'paid'])
  await daemon.tick()
  assert.equal(types(before), PAYMENT)
})

test('retries a failed delivery with the same event and a new signature', async () => {
  failing.add('customer.created')
  await create('/v1/customers', '{"email":"eve@example.com"}')
  await daemon.tick()
  const first = receiver.received.at(-1)
  const { id } = eventOf(first)
  const failed = fieldsOf<{ data: WebhookDelivery[] }>(
    await call('GET', `/v1/webhook_deliveries?event=${id}`),
  )
  const [waiting, tried] = failed.data
  assert.equal([tried?.status, tried?.http_status, tried?.error], ['failed', 500, 'http_status'])
  assert.is(tried?.response_body, 'from the shop')
  assert.equal([waiting?.status, waiting?.attempt], ['pending', 2])
  const wait = (waiting?.next_attempt_at ?? 0) - daemon.clock.now()
  assert.ok(wait >= 0.8 * RETRY_SECONDS && wait <= 1.2 * RETRY_SECONDS, `${wait} seconds`)
  assert.is(fieldsOf<Event>(await call('GET', `/v1/events/${id}`)).pending_webhooks, 1)

  await daemon.tick()
  assert.is(receiver.received.at(-1), first, 'no retry before its time')
  daemon.clock.move(wait)
  await daemon.tick()
  const second = receiver.received.at(-1)
  assert.is(second?.body, first?.body)
  assert.is(second?.headers['webhook-id'], id)
  assert.is(Number(second?.headers['webhook-timestamp']) - Number(first?.headers['webhook-timestamp']), wait)
  assert.is.not(second?.headers['webhook-signature'], first?.headers['webhook-signature'])
  const { data } = fieldsOf<{ data: WebhookDelivery[] }>(
    await call('GET', `/v1/webhook_deliveries?event=${id}`),
  )
  assert.equal(
    data.map(({ attempt, status }) => `${attempt} ${status}`),
    ['2 succeeded', '1 failed'],
  )
  assert.is(fieldsOf<Event>(await call('GET', `/v1/events/${id}`)).pending_webhooks, 0)
})

test('the packages of Standard Webhooks, Svix and Stripe verify every delivery', () => {
  assert.ok(receiver.received.length > SALE.length + PAYMENT.length)
  for (const received of receiver.received) {
    assert.equal(
      [received.method, received.headers['content-type']],
      ['POST', 'application/json; charset=utf-8'],
    )
    verify(received, daemon.location.webhook_secret)
  }
  const [first] = receiver.received
  if (first === undefined) throw new Error('nothing was received')
  assert.throws(() => verify({ ...first, body: `${first.body} ` }, daemon.location.webhook_secret))
  assert.throws(() => verify(first, `whsec_${Buffer.alloc(24).toString('base64')}`))
})

test('the delivered events equal the listed events, in order and without gaps', async () => {
  const { data } = await daemon.call(api.events.list, { limit: 100 })
  const delivered = new Map(receiver.received.map((received) => [eventOf(received).id, eventOf(received)]))
  assert.equal(
    [...delivered.values()].map(({ sequence }) => sequence),
    data.map((_, index) => index + 1),
  )
  for (const event of data) assert.equal({ ...delivered.get(event.id), pending_webhooks: 0 }, event)
})

test('a second endpoint receives only its event types, signed with its own secret', async () => {
  const own = await openWebhookServer()
  const endpoint = await daemon.call(api.webhookEndpoints.create, {
    url: own.url,
    enabled_events: ['customer.deleted', 'payment_session.*'],
  })
  const customer = await daemon.call(api.customers.create, { email: 'own@example.com' })
  await create('/v1/payment_sessions', PAYMENT_SESSION.replace('cus_…', customer.id))
  await daemon.call(api.customers.delete, { id: customer.id })
  await daemon.tick()
  assert.equal(
    own.received.map((one) => eventOf(one).type),
    ['payment_session.created', 'payment_session.expired', 'customer.deleted'],
  )
  for (const received of own.received) verify(received, endpoint.secret)
  await own.close()
})

test.run()
