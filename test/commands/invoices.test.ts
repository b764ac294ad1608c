import type { Reaction } from '../client/fake-server.ts'
import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/invoices')

const PAID: Reaction = { body: { id: 'in_1', object: 'invoice', status: 'paid' } }
let reaction = PAID

const api = openFakeApi(test, () => reaction)

test.before.each(() => {
  reaction = PAID
})

api.testCalls([
  ['invoices finalize in_1', 'POST /v1/invoices/in_1/finalize {}'],
  ['invoices void in_1', 'POST /v1/invoices/in_1/void {}'],
  ['invoices mark-uncollectible in_1', 'POST /v1/invoices/in_1/mark_uncollectible {}'],
  ['invoices pay in_1', 'POST /v1/invoices/in_1/pay {}'],
  [
    'invoices pay in_1 --payment-method pm_1 --on-session',
    'POST /v1/invoices/in_1/pay {"payment_method":"pm_1","off_session":false}',
  ],
  ['invoices pay in_1 --paid-out-of-band', 'POST /v1/invoices/in_1/pay {"paid_out_of_band":true}'],
  [
    'invoices pay-as-customer in_1 --card sca_always --three-d-secure approve --keep',
    'POST /v1/test_helpers/invoices/in_1/pay_as_customer {"test_card":"sca_always","three_d_secure":"approve","keep":true}',
  ],
])

test('pay exits with 6 for a declined card and suggests another card', async () => {
  const payment = { invoice: 'in_1', customer: 'cus_1', next_action: null }
  const error = { type: 'card_error', code: 'card_declined', message: 'No.', param: null, errors: [] }
  reaction = { status: 402, body: { error: { ...error, decline_code: null, payment } } }
  const { code, stdout, stderr } = await api.run('invoices', 'pay', 'in_1')
  assert.equal([code, stdout], [6, ''])
  assert.match(stderr, /--payment-method.*paycli cards list cus_1/)
})

test.run()
