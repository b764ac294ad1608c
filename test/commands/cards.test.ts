import { suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/cards')

const api = openFakeApi(test, () => ({ body: { id: 'pm_1', object: 'payment_method' } }))

api.testCalls([
  ['cards ls cus_1 --limit 3', 'GET /v1/customers/cus_1/payment_methods?limit=3'],
  ['cards list --customer cus_1', 'GET /v1/customers/cus_1/payment_methods'],
  ['cards update cus_1', 'POST /v1/card_sessions {"customer":"cus_1"}'],
  ['cards get pm_1', 'GET /v1/payment_methods/pm_1'],
  ['cards detach pm_1', 'POST /v1/payment_methods/pm_1/detach {}'],
])

test.run()
