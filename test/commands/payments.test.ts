import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/payments')

const api = openFakeApi(test, ({ method, url }) => ({
  body:
    method === 'POST'
      ? { id: 're_1', amount: 500, currency: 'eur', status: 'succeeded' }
      : { id: url, payment: 'py_1' },
}))

const REFUND = '{"payment":"py_1","amount":500,"reason":"requested_by_customer"}'
const CHARGE = 'payments create --customer cus_1 --amount 4500 --currency eur'

api.testCalls([
  [
    'payments list --session py_sess_1 --status failed',
    'GET /v1/payments?status=failed&payment_session=py_sess_1',
  ],
  ['payments ls --invoice in_1 --limit 5', 'GET /v1/payments?limit=5&invoice=in_1'],
  ['payments attempts --session cks_1', 'GET /v1/payments?checkout_session=cks_1'],
  ['payments retrieve py_1', 'GET /v1/payments/py_1'],
  ['payments get py_sess_1', 'GET /v1/payment_sessions/py_sess_1'],
  ['payments attempt cus_1', 'GET /v1/payments/cus_1'],
  ['payment-sessions retrieve py_1', 'GET /v1/payments/py_1'],
  ['payment-sessions retrieve py_sess_1', 'GET /v1/payment_sessions/py_sess_1'],
  ['payment-sessions retrieve cus_1', 'GET /v1/payment_sessions/cus_1'],
  ['payments refund py_1 --amount 500 --reason requested_by_customer', `POST /v1/refunds ${REFUND}`],
  [
    'payments refund py_sess_1 --amount 500 --reason requested_by_customer',
    'GET /v1/payment_sessions/py_sess_1',
    `POST /v1/refunds ${REFUND}`,
  ],
  [
    `${CHARGE} --description Calls -i 1`,
    'POST /v1/payments {"amount":4500,"currency":"eur","customer":"cus_1","description":"Calls"}',
  ],
  [
    `${CHARGE} --payment-method pm_1 --on-session`,
    'POST /v1/payments {"amount":4500,"currency":"eur","customer":"cus_1","payment_method":"pm_1","off_session":false}',
  ],
  [
    `${CHARGE} --capture-method manual`,
    'POST /v1/payments {"amount":4500,"currency":"eur","customer":"cus_1","capture_method":"manual"}',
  ],
  ['payments capture py_1', 'POST /v1/payments/py_1/capture {}'],
  ['payments capture py_1 --amount 3000', 'POST /v1/payments/py_1/capture {"amount":3000}'],
  ['payments cancel py_1', 'POST /v1/payments/py_1/cancel {}'],
  ['payments authenticate py_1', 'POST /v1/test_helpers/payments/py_1/authenticate {}'],
  [
    'payments authenticate py_1 --three-d-secure reject',
    'POST /v1/test_helpers/payments/py_1/authenticate {"three_d_secure":"reject"}',
  ],
])

api.testUsageErrors([
  ['payments refund --amount 500', 'Missing argument: id.'],
  ['payments refund py_1 --data payment=py_2', "--payment and --data give different values for 'payment'."],
  ['events list --type payment.suceeded', 'Hint:  Use --type payment.succeeded'],
  ['payments authenticate py_1 --three-d-secure maybe', "Invalid --three-d-secure 'maybe': expected one of"],
  [`${CHARGE} --return-url https://example.com/return`, 'Unknown flag --return-url.'],
  ['payments create --customer cus_1', 'Missing flags: --amount, --currency.'],
])

test('sends the value of -i as the idempotency key', async () => {
  await api.run(...CHARGE.split(' '), '-i', 'usage 1')
  assert.is(api.seen()[0]?.headers['idempotency-key'], 'usage 1')
})

test.run()
