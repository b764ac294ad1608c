import { connect } from 'node:net'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import {
  errorIn,
  fieldsOf,
  type HttpRequestOptions,
  type HttpResponse,
  sendRawText,
  sendRequest,
} from '../../support/raw-http.ts'
import { newPaymentSession } from '../../support/samples.ts'
import { assert, suite } from '../../support/suite.ts'
import { KEY, type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const test = suite('daemon/http/api-app')

let served: ServedSandbox

test.before(async () => {
  served = await serveSandbox()
})

test.before.each(() => {
  served.breakStore({})
  served.lines.length = 0
})

test.after(() => served?.close())

/** Checks the headers of a response and the format of its API error. */
function checkError(response: HttpResponse, status: number, code: string): Record<string, unknown> {
  assert.is(response.status, status, response.text)
  assert.is(response.headers['content-type'], 'application/json; charset=utf-8')
  assert.match(response.headers['request-id'] ?? '', /^req_[0-9A-Za-z]{24}$/)
  assert.is(response.headers['paycli-version'], '1')
  assert.is(response.headers['x-powered-by'], undefined)
  const error = errorIn(response)
  const names = ['type', 'code', 'message', 'param', 'doc_url', 'request_id', 'errors', 'suggestion']
  assert.equal(Object.keys(error), names)
  assert.is(error['code'], code)
  assert.is(error['request_id'], response.headers['request-id'])
  assert.is(error['doc_url'], `${served.apiUrl}/docs/errors#${code}`)
  assert.match(String(error['message']), /^[A-Z].*[.]$/s)
  return error
}

const BAD_KEYS: readonly (readonly [header: string | null, code: string])[] = [
  [null, 'api_key_missing'],
  ['Bearer paysk_test_wrong', 'api_key_invalid'],
  ['Bearer sk_live_abcdefgh', 'live_key_refused'],
]

for (const [header, code] of BAD_KEYS) {
  test(`returns 401 ${code} for ${header === null ? 'a request without an Authorization header' : `the header Authorization '${header}'`}`, async () => {
    const headers: HttpRequestOptions['headers'] = header === null ? {} : { Authorization: header }
    for (const method of ['GET', 'POST', 'HEAD']) {
      const response = await sendRequest(`${served.apiUrl}/v1/customers`, { method, headers })
      assert.is(response.status, 401)
      assert.is(response.headers['www-authenticate'], 'Bearer realm="paycli"')
      if (method !== 'HEAD') checkError(response, 401, code)
      assert.not.match(response.text + served.lines.join(''), 'abcdefgh')
    }
  })
}

const NO_ROUTES = [
  '/v1',
  '/v1/',
  '/v1/nothing',
  '/v1/customers/',
  '/V1/customers',
  '/v1//customers',
  '/checkout/cks_1',
  '//v1/customers',
  '/v1/customers/cus_1/x',
]

for (const path of NO_ROUTES) {
  test(`returns 404 for the unknown path ${path}`, async () => {
    const error = checkError(await served.call(path), 404, 'route_not_found')
    assert.match(String(error['message']), path)
  })
}

const SIMILAR = 'The most similar path is'
/** Returns the path that a message suggests, or null. */
const suggestedPath = (message: string) => /\/v1\/[\w/:]+/.exec(message)?.[0] ?? null

test('names the path for a path of Stripe, the nearest path, or /openapi.json', async () => {
  for (const [path, hint] of [
    ['/v1/payment_intents', 'Use /v1/payment_sessions, or /v1/payments for a customer with a saved card.'],
    ['/v1/checkout/sessions', 'Use /v1/checkout_sessions.'],
    ['/v1/test_clocks', `${SIMILAR} /v1/test_helpers/test_clocks.`],
    ['/v1/checkout_sessions/x/complete', `${SIMILAR} /v1/test_helpers/checkout_sessions/:id/complete.`],
    ['/v1/custmers', `${SIMILAR} /v1/customers.`],
    ['/v1/invoices/in_1/pya', `${SIMILAR} /v1/invoices/:id/pay.`],
    ['/v1/customers/', `${SIMILAR} /v1/customers.`],
    ['/customers', `${SIMILAR} /v1/customers.`],
    ['/v1/invoices/in_1/pdf', 'See all operations in /openapi.json.'],
    ['/v1/nothing', 'See all operations in /openapi.json.'],
    ['/nothing', 'Operations start with /v1/.'],
  ] as const) {
    const { message, suggestion } = checkError(await served.call(path), 404, 'route_not_found')
    assert.is(message, `There is no operation at ${path}. ${hint}`)
    assert.is(suggestion, suggestedPath(hint))
  }
})

const WRONG_METHODS: readonly (readonly [method: string, path: string, allow: string])[] = [
  ['PUT', '/v1/customers', 'GET, POST'],
  ['PATCH', '/v1/customers/cus_1', 'DELETE, GET, POST'],
  ['DELETE', '/v1/events/evt_1', 'GET'],
  ['POST', '/v1/events', 'GET'],
  ['GET', '/v1/checkout_sessions/cks_1/expire', 'POST'],
  ['POST', '/healthz', 'GET'],
  ['DELETE', '/docs/errors', 'GET'],
  ['OPTIONS', '/v1/customers', 'GET, POST'],
  ['TRACE', '/v1/customers', 'GET, POST'],
  ['PROPFIND', '/v1/customers', 'GET, POST'],
]

for (const [method, path, allow] of WRONG_METHODS) {
  test(`returns 405 with Allow: ${allow} for ${method} ${path}`, async () => {
    const response = await served.call(path, { method })
    checkError(response, 405, 'method_not_allowed')
    assert.is(response.headers.allow, allow)
  })
}

test('names the request to use instead of one that the API does not have', async () => {
  for (const [method, path, message] of [
    ['POST', '/v1/subscriptions', 'creates the subscription: use POST /v1/checkout_sessions'],
    ['PATCH', '/v1/customers/cus_1', 'only DELETE, GET, and POST. Changes are made with POST.'],
  ] as const) {
    const { text } = await served.call(path, { method })
    const { error } = JSON.parse(text)
    assert.match(String(error.message), message)
    assert.is(error.suggestion, suggestedPath(message))
  }
})

test('returns 404 for an unknown customer id with any characters', async () => {
  for (const id of ['cus_1', '%2e%2f', '%00', '%E0%A4%A', '%F0%9F%92%A9', 'x'.repeat(255)]) {
    checkError(await served.call(`/v1/customers/${id}`), 404, 'resource_missing')
  }
})

test('HEAD returns the headers of GET without the body', async () => {
  await served.post('/v1/customers', { email: 'ada@example.com' })
  for (const path of ['/v1/customers', '/healthz', '/docs/errors', '/v1/customers/cus_none', '/nothing']) {
    const [head, get] = await Promise.all([served.call(path, { method: 'HEAD' }), served.call(path)])
    assert.is(head.text, '')
    assert.is(head.status, get.status)
    for (const name of ['content-type', 'content-length']) assert.is(head.headers[name], get.headers[name])
  }
  assert.is((await served.call('/v1/checkout_sessions/cks_1/expire', { method: 'HEAD' })).status, 405)
})

test('the root path responds without an API key and links to the API reference', async () => {
  const response = await sendRequest(`${served.apiUrl}/`)
  assert.is(response.status, 200)
  assert.is(fieldsOf(response)['docs'], `${served.apiUrl}/docs`)
})

test('/healthz responds without an API key', async () => {
  const response = await sendRequest(`${served.apiUrl}/healthz`)
  assert.is(response.status, 200)
  assert.equal(fieldsOf(response), { status: 'ok', pid: 4711, version: '0.1.0' })
  assert.match(response.headers['request-id'] ?? '', /^req_/)
})

test('/healthz returns a proof of the server secret only for a challenge of 64 hex digits', async () => {
  const proofs = ['ab'.repeat(32), '', 'short', 'ab'.repeat(33)].map(async (challenge) => {
    const { headers } = await fetch(`${served.apiUrl}/healthz`, {
      headers: { 'Paycli-Challenge': challenge },
    })
    return headers.get('paycli-proof')
  })
  assert.equal(await Promise.all(proofs), [
    'c0aa5ef4424d482e14c705988aefb7f70fe634fc8969f80642eb222d37fca19e',
    null,
    null,
    null,
  ])
})

test('every response has a unique request id, which the log contains', async () => {
  const responses = await Promise.all(
    ['/healthz', '/v1/customers', '/nothing', '/v1/events'].map((path) => served.call(path)),
  )
  const ids = responses.map(({ headers }) => String(headers['request-id']))
  assert.is(new Set(ids).size, responses.length)
  for (const response of responses) assert.is(response.headers['paycli-version'], '1')
  for (const id of ids) assert.match(served.lines.join(''), `"request_id":"${id}"`)
})

const NO_HTTP = {
  'an invalid request line': 'what is this\r\n\r\n',
  'both Content-Length and chunked encoding':
    'POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  'headers of 20 kB': `GET / HTTP/1.1\r\nHost: HOST\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
}

for (const [what, text] of Object.entries(NO_HTTP)) {
  test(`returns 400 in the format of all API errors for a request with ${what}`, async () => {
    const { host } = new URL(served.apiUrl)
    checkError(await sendRawText(served.apiUrl, text.replace('HOST', host)), 400, 'request_malformed')
    assert.match(served.lines.join(''), '"message":"malformed request","status":400,"request_id":"req_')
  })
}

test('ignores an unknown Expect header', async () => {
  assert.is((await served.call('/healthz', { headers: { Expect: 'miracles' } })).status, 200)
})

test('closes the connection on CONNECT', async () => {
  assert.is(
    (await sendRawText(served.apiUrl, 'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test\r\n\r\n')).status,
    0,
  )
})

test('continues to respond after a client disconnects while it sends its body', async () => {
  const { hostname, port, host } = new URL(served.apiUrl)
  const socket = connect(Number(port), hostname)
  const head = `POST /v1/customers HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEY}\r\n`
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":`, () =>
    socket.destroy(),
  )
  await new Promise((resolve) => socket.once('close', resolve))
  assert.is((await served.call('/healthz')).status, 200)
})

