import { customers } from '../../src/api/operations/customers.ts'
import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { allowedHosts } from '../../src/daemon/host-guard.ts'
import { cardFields, openForm } from '../support/buyer.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { assert, suite } from '../support/suite.ts'
import { type Answer, ask, errorOf, shout } from '../support/wire.ts'

const PUBLIC_HOST = 'pay.example.test'

const test = suite('daemon/host-guard')

let daemon: TestDaemon
let pages: TestDaemon
/** A daemon for each group of refused requests, of which it admits 40 at once from one address. */
let origins: TestDaemon
/** Each listener with a path that it answers, and how it does when the Host is right. */
let listeners: readonly { name: string; url: string; path: string; status: number }[]

test.before(async () => {
  daemon = await openDaemon({ checkoutUrl: `https://${PUBLIC_HOST}` })
  pages = await openDaemon()
  origins = await openDaemon()
  listeners = [
    { name: 'API', url: daemon.location.api_url, path: '/healthz', status: 200 },
    { name: 'pages', url: pages.location.checkout_url, path: '/checkout/cks_none', status: 404 },
  ]
})

test.after(async () => {
  await Promise.all([daemon?.stop(), pages?.stop(), origins?.stop()])
})

/** Hosts with `PORT` for the listener's own port; `|` puts them into headers of their own. */
const ALLOWED = ['127.0.0.1:PORT', 'localhost:PORT', 'LocalHost:PORT', '[::1]:PORT']
const REFUSED = [
  'no header at all',
  '',
  ' ',
  '127.0.0.1:PORT|127.0.0.1:PORT',
  '127.0.0.1:PORT|evil.test',
  'evil.test|127.0.0.1:PORT',
  '127.0.0.1:PORT, evil.test',
  '127.0.0.1',
  'localhost',
  '[::1]',
  '127.0.0.1:1',
  '127.0.0.1:PORT0',
  '127.0.0.1:',
  'evil.test',
  'evil.test:PORT',
  '127.0.0.1.evil.test:PORT',
  'localhost.evil.test:PORT',
  'localhost.:PORT',
  'evil@127.0.0.1:PORT',
  '127.0.0.1:PORT/evil',
  '127.0.0.1:PORT#evil',
  '[::1',
  '::1',
  'a b',
  '0.0.0.0:PORT',
  '127.1:PORT',
  '2130706433:PORT',
  '0x7f000001:PORT',
  '192.0.2.7:PORT',
  '[::ffff:127.0.0.1]:PORT',
  '[::]:PORT',
  'l\u00f6calhost:PORT',
]

