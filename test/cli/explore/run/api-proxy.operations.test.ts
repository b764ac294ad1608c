import { getOperationName } from '../../../../src/cli/explore/run/api-proxy.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/explore/api-proxy.operations')

for (const [method, url, name] of [
  ['POST', '/v1/payment_sessions', 'payment_sessions.create'],
  ['GET', '/v1/payment_sessions/py_sess_1?limit=1', 'payment_sessions.retrieve'],
  ['POST', '/v1/customers/cus_1', 'customers.update'],
  ['PUT', '/v1/customers/cus_1', 'PUT /v1/customers/cus_1'],
  ['GET', '/unknown?x=1', 'GET /unknown'],
] as const) {
  test(`returns ${name} for ${method} ${url}`, () => assert.is(getOperationName(method, url), name))
}

test.run()
