import { suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/invoice-items')

const api = openFakeApi(test, () => ({ body: { id: 'ii_1', object: 'invoice_item', total: 500 } }))

api.testCalls([
  [
    'invoice-items create --subscription sub_1 --description Key --unit-amount 2500 --quantity 2 --tax-percent 5.5 --type key',
    'POST /v1/invoice_items {"subscription":"sub_1","description":"Key","unit_amount":2500,"quantity":2,"type":"key","tax_percent":5.5}',
  ],
  [
    'invoice-items create --subscription sub_1 --description Goodwill --unit-amount=-1000 --metadata ticket=81',
    'POST /v1/invoice_items {"subscription":"sub_1","description":"Goodwill","unit_amount":-1000,"metadata":{"ticket":"81"}}',
  ],
  ['invoice-items ls --subscription sub_1 --limit 2', 'GET /v1/invoice_items?limit=2&subscription=sub_1'],
  ['invoice-items get ii_1', 'GET /v1/invoice_items/ii_1'],
  ['invoice-items rm ii_1', 'DELETE /v1/invoice_items/ii_1'],
])

test.run()
