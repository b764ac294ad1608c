import CheckoutCreate from '../../commands/checkout/create.ts'
import { errorResponse, type Reaction } from '../client/fake-server.ts'
import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/checkout')

const SESSION = { id: 'cks_1', object: 'checkout_session', url: 'http://127.0.0.1:4101/checkout/cks_1' }
const COMPLETE: Reaction = { body: { ...SESSION, status: 'complete', payment_status: 'paid' } }
const CREATE = 'checkout create --customer cus_1 --currency eur --interval month'

let reaction = COMPLETE

const api = openFakeApi(test, () => reaction)

test.before.each(() => {
  reaction = COMPLETE
})

api.testCalls([
  [
    `${CREATE} --item Rent:100000:20:rent --start-date 2024-01-01`,
    'POST /v1/checkout_sessions {"currency":"eur","customer":"cus_1","subscription_data":{"interval":"month","start_date":1704067200,"items":[{"description":"Rent","type":"rent","price_data":{"amount":100000,"tax_percent":20}}]}}',
  ],
  [
    `${CREATE} --item Pro:2900 --trial-days 14 --missing-payment-method pause --payment-method-collection if_required`,
    'POST /v1/checkout_sessions {"currency":"eur","customer":"cus_1","payment_method_collection":"if_required","subscription_data":{"interval":"month","trial_days":14,"trial_settings":{"missing_payment_method":"pause"},"items":[{"description":"Pro","price_data":{"amount":2900}}]}}',
  ],
  [
    'checkout complete cks_1 --card 4000002500003155 --three-d-secure reject',
    'POST /v1/test_helpers/checkout_sessions/cks_1/complete {"test_card":"sca_setup","three_d_secure":"reject"}',
  ],
])

api.testUsageErrors([
  ['checkout create --item Rent:12.50', "Invalid --item 'Rent:12.50'"],
  [`${CREATE} --item Rent:1000 --max-wait 1m`, '--wait'],
])

test('the help of create marks exactly the flags whose absence is an error as required', async () => {
  const { stderr } = await api.run('checkout', 'create', '--json')
  const { message } = JSON.parse(stderr).error
  const required = Object.entries(CheckoutCreate.flags).filter(([, flag]) =>
    flag.description?.startsWith('(required)'),
  )
  assert.equal(
    required.map(([name]) => name).sort(),
    [...message.matchAll(/--([a-z-]+)/g)].map(([, name]) => name).sort(),
  )
})

test('expire exits with 6 for a session in the wrong state', async () => {
  reaction = errorResponse(400, { type: 'invalid_request_error', code: 'checkout_session_unexpected_state' })
  const { code, stderr } = await api.run('checkout', 'expire', 'cks_1')
  assert.is(code, 6)
  assert.match(stderr, /paycli checkout retrieve/)
  assert.equal(api.requests(), ['POST /v1/checkout_sessions/cks_1/expire {}'])
})

test('create --wait prints the ended session and sets the exit code by its status', async () => {
  reaction = { body: { ...SESSION, status: 'expired' } }
  const { code, stdout, stderr } = await api.run(...CREATE.split(' '), '--item', 'Rent:1000', '--wait')
  assert.equal([code, JSON.parse(stdout).status], [6, 'expired'])
  assert.match(stderr, 'The session expired without a payment')
})

test.run()
