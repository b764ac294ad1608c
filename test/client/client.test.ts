import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { customers } from '../../src/api/operations/customers.ts'
import { events } from '../../src/api/operations/events.ts'
import { paymentSessions } from '../../src/api/operations/payment-sessions.ts'
import { ApiError } from '../../src/client/api-error.ts'
import { createClient } from '../../src/client/client.ts'
import { assert, suite } from '../support/suite.ts'
import {
  ADA,
  assertConnectionError,
  createCustomer,
  createWithTimeout,
  runAgainst,
} from './client-fixtures.ts'
import { errorResponse, type Reaction, type SeenRequest, startFakeServer } from './fake-server.ts'

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const requests = suite('requests')

requests('sends a POST with JSON, the API key and an idempotency key', async () => {
  const { outcome, seen } = await runAgainst(() => ({ body: ADA }), createCustomer)
  assert.equal(outcome, ADA)
  assert.is(seen.length, 1)
  const { method, url, headers, body } = seen[0] as SeenRequest
  assert.is(`${method} ${url}`, 'POST /v1/customers')
  assert.equal(JSON.parse(body), { email: 'ada@example.com', name: 'Ada ✓' })
  assert.is(headers['authorization'], 'Bearer paysk_test_1')
  assert.is(headers['content-type'], 'application/json')
  assert.is(headers['content-length'], String(Buffer.byteLength(body)))
  assert.match(String(headers['idempotency-key']), UUID_V4)
  assert.is(headers['connection'], 'close', 'uses no keep-alive connection')
})

requests('sends requests for a name of localhost to this machine', async () => {
  const { outcome, seen } = await runAgainst(
    () => ({ body: ADA }),
    ({ url }) => createCustomer({ url: url.replace('127.0.0.1', 'tenant.localhost') }),
  )
  assert.equal(outcome, ADA)
  assert.match(String(seen[0]?.headers['host']), /^tenant\.localhost:\d+$/)
})

requests('uses a new idempotency key for each POST', async () => {
  const { seen } = await runAgainst(
    () => ({ body: ADA }),
    async (server) => {
      await createCustomer(server)
      await createCustomer(server)
    },
  )
  assert.is.not(seen[0]?.headers['idempotency-key'], seen[1]?.headers['idempotency-key'])
})

requests('uses the idempotency key of the options', async () => {
  const { seen } = await runAgainst(
    () => ({ body: ADA }),
    ({ url }) =>
      createClient({ apiBase: url, idempotencyKey: 'import 1042' }).call(customers.create, {
        email: 'a@b.co',
      }),
  )
  assert.is(seen[0]?.headers['idempotency-key'], 'import 1042')
})

requests('calls onWarning only for a response with a warning', async () => {
  const warnings: string[] = []
  await runAgainst(
    (_seen, count) =>
      count === 1 ? { body: ADA, headers: { 'Paycli-Warning': 'unknown: nmae' } } : { body: ADA },
    async ({ url }) => {
      const client = createClient({ apiBase: url, onWarning: (warning) => warnings.push(warning) })
      await client.call(customers.create, { email: 'a@b.co' })
      await client.call(customers.create, { email: 'a@b.co' })
    },
  )
  assert.equal(warnings, ['unknown: nmae'])
})

requests('calls onServerTime with the Date of a response', async () => {
  const times: number[] = []
  await runAgainst(
    () => ({ body: ADA, headers: { Date: 'Mon, 01 Jan 2024 00:00:00 GMT' } }),
    ({ url }) =>
      createClient({ apiBase: url, onServerTime: (time) => times.push(time) }).call(customers.create, {
        email: 'a@b.co',
      }),
  )
  assert.equal(times, [1704067200])
})

requests('sends a GET with objects and lists in brackets and without a body', async () => {
  const { seen } = await runAgainst(
    () => ({ body: { object: 'list' } }),
    ({ url }) =>
      createClient({ apiBase: url }).call(events.list, {
        limit: 3,
        types: ['customer.created', 'customer.updated'],
        created: { gte: 1, lt: 2 },
        object_id: 'a&b=c',
        // Callers whose compiler allows it pass undefined for a parameter that they do not set.
        ...({ starting_after: undefined } as object),
      }),
  )
  const { method, url, headers, body } = seen[0] as SeenRequest
  assert.is(method, 'GET')
  assert.is(body, '')
  const query = new URLSearchParams(url.split('?')[1])
  assert.equal(
    [...query],
    [
      ['limit', '3'],
      ['types[]', 'customer.created'],
      ['types[]', 'customer.updated'],
      ['created[gte]', '1'],
      ['created[lt]', '2'],
      ['object_id', 'a&b=c'],
    ],
  )
  for (const name of ['authorization', 'content-type', 'idempotency-key'])
    assert.is(headers[name], undefined, name)
})

requests('encodes the id in the path, and does not send it in the query or the body', async () => {
  const { seen } = await runAgainst(
    () => ({ body: ADA }),
    async ({ url }) => {
      const client = createClient({ apiBase: `${url}/prefix/` })
      await client.call(paymentSessions.complete, { id: 'a/b?c#d', test_card: 'visa' })
      await client.call(customers.delete, { id: 'cus_1' })
    },
  )
  assert.is(seen[0]?.url, '/prefix/v1/test_helpers/payment_sessions/a%2Fb%3Fc%23d/complete')
  assert.is(seen[0]?.body, '{"test_card":"visa"}')
  assert.is(`${seen[1]?.method} ${seen[1]?.url}`, 'DELETE /prefix/v1/customers/cus_1')
})

