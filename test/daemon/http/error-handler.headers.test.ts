import { SECURITY_HEADERS } from '../../../src/api/core/security-headers.ts'
import { streamRoutes } from '../../../src/api/operations/streams.ts'
import { openDaemon } from '../../support/daemon.ts'
import { type HttpResponse, postJson, sendRawText, sendRequest } from '../../support/raw-http.ts'
import { newPaymentSession } from '../../support/samples.ts'
import { assert, suite } from '../../support/suite.ts'
import { readRoute } from '../streams/stream-reader.ts'
import { KEY, type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const test = suite('daemon/error-handler headers')

const NAMES = Object.keys(SECURITY_HEADERS).map((name) => name.toLowerCase())
const authorized = { Authorization: `Bearer ${KEY}` }
const SLOW = { headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 5 }

function valuesOf({ headers }: HttpResponse): unknown[] {
  return NAMES.map((name) => headers[name])
}

/** Requests with the expected status. */
const ANSWERS: Readonly<
  Record<string, readonly [status: number, of: (served: ServedSandbox) => Promise<HttpResponse>]>
> = {
  'a success': [200, ({ apiUrl }) => sendRequest(`${apiUrl}/v1/customers`, { headers: authorized })],
  'a validation error': [400, ({ apiUrl }) => postJson(`${apiUrl}/v1/customers`, KEY, {})],
  'a foreign host': [403, ({ apiUrl }) => sendRequest(apiUrl, { headers: { Host: 'evil.test' } })],
  'an unknown path': [404, ({ apiUrl }) => sendRequest(`${apiUrl}/none`)],
  'a large body': [
    413,
    ({ apiUrl }) => postJson(`${apiUrl}/v1/customers`, KEY, { email: 'x'.repeat(300_000) }),
  ],
  'the readiness check': [200, ({ apiUrl }) => sendRequest(`${apiUrl}/readyz`)],
  'the root': [200, ({ apiUrl }) => sendRequest(apiUrl)],
  'a malformed request': [400, ({ apiUrl }) => sendRawText(apiUrl, 'no HTTP\r\n\r\n')],
  'a page': [
    200,
    async ({ pagesUrl, sandbox }) =>
      sendRequest(`${pagesUrl}/sessions/${(await newPaymentSession(sandbox)).id}`),
  ],
  'a missing page': [404, ({ pagesUrl }) => sendRequest(`${pagesUrl}/none`)],
  'a page on a foreign host': [
    403,
    ({ pagesUrl }) => sendRequest(pagesUrl, { headers: { Host: 'evil.test' } }),
  ],
  'a large form': [
    413,
    ({ pagesUrl }) =>
      sendRequest(`${pagesUrl}/sessions/py_sess_1`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `a=${'x'.repeat(20_000)}`,
      }),
  ],
  'a malformed request for a page': [400, ({ pagesUrl }) => sendRawText(pagesUrl, 'no HTTP\r\n\r\n')],
}

for (const [what, [status, of]] of Object.entries(ANSWERS)) {
  test(`sends the security headers in the response for ${what}`, async () => {
    const served = await serveSandbox()
    const response = await of(served)
    assert.is(response.status, status)
    assert.equal(valuesOf(response), Object.values(SECURITY_HEADERS))
    await served.close()
  })
}

test('sends the security headers with the 408 response to a slow request', async () => {
  const served = await serveSandbox(SLOW)
  for (const url of [served.apiUrl, served.pagesUrl]) {
    const response = await sendRawText(url, 'GET / HTTP/1.1\r\nX-Slow: ')
    assert.equal([response.status, ...valuesOf(response)], [408, ...Object.values(SECURITY_HEADERS)])
  }
  await served.close()
})

test('sends the security headers in the responses of the event stream and the request log stream', async () => {
  const daemon = await openDaemon()
  for (const route of [streamRoutes.events, streamRoutes.requestLogs]) {
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
