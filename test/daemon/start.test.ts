import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { api } from '../../src/api/api.ts'
import { DomainError } from '../../src/domain/core/domain-error.ts'
import { StartupError } from '../../src/domain/core/startup-error.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { cardFields, openForm, sendForm } from '../support/page-forms.ts'
import { freePort } from '../support/ports.ts'
import { fieldsOf, type HttpResponse, postJson, sendRequest } from '../support/raw-http.ts'
import { newPaymentSession } from '../support/samples.ts'
import { assert, suite } from '../support/suite.ts'
import { testBackend } from '../support/test-backend.ts'
import { openWebhookServer } from '../webhooks/webhook-server.ts'

const test = suite('daemon/start')

const portOf = (url: string) => Number(new URL(url).port)
const KEY = 'paysk_test_given0000000000000000000000000000'

async function problem(starting: Promise<TestDaemon>): Promise<StartupError> {
  const error = await starting.catch((thrown: unknown) => thrown)
  if (error instanceof StartupError) return error
  throw new Error(`no problem, but ${String(error)}`)
}

test('the error names the flag when its port is in use, and the other port is released', async () => {
  const first = await openDaemon()
  const taken = portOf(first.location.checkout_url)
  const free = await freePort()
  const { code, message } = await problem(openDaemon({ port: free, checkoutPort: taken }))
  assert.is(code, 'port_taken')
  assert.match(message, new RegExp(`^Port ${taken} on 127\\.0\\.0\\.1 .*--checkout-port <port>`))
  const second = await openDaemon({ port: free })
  const other = await problem(openDaemon({ port: free }))
  assert.match(other.message, new RegExp(`^Port ${free} .*--port <port>`))
  await Promise.all([first.stop(), second.stop()])
})

test('the error names the process that holds the database, and both ports are released', async () => {
  const db = join(newFolder(), 'paycli.json')
  const first = await openDaemon({ db, pid: 4711 })
  const [port, checkoutPort] = [await freePort(), await freePort()]
  const home = newFolder()
  const { code, message } = await problem(openDaemon({ db, port, checkoutPort, home }))
  assert.is(code, 'database_locked')
  assert.match(message, `pid 4711 at ${first.location.api_url}`)
  assert.not(existsSync(join(home, 'daemon.json')))
  await first.stop()
  const second = await openDaemon({ db, port, checkoutPort })
  await second.stop()
})

test('rejects an invalid retry schedule and releases the database', async () => {
  const db = join(newFolder(), 'paycli.json')
  const error = await openDaemon({ db, retries: '5 apples' }).catch((thrown: unknown) => thrown)
  assert.instance(error, DomainError)
  await (await openDaemon({ db })).stop()
})