requests('sends no request with an id that is a segment of relative paths', async () => {
  const { seen } = await runAgainst(
    () => ({ body: ADA }),
    async ({ url }) => {
      const client = createClient({ apiBase: url })
      for (const id of ['.', '..']) {
        const error = await client.call(customers.delete, { id }).catch((thrown: unknown) => thrown)
        assert.ok(error instanceof ApiError)
        assert.equal([error.status, error.error.code, error.error.param], [404, 'resource_missing', 'id'])
        assert.match(error.message, `'${id}'`)
      }
      await client.call(customers.retrieve, { id: '...' })
    },
  )
  assert.equal(
    seen.map(({ url }) => url),
    ['/v1/customers/...'],
  )
})

requests.run()

const apiErrors = suite('api errors')

apiErrors('throws an ApiError with all fields of the error response', async () => {
  const payment = { id: 'py_1', object: 'payment' }
  const more = {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    payment,
    param: 'test_card',
    suggestion: 'visa',
  }
  const { outcome } = await runAgainst(() => errorResponse(402, more), createCustomer)
  assert.instance(outcome, ApiError)
  const { status, error, message } = outcome as ApiError
  assert.is(status, 402)
  assert.is(message, 'Something about card_declined.')
  assert.equal(error, {
    type: 'card_error',
    code: 'card_declined',
    message,
    param: 'test_card',
    errors: [{ code: 'card_declined', message, param: null }],
    suggestion: 'visa',
    doc_url: 'http://x/docs',
    request_id: 'req_1',
    decline_code: 'insufficient_funds',
    payment,
  })
})

apiErrors('throws an ApiError for an error response with missing fields', async () => {
  const body = { error: { type: 'api_error', code: 'internal_error', message: 'Oh.', errors: [{ code: 1 }] } }
  const { outcome } = await runAgainst(() => ({ status: 500, body }), createCustomer)
  const { error } = outcome as ApiError
  assert.equal([error.param, error.errors, error.request_id, error.payment], [null, [], null, null])
})

apiErrors.run()

const failures = suite('failures')

failures('throws connection_refused when no server listens', async () => {
  const server = await startFakeServer(() => 'hang')
  await server.stop()
  const outcome = await createCustomer(server).catch((error: unknown) => error)
  assertConnectionError(
    outcome,
    'connection_refused',
    /^No paycli server at http:\/\/127\.0\.0\.1:\d+\. Start one: npx paycli serve --port \d+, or run your tests with a server: npx paycli exec -- npm test$/,
  )
})

failures('throws timeout when the server does not respond in time', async () => {
  const { outcome, seen } = await createWithTimeout()
  assert.is(seen.length, 1)
  assertConnectionError(outcome, 'timeout', /did not respond within 0\.1 s/)
})

const INVALID_RESPONSES: readonly (readonly [
  name: string,
  reaction: Reaction,
  code: string,
  message: RegExp,
])[] = [
  [
    'an HTML page',
    { body: '<h1>Hello</h1>' },
    'not_paycli',
    /responded 200 with no JSON object \(text\/html\)/,
  ],
  ['an error page of a proxy', { status: 502, body: '<h1>Bad</h1>' }, 'not_paycli', /responded 502/],
  ['a list', { body: [1] }, 'not_paycli', /no JSON object/],
  ['an empty body', { body: '' }, 'not_paycli', /no JSON object/],
  [
    'the error of another server',
    { status: 404, body: { error: 'nope' } },
    'not_paycli',
    /JSON that is not a paycli error/,
  ],
  [
    'a redirect',
    { status: 301, headers: { Location: 'https://elsewhere.example/' }, body: '' },
    'redirected',
    /redirects \(301\) to https:\/\/elsewhere\.example\//,
  ],
]

for (const [name, reaction, code, message] of INVALID_RESPONSES) {
  failures(`throws ${code} for ${name}`, async () => {
    const { outcome, seen } = await runAgainst(() => reaction, createCustomer)
    assertConnectionError(outcome, code, message)
    assert.is(seen.length, 1)
  })
}

for (const [name, response, code, message] of [
  ['without HTTP', '220 mail.example ESMTP\r\n', 'not_paycli', /does not respond with HTTP/],
  [
    'that switches protocols',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    'connection_lost',
    /connection/,
  ],
] as const) {
  failures(`throws ${code} for a server ${name}`, async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const outcome = await createCustomer({ url: `http://127.0.0.1:${port}` }).catch((error: unknown) => error)
    server.close()
    assertConnectionError(outcome, code, message)
  })
}

failures('throws tls_failed for a server without TLS', async () => {
  const { outcome } = await runAgainst(
    () => ({ body: ADA }),
    ({ url }) => createCustomer({ url: url.replace('http:', 'https:') }),
  )
  assertConnectionError(outcome, 'tls_failed', /No trusted TLS connection/)
})

failures.run()