test('returns 500 for an internal error, with details only in the log', async () => {
  served.breakStore({
    transact: async () => {
      throw new Error('the disk is on fire at /srv/data')
    },
  })
  const response = await served.post('/v1/customers', { email: 'ada@example.com' })
  const error = checkError(response, 500, 'internal_error')
  assert.is(error['type'], 'api_error')
  assert.not.match(response.text, /fire|srv|at .*[.]js/)
  const line = served.lines.map((each) => JSON.parse(each)).find(({ level }) => level === 'error')
  assert.is(line.request_id, response.headers['request-id'])
  assert.match(line.stack, /^Error: the disk is on fire at \/srv\/data\n {4}at /)
})

test('returns 500 when the store fails to look up an API key', async () => {
  served.breakStore({
    list: async () => {
      throw 'no error at all'
    },
  })
  checkError(await served.call('/v1/customers'), 500, 'internal_error')
  assert.match(served.lines.join(''), '"stack":"no error at all"')
  assert.is((await served.call('/healthz')).status, 200)
})

test('treats an error code outside the catalog as an internal error', async () => {
  served.breakStore({
    transact: async () => {
      throw new DomainError('made_up', 'Nobody knows this code.')
    },
  })
  checkError(await served.post('/v1/customers', { email: 'a@b.co' }), 500, 'internal_error')
  assert.match(served.lines.join(''), 'Nobody knows this code.')
})

test('runs due jobs before it processes a request, without a scheduler', async () => {
  const session = await newPaymentSession(served.sandbox)
  served.sandbox.setClock(session.expires_at)
  const response = await served.call(`/v1/payment_sessions/${session.id}`)
  const { status, expired_at } = fieldsOf(response)
  assert.equal({ status, expired_at }, { status: 'expired', expired_at: session.expires_at })
})

test('logs a failed due job and responds to the request', async () => {
  const session = await newPaymentSession(served.sandbox)
  served.sandbox.setClock(session.expires_at)
  served.breakStore({
    transact: async () => {
      throw new Error('not now')
    },
  })
  assert.is((await served.call('/v1/customers')).status, 200)
  assert.match(served.lines.join(''), `"message":"due job of ${session.id} failed","stack":"Error: not now`)
})

test('calls onChange only for operations that can write', async () => {
  const before = served.changes()
  await served.call('/v1/customers')
  await served.call('/v1/events/evt_none')
  assert.is(served.changes(), before)
  await served.post('/v1/customers', { email: 'ada@example.com' })
  await served.call('/v1/customers/cus_none', { method: 'DELETE' })
  assert.is(served.changes(), before + 2)
})

test.run()
