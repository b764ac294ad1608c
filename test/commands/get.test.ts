import { errorResponse, type Reaction } from '../client/fake-server.ts'
import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/get, post and delete')

const OBJECT: Reaction = { body: { id: 'x' } }
let reaction = OBJECT

const api = openFakeApi(test, () => reaction)

test.before.each(() => {
  reaction = OBJECT
})

api.testCalls([
  ['get cus_1', 'GET /v1/customers/cus_1'],
  ['get py_sess_1', 'GET /v1/payment_sessions/py_sess_1'],
  ['get clock_1', 'GET /v1/test_helpers/test_clocks/clock_1'],
  ['get v1/customers?limit=2 -d email=a@example.com', 'GET /v1/customers?limit=2&email=a%40example.com'],
  ['get /readyz', 'GET /readyz'],
  ['get /v1/events -d types[]=a -d types[]=b', 'GET /v1/events?types%5B%5D=a&types%5B%5D=b'],
  [
    'post customers -d email=a@example.com -d metadata[n]=1',
    'POST /v1/customers {"email":"a@example.com","metadata":{"n":"1"}}',
  ],
  ['post in_1/pay -d paid_out_of_band=true', 'POST /v1/invoices/in_1/pay {"paid_out_of_band":true}'],
  ['post payment_sessions -d amount=1250', 'POST /v1/payment_sessions {"amount":1250}'],
  ['post in_1/void', 'POST /v1/invoices/in_1/void {}'],
  ['delete we_1', 'DELETE /v1/webhook_endpoints/we_1'],
])

api.testUsageErrors(
  ['../keys', '/v1/customers/../events', 'cus_1/../../x', 'http://x'].map((path) => [
    `get ${path}`,
    'expected an object id or a path.',
  ]),
)

test('--dry-run prints the request and sends nothing', async () => {
  const { code, stdout } = await api.run('post', 'customers', '-d', 'email=a@example.com', '--dry-run')
  assert.is(code, 0)
  assert.equal(JSON.parse(stdout), {
    method: 'POST',
    url: `${api.url()}/v1/customers`,
    body: { email: 'a@example.com' },
  })
  assert.equal(api.requests(), [])
})

test('rejects an argument that is neither an id nor a path', async () => {
  reaction = errorResponse(404, { type: 'invalid_request_error', code: 'route_not_found' })
  for (const verb of ['get', 'post', 'delete', 'open']) {
    const neither = await api.run(verb, 'nonsense')
    assert.is(neither.code, 5)
    assert.match(
      neither.stderr,
      "Hint:  'nonsense' is neither an id (cus_…, cks_…) nor a path such as customers or v1/customers\n",
    )
  }
  const foreign = await api.run('get', 'pi_3abc')
  assert.is(foreign.code, 2)
  assert.match(
    foreign.stderr,
    /^Error: No id of an object starts with 'pi_'\.\nHint: {2}Ids of payments start with py_/,
  )
  for (const word of ['customers', 'cus_1', 'v1/novelties']) {
    assert.match((await api.run('get', word)).stderr, 'The server may be older than this command', word)
  }
})

test('prints no further hint when the API names the request to use instead', async () => {
  const message = 'There is no operation at /v1/charges. Use /v1/payment_sessions.'
  const suggestion = '/v1/payment_sessions'
  const error = { type: 'invalid_request_error', code: 'route_not_found', message, suggestion }
  reaction = { status: 404, body: { error } }
  for (const word of ['charges', '/v1/charges']) {
    const { stderr } = await api.run('get', word)
    assert.match(stderr, message)
    assert.not.match(stderr, 'Hint:')
  }
})

test('masks an API key in the error message of a server', async () => {
  const secret = 'paysk_test_0123456789abcdef'
  const error = { type: 'invalid_request_error', code: 'x', message: secret, suggestion: `${secret}0` }
  reaction = { status: 404, body: { error } }
  for (const words of [[], ['--json']]) {
    const { stderr } = await api.run('get', 'cus_1', ...words)
    assert.match(stderr, 'paysk_test_…')
    assert.not.match(stderr, '0123456789')
  }
})

test('prints an API error with a hint that names the flag, except for -d', async () => {
  const error = {
    ...{ type: 'invalid_request_error', code: 'x' },
    ...{ message: 'email must be an address.', param: 'email' },
  }
  reaction = { status: 400, body: { error } }
  const { stderr } = await api.run('customers', 'create', '-d', 'email=x')
  assert.match(stderr, /^Error: email must be/)
  assert.not.match(stderr, '--email')
  const flagged = await api.run('customers', 'create', '--email', 'x')
  assert.match(flagged.stderr, /^Error: --email must be/)
})

test.run()
