import { connect } from 'node:net'
import { DomainError } from '../../src/domain/domain-error.ts'
import { newPaymentSession } from '../support/samples.ts'
import { assert, suite } from '../support/suite.ts'
import { type Answer, type Ask, ask, errorOf, fieldsOf, post, shout } from '../support/wire.ts'
import { KEY, type Served, serveSandbox } from './served.ts'

const test = suite('daemon/api-app')

let served: Served

test.before(async () => {
  served = await serveSandbox()
})

test.before.each(() => {
  served.breakStore({})
  served.lines.length = 0
})

test.after(() => served?.close())

const AUTHORIZED = { Authorization: `Bearer ${KEY}` }

function call(path: string, given: Ask = {}): Promise<Answer> {
  return ask(served.apiUrl + path, { ...given, headers: { ...AUTHORIZED, ...given.headers } })
}

/** Every answer names its request; an error is told in the one shape, and leads to where it is explained. */
function checkError(answer: Answer, status: number, code: string): Record<string, unknown> {
  assert.is(answer.status, status, answer.text)
  assert.is(answer.headers['content-type'], 'application/json; charset=utf-8')
  assert.match(answer.headers['request-id'] ?? '', /^req_[0-9A-Za-z]{24}$/)
  assert.is(answer.headers['paycli-version'], '1')
  assert.is(answer.headers['x-powered-by'], undefined)
  const error = errorOf(answer)
  const names = ['type', 'code', 'message', 'param', 'doc_url', 'request_id', 'errors', 'suggestion']
  assert.equal(Object.keys(error), names)
  assert.is(error['code'], code)
  assert.is(error['request_id'], answer.headers['request-id'])
  assert.is(error['doc_url'], `${served.apiUrl}/docs/errors#${code}`)
  assert.match(String(error['message']), /^[A-Z].*[.]$/s)
  return error
}

const BAD_KEYS: readonly (readonly [header: string | null, code: string])[] = [
  [null, 'api_key_missing'],
  ['', 'api_key_missing'],
  ['Bearer', 'api_key_invalid'],
  ['Bearer paysk_test_wrong', 'api_key_invalid'],
  [`Bearer ${KEY}x`, 'api_key_invalid'],
  [`Bearer ${KEY.toLowerCase()}`, 'api_key_invalid'],
  [`Bearer ${KEY} ${KEY}`, 'api_key_invalid'],
  [`Basic ${Buffer.from(`${KEY}:`).toString('base64')}`, 'api_key_invalid'],
  [KEY, 'api_key_invalid'],
  [`Token ${KEY}`, 'api_key_invalid'],
  ['Bearer sk_live_abcdefgh', 'live_key_refused'],
]

for (const [header, code] of BAD_KEYS) {
  test(`Authorization ${header === null ? 'left out' : `'${header}'`} is 401 ${code}`, async () => {
    const headers: Ask['headers'] = header === null ? {} : { Authorization: header }
    for (const method of ['GET', 'POST', 'HEAD']) {
      const answer = await ask(`${served.apiUrl}/v1/customers`, { method, headers })
      assert.is(answer.status, 401)
      assert.is(answer.headers['www-authenticate'], 'Bearer realm="paycli"')
      if (method !== 'HEAD') checkError(answer, 401, code)
      assert.not.match(answer.text + served.lines.join(''), 'abcdefgh')
    }
  })
}

test('the scheme may be written in any case', async () => {
  assert.is((await call('/v1/customers', { headers: { Authorization: `bEARER  ${KEY}` } })).status, 200)
})

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
  test(`${path} is 404`, async () => {
    const error = checkError(await call(path), 404, 'route_not_found')
    assert.match(String(error['message']), path)
  })
}

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
  test(`${method} ${path} is 405 and Allow names ${allow}`, async () => {
    const answer = await call(path, { method })
    checkError(answer, 405, 'method_not_allowed')
    assert.is(answer.headers.allow, allow)
  })
}

test('an id that is not there is 404, wherever it has strange characters', async () => {
  for (const id of ['cus_1', '%2e%2f', '%00', '%E0%A4%A', '%F0%9F%92%A9', 'x'.repeat(255)]) {
    checkError(await call(`/v1/customers/${id}`), 404, 'resource_missing')
  }
})

test('HEAD answers like GET, without the body', async () => {
  await post(`${served.apiUrl}/v1/customers`, KEY, { email: 'ada@example.com' })
  for (const path of ['/v1/customers', '/healthz', '/docs/errors', '/v1/customers/cus_none', '/nothing']) {
    const [head, get] = await Promise.all([call(path, { method: 'HEAD' }), call(path)])
    assert.is(head.text, '')
    assert.is(head.status, get.status)
    for (const name of ['content-type', 'content-length']) assert.is(head.headers[name], get.headers[name])
  }
  assert.is((await call('/v1/checkout_sessions/cks_1/expire', { method: 'HEAD' })).status, 405)
})

test('the root says without a key what this is and where its reference is', async () => {
  const answer = await ask(`${served.apiUrl}/`)
  assert.is(answer.status, 200)
  assert.is(fieldsOf(answer)['docs'], `${served.apiUrl}/docs`)
})

test('the health of the process is told without a key', async () => {
  const answer = await ask(`${served.apiUrl}/healthz`)
  assert.is(answer.status, 200)
  assert.equal(fieldsOf(answer), { status: 'ok', pid: 4711, version: '0.1.0' })
  assert.match(answer.headers['request-id'] ?? '', /^req_/)
})

test('whether requests can be carried out is told without a key', async () => {
  assert.is((await ask(`${served.apiUrl}/readyz`)).status, 200)
})

