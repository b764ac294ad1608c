import { suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/refunds')

const api = openFakeApi(test, ({ method }) =>
  method === 'POST'
    ? { body: { id: 're_1', object: 'refund', status: 'succeeded', amount: 500, currency: 'eur' } }
    : { body: { id: 'x_1', object: 'x', payment: 'py_2', latest_payment: 'py_3' } },
)

api.testCalls([
  [
    'refunds create --payment py_1 --amount 500 --reason duplicate --metadata ticket=81',
    'POST /v1/refunds {"payment":"py_1","amount":500,"reason":"duplicate","metadata":{"ticket":"81"}}',
  ],
  [
    'refunds create --payment py_sess_1',
    'GET /v1/payment_sessions/py_sess_1',
    'POST /v1/refunds {"payment":"py_2"}',
  ],
  ['refunds create --payment in_1', 'GET /v1/invoices/in_1', 'POST /v1/refunds {"payment":"py_3"}'],
  ['refunds ls --payment py_1 --limit 2', 'GET /v1/refunds?limit=2&payment=py_1'],
  ['refunds get re_1', 'GET /v1/refunds/re_1'],
])

api.testUsageErrors([['refunds create --amount 500', 'Missing flag: --payment.']])

test.run()
