import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

const SESSION = {
  id: 'py_sess_1',
  object: 'payment_session',
  status: 'open',
  url: 'http://127.0.0.1:4101/sessions/py_sess_1',
}

let server: FakeServer
let completed: string
let reached: string

function run(...args: string[]): Promise<Ended> {
  return runCommand(['payments', ...args], { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' })
}

const test = suite('commands/payments')

test.before(async () => {
  server = await startFakeServer(({ url }) => ({
    body: url.endsWith('/complete') ? { ...SESSION, status: completed } : { ...SESSION, status: reached },
  }))
})

test.before.each(() => {
  completed = 'complete'
  reached = 'open'
  server.seen.length = 0
})

test.after(() => server.stop())

test('create sends all parameters of the API', async () => {
  const where = ['--currency', 'eur', '--return-url', 'https://example.com/return']
  const { code, stdout } = await run('create', '--customer', 'cus_1', '--amount', '1000', ...where)
  assert.is(code, 0)
  assert.equal(JSON.parse(stdout), SESSION)
  assert.equal(JSON.parse(server.seen[0]?.body ?? ''), {
    amount: 1000,
    currency: 'eur',
    customer: 'cus_1',
    payment_method_types: ['card'],
    return_url: 'https://example.com/return',
  })
})

test('create lists all missing flags in one error', async () => {
  const { code, stderr } = await run('create', '--amount', '1000')
  assert.is(code, 2)
  assert.match(stderr, /^Error: Missing flags: --currency, --customer, --return-url\.\n/)
})

test('complete, expire, get and open send requests for the session with the given id', async () => {
  assert.is((await run('complete', 'py_sess_1', '--card', 'visa')).code, 0)
  assert.is((await run('expire', 'py_sess_1')).code, 0)
  assert.is((await run('get', 'py_sess_1')).code, 0)
  assert.is((await run('open', 'py_sess_1', '--no-browser')).stdout, `${SESSION.url}\n`)
  assert.equal(
    server.seen.map(({ method, url }) => `${method} ${url}`),
    [
      'POST /v1/test_helpers/payment_sessions/py_sess_1/complete',
      'POST /v1/payment_sessions/py_sess_1/expire',
      'GET /v1/payment_sessions/py_sess_1',
      'GET /v1/payment_sessions/py_sess_1',
    ],
  )
})

test('complete waits for a slow issuer and prints the completed session', async () => {
  completed = 'open'
  reached = 'complete'
  const { code, stdout, stderr } = await run('complete', 'py_sess_1', '--card', 'slow', '--json')
  assert.is(code, 0)
  assert.is(JSON.parse(stdout).status, 'complete')
  assert.match(stderr, 'Waiting for the issuer')
  assert.equal(
    server.seen.map(({ method }) => method),
    ['POST', 'GET'],
  )
})

test('attempts lists the charge attempts of a session or an invoice', async () => {
  assert.is((await run('attempts', '--session', 'py_sess_1', '--status', 'failed')).code, 0)
  assert.is((await run('attempts', '--session', 'cks_1')).code, 0)
  assert.is((await run('attempts', '--invoice', 'in_1', '--limit', '5')).code, 0)
  assert.is((await run('attempt', 'py_1')).code, 0)
  assert.is((await run('attempts', '--session', 'py_1')).code, 2)
  assert.equal(
    server.seen.map(({ method, url }) => `${method} ${url}`),
    [
      'GET /v1/payments?status=failed&payment_session=py_sess_1',
      'GET /v1/payments?checkout_session=cks_1',
      'GET /v1/payments?limit=5&invoice=in_1',
      'GET /v1/payments/py_1',
    ],
  )
})

test.run()