test('listens on loopback only by default', async () => {
  const daemon = await openDaemon()
  const { api_url, checkout_url } = daemon.location
  assert.match(api_url, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.match(checkout_url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')
  for (const url of outside ? [api_url, checkout_url] : []) {
    const failed = await sendRequest(`http://${outside?.address}:${portOf(url)}/healthz`).catch(String)
    assert.match(String(failed), 'ECONNREFUSED')
  }
  await daemon.stop()
})

test('--api-key replaces the key of the home folder', async () => {
  const [kept, options] = [await openDaemon(), newFolder()]
  const daemon = await openDaemon({ home: options, apiKey: KEY })
  assert.is(daemon.location.api_key, KEY)
  const status = async (key: string) =>
    (
      await sendRequest(`${daemon.location.api_url}/v1/customers`, {
        headers: { Authorization: `Bearer ${key}` },
      })
    ).status
  assert.is(await status(KEY), 200)
  assert.is(await status(kept.location.api_key), 401)
  await Promise.all([daemon.stop(), kept.stop()])
})

test('handles other requests during a long advance, even with the memory store', async () => {
  const daemon = await openDaemon()
  const { call } = daemon
  const { id: test_clock, frozen_time } = await call(api.testClocks.create, {
    frozen_time: daemon.clock.now(),
  })
  const { id: customer } = await call(api.customers.create, { email: 'ada@example.com', test_clock })
  const items = [{ description: 'Rent', price_data: { amount: 1000 } }]
  for (let made = 0; made < 10; made += 1) {
    const subscription_data = { interval: 'day', items } as const
    const { id } = await call(api.checkoutSessions.create, { customer, currency: 'eur', subscription_data })
    await call(api.checkoutSessions.complete, { id, test_card: 'visa' })
  }
  const order: string[] = []
  // The other stores are slower and yield during their I/O.
  const count = testBackend() === 'memory' ? 12 : 2
  const by = { interval: 'month', count } as const
  const advancing = call(api.testClocks.advance, { id: test_clock, by }).then((clock) => {
    order.push(clock.frozen_time - frozen_time > count * 28 * 86_400 ? 'advanced' : 'incomplete')
  })
  // Waits until the advance has started.
  for (let status = 'ready'; status === 'ready' && order.length === 0; ) {
    ;({ status } = await call(api.testClocks.retrieve, { id: test_clock }))
  }
  order.push('seen advancing')
  await call(api.customers.create, { email: 'bob@example.org' })
  order.push('created')
  await advancing
  assert.equal(order, ['seen advancing', 'created', 'advanced'])
  await daemon.stop()
})

test('uses the configured checkout URL in every link', async () => {
  const daemon = await openDaemon({ checkoutUrl: 'https://pay.example.test/shop' })
  const { id, url } = await newPaymentSession(daemon)
  assert.is(url, `https://pay.example.test/shop/sessions/${id}`)
  assert.is(daemon.location.checkout_url, 'https://pay.example.test/shop')
  await daemon.stop()
})

test('tick() runs due jobs at their scheduled time and sends webhooks', async () => {
  const receiver = await openWebhookServer()
  const daemon = await openDaemon({ forwardTo: [{ url: receiver.url, events: ['*'] }] })
  const session = await newPaymentSession(daemon)
  daemon.clock.move(86_400 + 100)
  await daemon.tick()
  const { data } = await daemon.call(api.events.list, { limit: 1 })
  assert.equal([data[0]?.type, data[0]?.created], ['payment_session.expired', session.expires_at])
  assert.is(data[0]?.request, null)
  assert.is(receiver.received.length, 3)
  assert.is(JSON.parse(receiver.received.at(-1)?.body ?? '').id, data[0]?.id)
  await daemon.stop()
  await receiver.close()
})

test('the ticker runs due jobs', async () => {
  const receiver = await openWebhookServer()
  const daemon = await openDaemon({ forwardTo: [{ url: receiver.url, events: ['*'] }] })
  await newPaymentSession(daemon)
  await receiver.waitFor(2)
  daemon.clock.move(86_400)
  await receiver.waitFor(3)
  assert.match(receiver.received.at(-1)?.body ?? '', '"type":"payment_session.expired"')
  await daemon.stop()
  await receiver.close()
})

test('stop() finishes a running request, stores its changes and accepts no new requests', async () => {
  const db = join(newFolder(), 'paycli.json')
  const daemon = await openDaemon({ db })
  const { api_url, api_key } = daemon.location
  const body = '{"email":"late@example.com"}'
  const headers = {
    Authorization: `Bearer ${api_key}`,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    Expect: '100-continue',
  }
  const slow = request(`${api_url}/v1/customers`, { method: 'POST', headers, agent: false })
  const answer = new Promise<number | undefined>((resolve, reject) => {
    slow.on('response', (response) => resolve(response.resume().statusCode))
    slow.on('error', reject)
  })
  // Node.js sends 100 Continue when the server reads the request.
  slow.flushHeaders()
  await new Promise((resolve) => slow.once('continue', resolve))
  const stopped = daemon.stop()
  slow.end(body)
  assert.is(await answer, 200)
  await stopped
  assert.match(String(await sendRequest(`${api_url}/healthz`).catch(String)), 'ECONNREFUSED')
  const again = await openDaemon({ db })
  const { data } = await again.call(api.customers.list, { email: 'late@example.com' })
  assert.is(data.length, 1)
  await again.stop()
})

test('stop() waits for a running delivery', async () => {
  const gate = Promise.withResolvers<void>()
  const receiver = await openWebhookServer(async (_request, response) => {
    await gate.promise
    response.end()
  })
  const db = join(newFolder(), 'paycli.json')
  const daemon = await openDaemon({ db, forwardTo: [{ url: receiver.url, events: ['*'] }] })
  await daemon.call(api.customers.create, { email: 'ada@example.com' })
  await receiver.waitFor(1)
  const stopped = daemon.stop()
  gate.resolve()
  await stopped
  const again = await openDaemon({ db, forwardTo: [{ url: receiver.url, events: ['*'] }] })
  await again.tick()
  const { data } = await again.call(api.webhookDeliveries.list, {})
  assert.equal(
    data.map(({ status }) => status),
    ['succeeded'],
  )
  assert.is(receiver.received.length, 1)
  await again.stop()
  await receiver.close()
})

test('20 parallel completions create one payment', async () => {
  const daemon = await openDaemon()
  const session = await newPaymentSession(daemon)
  const { api_url, api_key } = daemon.location
  const url = `${api_url}/v1/test_helpers/payment_sessions/${session.id}/complete`
  const responses: HttpResponse[] = await Promise.all(
    Array.from({ length: 20 }, () => postJson(url, api_key, { test_card: 'visa' })),
  )
  assert.is(responses.filter(({ status }) => status === 200).length, 1)
  assert.is(responses.filter(({ status }) => status === 400).length, 19)
  const { data } = fieldsOf<{ data: unknown[] }>(
    await sendRequest(`${api_url}/v1/payments`, { headers: { Authorization: `Bearer ${api_key}` } }),
  )
  assert.is(data.length, 1)
  await daemon.stop()
})

test('20 parallel submissions of one form create one payment and one event', async () => {
  const daemon = await openDaemon()
  const session = await newPaymentSession(daemon)
  const token = await openForm(session.url)
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => sendForm(session.url, token, cardFields('4242424242424242'))),
  )
  assert.equal([...new Set(responses.map(({ status }) => status))], [303])
  const { api_url, api_key } = daemon.location
  const headers = { Authorization: `Bearer ${api_key}` }
  for (const path of ['payments', 'events?type=payment_session.completed', 'events?type=payment.succeeded']) {
    const { data } = fieldsOf<{ data: unknown[] }>(await sendRequest(`${api_url}/v1/${path}`, { headers }))
    assert.is(data.length, 1, path)
  }
  await daemon.stop()
})

