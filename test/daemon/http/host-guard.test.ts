import { customers } from '../../../src/api/operations/customers.ts'
import { paymentSessions } from '../../../src/api/operations/payment-sessions.ts'
import { listAllowedHosts } from '../../../src/daemon/http/host-guard.ts'
import { openDaemon, type TestDaemon } from '../../support/daemon.ts'
import { cardFields, openForm } from '../../support/page-forms.ts'
import { errorIn, type HttpResponse, sendRawText, sendRequest } from '../../support/raw-http.ts'
import { newPaymentSession } from '../../support/samples.ts'
import { assert, suite } from '../../support/suite.ts'

const PUBLIC_HOST = 'pay.example.test'

const test = suite('daemon/http/host-guard')

let daemon: TestDaemon
let pages: TestDaemon
/** There is one daemon per group of rejected requests, because each daemon limits them to a burst of 40 per address. */
let origins: TestDaemon
/** The listeners, each with a path and its status for a valid Host. */
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

/** Hosts with `PORT` for the port of the listener; `|` separates repeated headers. */
const ALLOWED = ['127.0.0.1:PORT', 'localhost:PORT', 'LocalHost:PORT', '[::1]:PORT']
const REFUSED = [
  'no header at all',
  '',
  '127.0.0.1:PORT|127.0.0.1:PORT',
  '127.0.0.1:PORT|evil.test',
  'evil.test|127.0.0.1:PORT',
  '127.0.0.1:PORT, evil.test',
  '127.0.0.1',
  '127.0.0.1:1',
  '127.0.0.1:PORT0',
  '127.0.0.1:',
  'evil.test',
  'evil.test:PORT',
  '127.0.0.1.evil.test:PORT',
  'localhost.:PORT',
  'evil@127.0.0.1:PORT',
  '127.0.0.1:PORT/evil',
  '0.0.0.0:PORT',
  '2130706433:PORT',
  '[::ffff:127.0.0.1]:PORT',
  'l\u00f6calhost:PORT',
]