function under(url: string, hosts: string, path: string): Promise<Answer> {
  const named = hosts.replaceAll('PORT', new URL(url).port).split('|')
  const lines = hosts.startsWith('no ') ? [] : named.map((host) => `Host: ${host}`)
  return shout(url, [`GET ${path} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'))
}

for (const host of ALLOWED) {
  test(`Host '${host}' is answered by both listeners`, async () => {
    for (const { url, path, status } of listeners) assert.is((await under(url, host, path)).status, status)
  })
}

for (const host of REFUSED) {
  test(`Host '${host}' is refused by both listeners and not repeated`, async () => {
    for (const { name, url, path } of listeners) {
      const { status, headers, text } = await under(url, host, path)
      assert.is(status, 403, name)
      assert.not.match(text, 'evil')
      assert.not.match(JSON.stringify(headers), 'evil')
    }
  })
}

test('a request of the old HTTP without a Host is refused too', async () => {
  for (const { url, path } of listeners) {
    assert.is((await shout(url, `GET ${path} HTTP/1.0\r\n\r\n`)).status, 403)
  }
})

/** Request targets that name a host themselves, which counts for more than the header. */
const TARGETS = [
  'http://evil.test',
  'http://evil.test:PORT',
  'https://evil.test',
  'http://',
  'evil.test',
  'http://[::1',
]

function aimed(url: string, target: string): Promise<Answer> {
  const { port, host } = new URL(url)
  const line = `GET ${target.replace('PORT', port)} HTTP/1.1`
  return shout(url, [line, `Host: ${host}`, 'Connection: close', '', ''].join('\r\n'))
}

for (const target of TARGETS) {
  test(`a request to ${target} under the right Host is not answered by either listener`, async () => {
    for (const { url, path } of listeners) {
      const { status, headers, text } = await aimed(url, `${target}${path}`)
      assert.ok(status === 403 || status === 400, String(status))
      assert.not.match(text + JSON.stringify(headers), 'evil')
    }
  })
}

test('a request line that names the service itself is answered like one that does not', async () => {
  for (const { url, path, status } of listeners)
    assert.is((await aimed(url, `http://localhost:PORT${path}`)).status, status)
})

test('links are made of the configured address, whatever host a request line names', async () => {
  const { api_url, api_key, checkout_url } = pages.location
  const { port, host } = new URL(api_url)
  const { id: customer } = await pages.call(customers.create, { email: 'ada@example.com' })
  const terms = { payment_method_types: ['card'], return_url: 'https://example.com/' }
  const body = JSON.stringify({ amount: 1000, currency: 'eur', customer, ...terms })
  const lines = [
    `POST http://localhost:${port}/v1/payment_sessions HTTP/1.1`,
    ...[`Host: ${host}`, `Authorization: Bearer ${api_key}`, 'Content-Type: application/json'],
    ...[`Content-Length: ${body.length}`, 'Connection: close', '', body],
  ]
  const { text } = await shout(api_url, lines.join('\r\n'))
  assert.match(JSON.parse(text).url, `${checkout_url}/sessions/`)
})

test('a URL of 8 KiB is read and a longer one is 414, at both listeners', async () => {
  for (const { url, path, status } of listeners) {
    const query = '?'.padEnd(8192 - path.length, 'x')
    assert.is((await ask(`${url}${path}${query}`)).status, status)
    assert.is((await ask(`${url}${path}${query}x`)).status, 414)
  }
})

test('the listeners do not answer under the address of each other', async () => {
  const [api, pages] = listeners
  assert.is((await under(api?.url ?? '', new URL(pages?.url ?? '').host, '/healthz')).status, 403)
  assert.is((await under(pages?.url ?? '', new URL(api?.url ?? '').host, '/checkout/cks_none')).status, 403)
})

test('a configured public host is admitted where it is configured, in the form browsers send', () => {
  const pages = allowedHosts(4101, ['https://Pay.Example.test', 'http://shop.test:8080/pay'])
  for (const host of ['pay.example.test', 'shop.test:8080', '127.0.0.1:4101'])
    assert.ok(pages.has(host), host)
  for (const host of ['pay.example.test:4101', 'shop.test', 'shop.test:4101'])
    assert.not(pages.has(host), host)
})

test('the public host of the pages does not open the API', async () => {
  assert.is((await under(daemon.location.api_url, PUBLIC_HOST, '/healthz')).status, 403)
})

test('on port 80 the port may be left out', () => {
  const hosts = allowedHosts(80, [])
  for (const host of ['127.0.0.1', 'localhost:80', '[::1]']) assert.ok(hosts.has(host), host)
})

const ORIGINS = ['null', '', 'http://evil.test', 'http://127.0.0.1:PORT', 'chrome-extension://abc']

for (const origin of ORIGINS) {
  test(`Origin '${origin}' is refused by the API, key or not, and nothing is shared with it`, async () => {
    const { api_url, api_key } = origins.location
    const headers = {
      Origin: origin.replace('PORT', new URL(api_url).port),
      Authorization: `Bearer ${api_key}`,
      'Access-Control-Request-Method': 'POST',
    }
    for (const [method, path] of [
      ['GET', '/v1/customers'],
      ['POST', '/v1/customers'],
      ['OPTIONS', '/v1/customers'],
      ['GET', '/healthz'],
    ] as const) {
      const answer = await ask(`${api_url}${path}`, { method, headers })
      assert.is(answer.status, 403)
      assert.is(errorOf(answer)['code'], 'host_not_allowed')
      assert.not.match(answer.text, 'evil')
      const shared = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))
      assert.equal(shared, [])
    }
  })
}

async function openSession(): Promise<{ id: string; url: string }> {
  const customer = await pages.call(customers.create, { email: 'ada@example.com' })
  return pages.call(paymentSessions.create, {
    amount: 1000,
    currency: 'eur',
    customer: customer.id,
    payment_method_types: ['card'],
    return_url: 'https://example.com/return',
  })
}

/** What a form is sent with, `OWN` for the origin of its page, and whether it is accepted. */
const FORMS: readonly (readonly [headers: Readonly<Record<string, string>>, isAccepted: boolean])[] = [
  [{ Origin: 'OWN', 'Sec-Fetch-Site': 'same-origin' }, true],
  [{ Origin: 'OWN', 'Sec-Fetch-Site': 'none' }, true],
  [{ 'Sec-Fetch-Site': 'same-origin' }, true],
  [{ Origin: 'OWN' }, true],
  [{}, true],
  [{ Origin: 'null' }, false],
  [{ Origin: '' }, false],
  [{ Origin: 'http://evil.test' }, false],
  [{ Origin: 'http://127.0.0.1:1' }, false],
  [{ Origin: 'file://' }, false],
  [{ Origin: 'OWN, OWN' }, false],
  [{ Origin: 'http://evil.test', 'Sec-Fetch-Site': 'same-origin' }, false],
  [{ Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }, false],
  [{ Origin: 'OWN', 'Sec-Fetch-Site': 'same-site' }, false],
  [{ Origin: 'OWN', 'Sec-Fetch-Site': 'cross-site' }, false],
  [{ 'Sec-Fetch-Site': 'cross-site' }, false],
]

for (const [given, isAccepted] of FORMS) {
  test(`the pages ${isAccepted ? 'accept' : 'refuse'} a form with a good token and ${JSON.stringify(given)}`, async () => {
    const session = await openSession()
    const own = new URL(session.url).origin
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replaceAll('OWN', own)]),
    )
    const token = await openForm(session.url)
    const answer = await ask(session.url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ form_token: token, ...cardFields('4242424242424242') }).toString(),
    })
    assert.is(answer.status, isAccepted ? 303 : 403, answer.text)
    const { status } = await pages.call(paymentSessions.retrieve, { id: session.id })
    assert.is(status, isAccepted ? 'complete' : 'open')
  })
}

test.run()
