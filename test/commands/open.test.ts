import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/open, payments open and checkout open')

let server: FakeServer
let body: unknown

test.before(async () => {
  server = await startFakeServer(() => ({ body: body as object }))
})

test.after(() => server.stop())

/** An address and a key for the fake server. */
const place = () => ({ PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' })

const COMMANDS: readonly (readonly string[])[] = [
  ['payments', 'open', 'py_sess_1'],
  ['checkout', 'open', 'cks_1'],
  ['open', 'py_sess_1'],
]

for (const words of COMMANDS) {
  test(`${words.join(' ')} exits with 2 for a response without a page URL`, async () => {
    for (body of [{ id: 'py_sess_1', status: 'open' }, { id: 'py_sess_1', url: null }, {}]) {
      const { code, stdout, stderr } = await runCommand([...words, '--no-browser'], place())
      assert.equal([code, stdout], [2, ''], stderr)
      assert.match(stderr, /^Error: The response(?: for 'py_sess_1')? has no url/)
      assert.match(stderr, /\nHint: {2}\S/)
    }
  })
}

test('open prints the session, or the address of another object, with --json', async () => {
  const env = place()
  const url = 'http://127.0.0.1:4101/p'
  const session = { id: 'py_sess_1', status: 'open', url }
  for (const words of COMMANDS) {
    body = session
    const { code, stdout } = await runCommand([...words, '--no-browser', '--json'], env)
    assert.equal([code, JSON.parse(stdout)], [0, session])
  }
  body = { id: 'in_1', status: 'paid', hosted_invoice_url: url }
  const { code, stdout, stderr } = await runCommand(['open', 'in_1', '--no-browser', '--json'], env)
  assert.equal([code, JSON.parse(stdout), stderr], [0, { url }, ''])
})

test('open opens the page of the session that a payment belongs to', async () => {
  const url = 'http://127.0.0.1:4101/p'
  const session = { id: 'py_sess_1', status: 'open', url }
  const other = await startFakeServer(({ url: path }) => ({
    body:
      path === '/v1/payments/py_1'
        ? { id: 'py_1', object: 'payment', payment_session: 'py_sess_1' }
        : session,
  }))
  const env = { PAYCLI_API_BASE: other.url, PAYCLI_API_KEY: 'k' }
  const { code, stdout } = await runCommand(['open', 'py_1', '--no-browser', '--json'], env)
  await other.stop()
  assert.equal([code, JSON.parse(stdout)], [0, session])
  assert.equal(
    other.seen.map(({ url: path }) => path),
    ['/v1/payments/py_1', '/v1/payment_sessions/py_sess_1'],
  )
})

test('open docs prints the address of the API reference', async () => {
  body = { status: 'ok', pid: 1, version: '0.1.0' }
  const env = place()
  for (const words of [['open', 'docs'], ['open'], ['payments', 'open', 'docs']]) {
    const { code, stdout } = await runCommand([...words, '--no-browser'], env)
    assert.equal([code, stdout], [0, `${server.url}/docs\n`])
  }
})

test('checkout open and payments open exit with 2 without an id', async () => {
  for (const topic of ['checkout', 'payments']) {
    const { code, stdout, stderr } = await runCommand([topic, 'open', '--no-browser', '--json'])
    assert.equal([code, stdout, JSON.parse(stderr).error.code], [2, '', 'argument_missing'], stderr)
  }
})

test('open prints the 3-D Secure page of a payment without a session and invoice', async () => {
  const redirect_to_url = { url: 'http://127.0.0.1:4101/3ds/py_1' }
  body = { id: 'py_1', object: 'payment', invoice: null, next_action: { redirect_to_url } }
  const env = place()
  const { code, stdout } = await runCommand(['open', 'py_1', '--no-browser'], env)
  assert.equal([code, stdout], [0, `${redirect_to_url.url}\n`])
  body = { id: 'py_1', object: 'payment', invoice: null, next_action: null }
  assert.is((await runCommand(['open', 'py_1', '--no-browser'], env)).code, 2)
})

test('open --wait exits with 2 for an object that is not a session', async () => {
  body = { id: 'in_1', status: 'open', hosted_invoice_url: 'http://127.0.0.1:4101/i' }
  const { code, stdout, stderr } = await runCommand(['open', 'in_1', '--no-browser', '--wait'], place())
  assert.equal([code, stdout], [2, ''])
  assert.match(stderr, /--wait has no effect: only a session can be waited for/)
})

test('payment-sessions create --open exits with 2 for a response without a page URL', async () => {
  body = { id: 'py_sess_1', status: 'open' }
  const create = [
    'payment-sessions',
    'create',
    '--customer',
    'cus_1',
    '--amount',
    '1000',
    '--currency',
    'eur',
  ]
  const { code, stderr } = await runCommand(
    [...create, '--return-url', 'https://example.com/', '--open'],
    place(),
  )
  assert.is(code, 2)
  assert.match(stderr, "Error: The response for 'py_sess_1' has no url, so no page can be opened.")
})

test.run()
