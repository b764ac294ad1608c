import { errorResponse, type FakeServer, type Reaction, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

let server: FakeServer
let reaction: Reaction

function run(...args: string[]): Promise<Ended> {
  return runCommand([...args, '--api-base', server.url, '--api-key', 'k'])
}

const test = suite('commands/get, post and delete')

test.before(async () => {
  server = await startFakeServer(() => reaction)
})

test.before.each(() => {
  reaction = { body: { id: 'x', hosted_invoice_url: `${server.url}/invoices/in_1` } }
  server.seen.length = 0
})

test.after(() => server.stop())

/** Command lines and their requests. */
const SENT: readonly (readonly [typed: string, sent: string])[] = [
  ['get cus_1', 'GET /v1/customers/cus_1 '],
  ['get py_sess_1', 'GET /v1/payment_sessions/py_sess_1 '],
  ['get clock_1', 'GET /v1/test_helpers/test_clocks/clock_1 '],
  ['get v1/customers?limit=2 -d email=a@example.com', 'GET /v1/customers?limit=2&email=a%40example.com '],
  ['get /readyz', 'GET /readyz '],
  ['get /v1/events -d types[]=a -d types[]=b', 'GET /v1/events?types%5B%5D=a&types%5B%5D=b '],
  [
    'post customers -d email=a@example.com -d metadata[n]=1',
    'POST /v1/customers {"email":"a@example.com","metadata":{"n":"1"}}',
  ],
  ['post in_1/pay -d paid_out_of_band=true', 'POST /v1/invoices/in_1/pay {"paid_out_of_band":true}'],
  ['post payment_sessions -d amount=1250', 'POST /v1/payment_sessions {"amount":1250}'],
  ['post in_1/void', 'POST /v1/invoices/in_1/void {}'],
  ['delete we_1', 'DELETE /v1/webhook_endpoints/we_1 '],
  ['open in_1 --no-browser', 'GET /v1/invoices/in_1 '],
]

for (const [typed, sent] of SENT) {
  test(`${typed} sends ${sent.trim()}`, async () => {
    const { code, stderr } = await run(...typed.split(' '))
    assert.equal([code, stderr], [0, ''])
    assert.equal(
      server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`),
      [sent],
    )
  })
}

test('--dry-run prints the request and sends nothing', async () => {
  const { code, stdout } = await run('post', 'customers', '-d', 'email=a@example.com', '--dry-run')
  assert.is(code, 0)
  assert.equal(JSON.parse(stdout), {
    method: 'POST',
    url: `${server.url}/v1/customers`,
    body: { email: 'a@example.com' },
  })
  assert.is(server.seen.length, 0)
})

test('open prints the page URL of an object, or reports that the object has no page', async () => {
  assert.is((await run('open', 'in_1', '--no-browser')).stdout, `${server.url}/invoices/in_1\n`)
  reaction = { body: { id: 'cus_1' } }
  const { code, stderr } = await run('open', 'cus_1', '--no-browser')
  assert.is(code, 2)
  assert.match(stderr, "'cus_1' has no page.")
})

test('reports an argument that is neither an id nor a path', async () => {
  const code = 'route_not_found'
  reaction = errorResponse(404, { type: 'invalid_request_error', code })
  for (const verb of ['get', 'post', 'delete', 'open']) {
    const neither = await run(verb, 'nonsense')
    assert.is(neither.code, 5)
    assert.match(
      neither.stderr,
      "Hint:  'nonsense' is neither an id (cus_…, cks_…) nor a path such as customers or v1/customers\n",
    )
  }
  for (const word of ['customers', 'cus_1', 'v1/novelties']) {
    assert.match((await run('get', word)).stderr, 'The server may be older than this command', word)
  }
})

test('rejects a path outside the API before any request', async () => {
  for (const path of ['../keys', '/v1/customers/../events', 'cus_1/../../x', 'http://x', 'a b']) {
    const { code, stderr } = await run('get', path)
    assert.is(code, 2, path)
    assert.match(stderr, 'expected an object id or a path.')
  }
  assert.is(server.seen.length, 0)
})

test('prints an API error with a hint at the flag, except for -d', async () => {
  reaction = {
    status: 400,
    body: {
      error: {
        type: 'invalid_request_error',
        code: 'x',
        message: 'email must be an address.',
        param: 'email',
      },
    },
  }
  const { stderr } = await run('customers', 'create', '-d', 'email=x')
  assert.match(stderr, /^Error: email must be/)
  assert.not.match(stderr, '--email')
  const flagged = await run('customers', 'create', '--email', 'x')
  assert.match(flagged.stderr, /^Error: email must be.*\nHint: {2}Check --email\./)
})

test.run()
