import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

let server: FakeServer

function run(...args: string[]): Promise<Ended> {
  return runCommand(args, { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' })
}

function requests(): string[] {
  return server.seen.map(({ method, url, body }) => `${method} ${url}${body}`)
}

const test = suite('commands/payments')

test.before(async () => {
  server = await startFakeServer(({ method, url }) => ({
    body:
      method === 'POST'
        ? { id: 're_1', amount: 500, currency: 'eur', status: 'succeeded' }
        : { id: url, payment: 'py_1' },
  }))
})

test.before.each(() => {
  server.seen.length = 0
})

test.after(() => server.stop())

for (const name of ['list', 'ls', 'attempts']) {
  test(`${name} lists the payments of a session or an invoice`, async () => {
    assert.is((await run('payments', name, '--session', 'py_sess_1', '--status', 'failed')).code, 0)
    assert.is((await run('payments', name, '--session', 'cks_1')).code, 0)
    assert.is((await run('payments', name, '--invoice', 'in_1', '--limit', '5')).code, 0)
    assert.is((await run('payments', name, '--session', 'py_1')).code, 2)
    assert.equal(requests(), [
      'GET /v1/payments?status=failed&payment_session=py_sess_1',
      'GET /v1/payments?checkout_session=cks_1',
      'GET /v1/payments?limit=5&invoice=in_1',
    ])
  })
}

for (const words of ['payments retrieve', 'payments get', 'payments attempt', 'payment-sessions retrieve']) {
  test(`${words} retrieves a payment or a payment session, by the prefix of the id`, async () => {
    const paths = ['/v1/payments/py_1', '/v1/payment_sessions/py_sess_1']
    for (const [index, id] of ['py_1', 'py_sess_1'].entries()) {
      const { code, stdout, stderr } = await run(...words.split(' '), id)
      assert.equal([code, JSON.parse(stdout).id, stderr], [0, paths[index], ''])
    }
  })
}

test('retrieve sends an id of another resource to the resource of the command', async () => {
  await run('payments', 'retrieve', 'cus_1')
  await run('payment-sessions', 'retrieve', 'cus_1')
  assert.equal(requests(), ['GET /v1/payments/cus_1', 'GET /v1/payment_sessions/cus_1'])
})

test('refund refunds a payment, or the payment of a session, as refunds create does', async () => {
  const amount = ['--amount', '500', '--reason', 'requested_by_customer']
  for (const id of ['py_1', 'py_sess_1']) {
    assert.is((await run('payments', 'refund', id, ...amount)).code, 0)
    const sent = requests()
    server.seen.length = 0
    assert.is((await run('refunds', 'create', '--payment', id, ...amount)).code, 0)
    assert.equal(requests(), sent)
    assert.equal(JSON.parse(server.seen.at(-1)?.body ?? ''), {
      amount: 500,
      payment: 'py_1',
      reason: 'requested_by_customer',
    })
    server.seen.length = 0
  }
})

test('refund exits with 2 without an id or for another payment in --data', async () => {
  const missing = await run('payments', 'refund', '--amount', '500')
  assert.is(missing.code, 2)
  assert.match(missing.stderr, 'Missing argument: id.')
  assert.is((await run('payments', 'refund', 'py_1', '--data', 'payment=py_2')).code, 2)
  assert.equal(requests(), [])
})

test('create charges a saved card off session, or on session with --on-session', async () => {
  const charge = ['payments', 'create', '--customer', 'cus_1', '--amount', '4500', '--currency', 'eur']
  const { code, stderr } = await run(...charge, '--description', 'API calls', '-i', 'usage 1')
  assert.is(code, 0, stderr)
  assert.is((await run(...charge, '--payment-method', 'pm_1', '--on-session')).code, 0)
  assert.equal(
    server.seen.map(({ method, url }) => `${method} ${url}`),
    ['POST /v1/payments', 'POST /v1/payments'],
  )
  const params = { amount: 4500, currency: 'eur', customer: 'cus_1' }
  assert.equal(
    server.seen.map(({ body }) => JSON.parse(body)),
    [
      { ...params, description: 'API calls' },
      { ...params, payment_method: 'pm_1', off_session: false },
    ],
  )
})

test('create exits with 2 for the flags of a payment session', async () => {
  const charge = ['payments', 'create', '--customer', 'cus_1', '--amount', '4500', '--currency', 'eur']
  assert.is((await run(...charge, '--return-url', 'https://example.com/return')).code, 2)
  assert.is((await run('payments', 'create', '--customer', 'cus_1')).code, 2)
  assert.equal(requests(), [])
})

test('cancel and authenticate call the operations of the payment', async () => {
  assert.is((await run('payments', 'cancel', 'py_1')).code, 0)
  assert.is((await run('payments', 'authenticate', 'py_1')).code, 0)
  assert.is((await run('payments', 'authenticate', 'py_1', '--three-d-secure', 'reject')).code, 0)
  assert.is((await run('payments', 'authenticate', 'py_1', '--three-d-secure', 'maybe')).code, 2)
  assert.equal(requests(), [
    'POST /v1/payments/py_1/cancel{}',
    'POST /v1/test_helpers/payments/py_1/authenticate{}',
    'POST /v1/test_helpers/payments/py_1/authenticate{"three_d_secure":"reject"}',
  ])
})

test.run()
