import { exitCodeOf } from '../../../src/cli/output/exit-codes.ts'
import { paymentBehind } from '../../../src/cli/sessions/refunded-payment.ts'
import { createClient } from '../../../src/client/client.ts'
import { type FakeServer, startFakeServer } from '../../client/fake-server.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/refunded-payment')

let server: FakeServer
let body: object

test.before(async () => {
  server = await startFakeServer(() => ({ body }))
})

test.after(() => server.stop())

const behind = (id: string) => paymentBehind(createClient({ apiBase: server.url }), id)

test('sessions and invoices know the payment that paid them', async () => {
  body = { id: 'x', payment: 'py_1', latest_payment: 'py_2' }
  assert.is(await behind('py_sess_1'), 'py_1')
  assert.is(await behind('cks_1'), 'py_1')
  assert.is(await behind('in_1'), 'py_2')
  assert.equal(
    server.seen.map(({ url }) => url),
    ['/v1/payment_sessions/py_sess_1', '/v1/checkout_sessions/cks_1', '/v1/invoices/in_1'],
  )
})

test('any other id is a payment as it is', async () => {
  server.seen.length = 0
  assert.equal([await behind('py_1'), await behind('nonsense')], ['py_1', 'nonsense'])
  assert.is(server.seen.length, 0)
})

test('what was paid by no payment is in the wrong state', async () => {
  body = { id: 'cks_1', status: 'open', payment: null, latest_payment: null }
  for (const id of ['py_sess_1', 'cks_1', 'in_1']) {
    const error = await behind(id).catch((thrown: unknown) => thrown)
    assert.match(String(error), "'cks_1' is open and was paid by no card")
    assert.is(exitCodeOf(error), 6)
  }
})

test.run()
