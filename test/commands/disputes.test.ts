import { suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/disputes')

const api = openFakeApi(test, () => ({ body: { id: 'dp_1', object: 'dispute', status: 'won', amount: 500 } }))

api.testCalls([
  [
    'payments dispute py_1 --reason duplicate --amount 500 --inquiry',
    'POST /v1/test_helpers/payments/py_1/dispute {"reason":"duplicate","amount":500,"inquiry":true}',
  ],
  [
    'disputes ls --payment py_1 --status needs_response --limit 2',
    'GET /v1/disputes?limit=2&payment=py_1&status=needs_response',
  ],
  ['disputes get dp_1', 'GET /v1/disputes/dp_1'],
  [
    'disputes update dp_1 --evidence winning_evidence',
    'POST /v1/disputes/dp_1 {"evidence":{"text":"winning_evidence"}}',
  ],
  [
    'disputes update dp_1 --evidence Receipt --no-submit',
    'POST /v1/disputes/dp_1 {"submit":false,"evidence":{"text":"Receipt"}}',
  ],
  ['disputes update dp_1', 'POST /v1/disputes/dp_1 {}'],
  ['disputes close dp_1', 'POST /v1/disputes/dp_1/close {}'],
])

test.run()