function under(url: string, hosts: string, path: string): Promise<HttpResponse> {
  const named = hosts.replaceAll('PORT', new URL(url).port).split('|')
  const lines = hosts.startsWith('no ') ? [] : named.map((host) => `Host: ${host}`)
  return sendRawText(url, [`GET ${path} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'))
}

for (const host of ALLOWED) {
  test(`both listeners accept Host '${host}'`, async () => {
    for (const { url, path, status } of listeners) assert.is((await under(url, host, path)).status, status)
  })
}

for (const host of REFUSED) {
  test(`both listeners reject Host '${host}' without repeating it`, async () => {
    for (const { name, url, path } of listeners) {
      const { status, headers, text } = await under(url, host, path)
      assert.is(status, 403, name)
      assert.not.match(text, 'evil')
      assert.not.match(JSON.stringify(headers), 'evil')
    }
  })
}

test('both listeners reject an HTTP/1.0 request without a Host header', async () => {
  for (const { url, path } of listeners) {
    assert.is((await sendRawText(url, `GET ${path} HTTP/1.0\r\n\r\n`)).status, 403)
  }
})

/** Request targets with a host, which overrides the Host header. */
const TARGETS = [
  'http://evil.test',
  'http://evil.test:PORT',
  'https://evil.test',
  'http://',
  'evil.test',
  'http://[::1',
]

function aimed(url: string, target: string): Promise<HttpResponse> {
  const { port, host } = new URL(url)
  const line = `GET ${target.replace('PORT', port)} HTTP/1.1`
  return sendRawText(url, [line, `Host: ${host}`, 'Connection: close', '', ''].join('\r\n'))
}

for (const target of TARGETS) {
  test(`both listeners reject the absolute request target ${target}, even with a valid Host header`, async () => {
    for (const { url, path } of listeners) {
      const { status, headers, text } = await aimed(url, `${target}${path}`)
      assert.ok(status === 403 || status === 400, String(status))
      assert.not.match(text + JSON.stringify(headers), 'evil')
    }
  })
}

test('both listeners accept an absolute request target with the host of the server', async () => {
  for (const { url, path, status } of listeners)
    assert.is((await aimed(url, `http://localhost:PORT${path}`)).status, status)
})

test('creates links with the configured address, independent of the host in the request line', async () => {
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
  const { text } = await sendRawText(api_url, lines.join('\r\n'))
  assert.match(JSON.parse(text).url, `${checkout_url}/sessions/`)
})

test('both listeners accept a URL of 8 KiB and return 414 for a longer one', async () => {
  for (const { url, path, status } of listeners) {
    const query = '?'.padEnd(8192 - path.length, 'x')
    assert.is((await sendRequest(`${url}${path}${query}`)).status, status)
    assert.is((await sendRequest(`${url}${path}${query}x`)).status, 414)
  }
})

test('the API rejects the Host of the pages, and the pages reject the Host of the API', async () => {
  const [api, pages] = listeners
  assert.is((await under(api?.url ?? '', new URL(pages?.url ?? '').host, '/healthz')).status, 403)
  assert.is((await under(pages?.url ?? '', new URL(api?.url ?? '').host, '/checkout/cks_none')).status, 403)
})

test('allows a configured public host in the form that browsers send: lowercase, without a default port', () => {
  const pages = listAllowedHosts(4101, ['https://Pay.Example.test', 'http://shop.test:8080/pay'])
  for (const host of ['pay.example.test', 'shop.test:8080', '127.0.0.1:4101'])
    assert.ok(pages.has(host), host)
  for (const host of ['pay.example.test:4101', 'shop.test', 'shop.test:4101'])
    assert.not(pages.has(host), host)
})

test('the API rejects the public host of the pages', async () => {
  assert.is((await under(daemon.location.api_url, PUBLIC_HOST, '/healthz')).status, 403)
})

test('allows a Host without a port when the listener uses port 80', () => {
  const hosts = listAllowedHosts(80, [])
  for (const host of ['127.0.0.1', 'localhost:80', '[::1]']) assert.ok(hosts.has(host), host)
})

const ORIGINS = ['null', '', 'http://evil.test', 'http://127.0.0.1:PORT', 'chrome-extension://abc']

for (const origin of ORIGINS) {
  test(`the API rejects Origin '${origin}' even with a valid key, without CORS headers`, async () => {
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
      const response = await sendRequest(`${api_url}${path}`, { method, headers })
      assert.is(response.status, 403)
      assert.is(errorIn(response)['code'], 'host_not_allowed')
      assert.not.match(response.text, 'evil')
      const shared = Object.keys(response.headers).filter((name) => name.startsWith('access-control'))
      assert.equal(shared, [])
    }
  })
}

test('accepts browser requests to the API only from its own origin', async () => {
  const { api_url, api_key } = origins.location
  const own = new URL(api_url).origin
  for (const [origin, site, status] of [
    [own, 'same-origin', 200],
    [own, 'same-site', 403],
    [own, 'cross-site', 403],
    ['http://evil.test', 'same-origin', 403],
    ['null', 'same-origin', 403],
  ] as const) {
    const headers = { Origin: origin, 'Sec-Fetch-Site': site, Authorization: `Bearer ${api_key}` }
    const response = await sendRequest(`${api_url}/v1/customers`, { headers })
    assert.is(response.status, status, `${origin} ${site}`)
  }
})

/** Columns: headers of a submitted form with `OWN` for the origin of its page, whether the form is accepted. */
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
  test(`the pages ${isAccepted ? 'accept' : 'reject'} a form with a valid token and ${JSON.stringify(given)}`, async () => {
    const session = await newPaymentSession(pages)
    const own = new URL(session.url).origin
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replaceAll('OWN', own)]),
    )
    const token = await openForm(session.url)
    const response = await sendRequest(session.url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ form_token: token, ...cardFields('4242424242424242') }).toString(),
    })
    assert.is(response.status, isAccepted ? 303 : 403, response.text)
    const { status } = await pages.call(paymentSessions.retrieve, { id: session.id })
    assert.is(status, isAccepted ? 'complete' : 'open')
  })
}

test.run()
