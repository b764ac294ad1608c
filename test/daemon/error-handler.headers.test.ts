import { SECURITY_HEADERS } from '../../src/api/core/security-headers.ts'
import { streams } from '../../src/api/operations/streams.ts'
import { openDaemon } from '../support/daemon.ts'
import { newPaymentSession } from '../support/samples.ts'
import { assert, suite } from '../support/suite.ts'
import { type Answer, ask, post, shout } from '../support/wire.ts'
import { readRoute } from './reading.ts'
import { KEY, type Served, serveSandbox } from './served.ts'

const test = suite('daemon/answering headers')

const NAMES = Object.keys(SECURITY_HEADERS).map((name) => name.toLowerCase())
const authorized = { Authorization: `Bearer ${KEY}` }
const SLOW = { headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 5 }

function valuesOf({ headers }: Answer): unknown[] {
  return NAMES.map((name) => headers[name])
}

/** An answer with its status, and who gives it. */
const ANSWERS: Readonly<Record<string, readonly [status: number, of: (served: Served) => Promise<Answer>]>> =
  {
    'a success': [200, ({ apiUrl }) => ask(`${apiUrl}/v1/customers`, { headers: authorized })],
    'a created object': [200, ({ apiUrl }) => post(`${apiUrl}/v1/customers`, KEY, { email: 'a@b.co' })],
    'a validation error': [400, ({ apiUrl }) => post(`${apiUrl}/v1/customers`, KEY, {})],
    'a missing key': [401, ({ apiUrl }) => ask(`${apiUrl}/v1/customers`)],
    'a foreign host': [403, ({ apiUrl }) => ask(apiUrl, { headers: { Host: 'evil.test' } })],
    'an unknown path': [404, ({ apiUrl }) => ask(`${apiUrl}/none`)],
    'a wrong method': [405, ({ apiUrl }) => ask(`${apiUrl}/v1/customers`, { method: 'PUT' })],
    'a large body': [
      413,
      ({ apiUrl }) => post(`${apiUrl}/v1/customers`, KEY, { email: 'x'.repeat(300_000) }),
    ],
    'a long URL': [414, ({ apiUrl }) => ask(`${apiUrl}/v1/customers?email=${'x'.repeat(9000)}`)],
    'the health': [200, ({ apiUrl }) => ask(`${apiUrl}/healthz`)],
    'the readiness': [200, ({ apiUrl }) => ask(`${apiUrl}/readyz`)],
    'the signpost': [200, ({ apiUrl }) => ask(apiUrl)],
    'an unreadable request': [400, ({ apiUrl }) => shout(apiUrl, 'no HTTP\r\n\r\n')],
    'large headers': [
      400,
      ({ apiUrl }) => shout(apiUrl, `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    ],
    'a page': [
      200,
      async ({ pagesUrl, sandbox }) => ask(`${pagesUrl}/sessions/${(await newPaymentSession(sandbox)).id}`),
    ],
    'a missing page': [404, ({ pagesUrl }) => ask(`${pagesUrl}/none`)],
    'a page on a foreign host': [403, ({ pagesUrl }) => ask(pagesUrl, { headers: { Host: 'evil.test' } })],
    'a large form': [
      413,
      ({ pagesUrl }) =>
        ask(`${pagesUrl}/sessions/py_sess_1`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: `a=${'x'.repeat(20_000)}`,
        }),
    ],
    'an unreadable request for a page': [400, ({ pagesUrl }) => shout(pagesUrl, 'no HTTP\r\n\r\n')],
  }

for (const [what, [status, of]] of Object.entries(ANSWERS)) {
  test(`sends the security headers with ${what}`, async () => {
    const served = await serveSandbox()
    const answer = await of(served)
    assert.is(answer.status, status)
    assert.equal(valuesOf(answer), Object.values(SECURITY_HEADERS))
    await served.close()
  })
}

test('sends the security headers when a request takes too long', async () => {
  const served = await serveSandbox(SLOW)
  for (const url of [served.apiUrl, served.pagesUrl]) {
    const answer = await shout(url, 'GET / HTTP/1.1\r\nX-Slow: ')
    assert.equal([answer.status, ...valuesOf(answer)], [408, ...Object.values(SECURITY_HEADERS)])
  }
  await served.close()
})

test('sends the security headers with both streams', async () => {
  const daemon = await openDaemon()
  for (const route of [streams.events, streams.requestLogs]) {
    const { response, close } = await readRoute(daemon, { route })
    assert.equal(
      NAMES.map((name) => response.headers[name]),
      Object.values(SECURITY_HEADERS),
    )
    close()
  }
  await daemon.stop()
})

test.run()
