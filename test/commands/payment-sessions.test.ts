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

function env() {
  return { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' }
}

function run(...args: string[]): Promise<Ended> {
  return runCommand(['payment-sessions', ...args], env())
}

const test = suite('commands/payment-sessions')

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

test('payments complete, expire and open are the same commands', async () => {
  const lines = [
    ['complete', 'py_sess_1', '--card', 'visa'],
    ['expire', 'py_sess_1'],
    ['open', 'py_sess_1', '--no-browser'],
  ]
  for (const line of lines) {
    const [named, old] = [await run(...line), await runCommand(['payments', ...line], env())]
    assert.equal(old, named, line.join(' '))
    assert.is(old.code, 0, old.stderr)
  }
  const requests = server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`)
  assert.is(requests.length, 2 * lines.length)
  for (const [index, request] of requests.entries()) assert.is(request, requests[index - (index % 2)])
})

test.run()
