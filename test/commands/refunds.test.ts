import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import type { Ended } from './paycli.ts'

let server: FakeServer

function run(...args: string[]): Promise<Ended> {
  return runCommand(['refunds', ...args], { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' })
}

const test = suite('commands/refunds')

test.before(async () => {
  server = await startFakeServer(({ method }) =>
    method === 'POST'
      ? { body: { id: 're_1', object: 'refund', status: 'succeeded', amount: 500, currency: 'eur' } }
      : { body: { id: 'x_1', object: 'x', payment: 'py_2', latest_payment: 'py_3' } },
  )
})

test.before.each(() => {
  server.seen.length = 0
})

test.after(() => server.stop())

const CALLS: readonly (readonly [args: string, requests: readonly string[]])[] = [
  [
    'create --payment py_1 --amount 500 --reason duplicate --metadata ticket=81',
    ['POST /v1/refunds {"payment":"py_1","amount":500,"reason":"duplicate","metadata":{"ticket":"81"}}'],
  ],
  [
    'create --payment py_sess_1',
    ['GET /v1/payment_sessions/py_sess_1 ', 'POST /v1/refunds {"payment":"py_2"}'],
  ],
  ['create --payment in_1', ['GET /v1/invoices/in_1 ', 'POST /v1/refunds {"payment":"py_3"}']],
  ['ls --payment py_1 --limit 2', ['GET /v1/refunds?limit=2&payment=py_1 ']],
  ['get re_1', ['GET /v1/refunds/re_1 ']],
]

for (const [args, requests] of CALLS) {
  test(`paycli refunds ${args} sends ${requests.map((request) => request.trim()).join(', then ')}`, async () => {
    const { code, stderr } = await run(...args.split(' '))
    assert.equal([code, stderr], [0, ''])
    const seen = server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`)
    assert.equal(seen, requests)
  })
}

test('create names missing flags before any request', async () => {
  const { code, stderr } = await run('create', '--amount', '500')
  assert.is(code, 2)
  assert.match(stderr, 'Missing flag: --payment.')
  assert.is(server.seen.length, 0)
})

test.run()
