import { createErrorReport } from '../../../src/cli/output/error-report.ts'
import { getExitCode } from '../../../src/cli/output/exit-codes.ts'
import { findPaymentToRefund } from '../../../src/cli/sessions/payment-to-refund.ts'
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

const paymentOf = (id: string) => findPaymentToRefund(createClient({ apiBase: server.url }), id)

test('returns the payment id of a session or invoice', async () => {
  body = { id: 'x', payment: 'py_1', latest_payment: 'py_2' }
  assert.is(await paymentOf('py_sess_1'), 'py_1')
  assert.is(await paymentOf('cks_1'), 'py_1')
  assert.is(await paymentOf('in_1'), 'py_2')
  assert.equal(
    server.seen.map(({ url }) => url),
    ['/v1/payment_sessions/py_sess_1', '/v1/checkout_sessions/cks_1', '/v1/invoices/in_1'],
  )
})

test('returns an id of any other type unchanged', async () => {
  server.seen.length = 0
  assert.equal([await paymentOf('py_1'), await paymentOf('nonsense')], ['py_1', 'nonsense'])
  assert.is(server.seen.length, 0)
})

test('throws when the session or invoice has no payment', async () => {
  body = { id: 'cks_1', status: 'open', payment: null, latest_payment: null }
  for (const id of ['py_sess_1', 'cks_1', 'in_1']) {
    const error = await paymentOf(id).catch((thrown: unknown) => thrown)
    assert.match(String(error), "'cks_1' is open and has no card payment")
    assert.is(getExitCode(createErrorReport(error, { command: 'paycli' })), 6)
  }
})

test.run()