test('every answer has a request id of its own, and the log has it too', async () => {
  const answers = await Promise.all(
    ['/healthz', '/v1/customers', '/nothing', '/v1/events'].map((path) => call(path)),
  )
  const ids = answers.map(({ headers }) => String(headers['request-id']))
  assert.is(new Set(ids).size, answers.length)
  for (const answer of answers) assert.is(answer.headers['paycli-version'], '1')
  for (const id of ids) assert.match(served.lines.join(''), `"request_id":"${id}"`)
})

test('an event names the request that caused it', async () => {
  const created = await post(`${served.apiUrl}/v1/customers`, KEY, { email: 'eve@example.com' })
  const { data } = fieldsOf<{ data: { request: { id: string } }[] }>(await call('/v1/events?limit=1'))
  assert.is(data[0]?.request.id, created.headers['request-id'])
})

const NO_HTTP = {
  'a request line that is none': 'what is this\r\n\r\n',
  'a control character in the path': 'GET /\u0001 HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'a space in the name of a header': 'GET / HTTP/1.1\r\nHost : HOST\r\n\r\n',
  'two lengths': 'POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  'a length and chunks':
    'POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  'headers of 20 kB': `GET / HTTP/1.1\r\nHost: HOST\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
}

for (const [what, text] of Object.entries(NO_HTTP)) {
  test(`${what} is 400 in the same shape as every other error`, async () => {
    const { host } = new URL(served.apiUrl)
    checkError(await shout(served.apiUrl, text.replace('HOST', host)), 400, 'request_malformed')
    assert.match(served.lines.join(''), '"message":"unreadable request","status":400,"request_id":"req_')
  })
}

test('an expectation that is not known is passed over', async () => {
  assert.is((await call('/healthz', { headers: { Expect: 'miracles' } })).status, 200)
})

test('a tunnel is refused without an answer', async () => {
  assert.is(
    (await shout(served.apiUrl, 'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test\r\n\r\n')).status,
    0,
  )
})

test('a client that leaves in the middle of its body does no harm', async () => {
  const { hostname, port, host } = new URL(served.apiUrl)
  const socket = connect(Number(port), hostname)
  const head = `POST /v1/customers HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEY}\r\n`
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"email":`, () =>
    socket.destroy(),
  )
  await new Promise((resolve) => socket.once('close', resolve))
  assert.is((await call('/healthz')).status, 200)
})

test('a bug is 500 and tells its inside to the log only', async () => {
  served.breakStore({
    transact: async () => {
      throw new Error('the disk is on fire at /srv/data')
    },
  })
  const answer = await post(`${served.apiUrl}/v1/customers`, KEY, { email: 'ada@example.com' })
  const error = checkError(answer, 500, 'internal_error')
  assert.is(error['type'], 'api_error')
  assert.not.match(answer.text, /fire|srv|at .*[.]js/)
  const line = served.lines.map((each) => JSON.parse(each)).find(({ level }) => level === 'error')
  assert.is(line.request_id, answer.headers['request-id'])
  assert.match(line.stack, /^Error: the disk is on fire at \/srv\/data\n {4}at /)
})

test('a store that cannot even look up keys is 500 too', async () => {
  served.breakStore({
    list: async () => {
      throw 'no error at all'
    },
  })
  checkError(await call('/v1/customers'), 500, 'internal_error')
  assert.match(served.lines.join(''), '"stack":"no error at all"')
  assert.is((await call('/healthz')).status, 200)
})

test('a full disk is 503 and says when to come back', async () => {
  served.breakStore({
    transact: async () => {
      throw new DomainError('storage_full', 'The disk is full.', { retryAfterSeconds: 1 })
    },
  })
  const answer = await post(`${served.apiUrl}/v1/customers`, KEY, { email: 'ada@example.com' })
  checkError(answer, 503, 'storage_full')
  assert.is(answer.headers['retry-after'], '1')
})

test('a refusal that is in no catalogue is a bug, told as one', async () => {
  served.breakStore({
    transact: async () => {
      throw new DomainError('made_up', 'Nobody knows this code.')
    },
  })
  checkError(await post(`${served.apiUrl}/v1/customers`, KEY, { email: 'a@b.co' }), 500, 'internal_error')
  assert.match(served.lines.join(''), 'Nobody knows this code.')
})

test('what time made due is done before a request, without any ticker', async () => {
  const session = await newPaymentSession(served.sandbox)
  served.sandbox.setClock(session.expires_at)
  const answer = await call(`/v1/payment_sessions/${session.id}`)
  const { status, expired_at } = fieldsOf(answer)
  assert.equal({ status, expired_at }, { status: 'expired', expired_at: session.expires_at })
})

test('what time made due and cannot be done is logged, and the request answered', async () => {
  const session = await newPaymentSession(served.sandbox)
  served.sandbox.setClock(session.expires_at)
  served.breakStore({
    transact: async () => {
      throw new Error('not now')
    },
  })
  assert.is((await call('/v1/customers')).status, 200)
  assert.match(served.lines.join(''), `"message":"deadline of ${session.id} failed","stack":"Error: not now`)
})

test('only what may have changed something is told to the webhooks', async () => {
  const before = served.changes()
  await call('/v1/customers')
  await call('/v1/events/evt_none')
  assert.is(served.changes(), before)
  await post(`${served.apiUrl}/v1/customers`, KEY, { email: 'ada@example.com' })
  await call('/v1/customers/cus_none', { method: 'DELETE' })
  assert.is(served.changes(), before + 2)
})

test.run()