test('newestCustomer() returns the id of the newest customer that is not deleted, or null', async () => {
  const daemon = await openDaemon()
  assert.is(await daemon.newestCustomer(), null)
  await daemon.call(api.customers.create, { email: 'ada@example.com' })
  const { id } = await daemon.call(api.customers.create, { email: 'grace@example.com' })
  const third = await daemon.call(api.customers.create, { email: 'mary@example.com' })
  await daemon.call(api.customers.delete, { id: third.id })
  assert.is(await daemon.newestCustomer(), id)
  await daemon.stop()
})

test('an exposed API accepts only its configured host, and pages show no test bar', async () => {
  const name = 'staging.example:4100'
  const daemon = await openDaemon({ host: '0.0.0.0', apiUrl: `http://${name}` })
  const { api_url, api_key, checkout_url } = daemon.location
  const requestAs = (host: string) =>
    sendRequest(`${api_url}/v1/customers/cus_none`, {
      headers: { Host: host, Authorization: `Bearer ${api_key}` },
    })
  assert.is((await requestAs(name)).status, 404)
  assert.match((await requestAs(name)).text, `http://${name}/docs/errors`)
  assert.is((await requestAs('evil.example:4100')).status, 403)
  const { id } = await newPaymentSession(daemon)
  assert.not.match((await sendRequest(`${checkout_url}/pay/${id}`)).text, /test_card|class="events"/)
  await daemon.stop()
})

test.run()
