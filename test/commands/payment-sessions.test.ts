import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/payment-sessions')

const SESSION = { object: 'payment_session', url: 'http://127.0.0.1:4101/sessions/py_sess_1' }

// The issuer of `py_sess_slow` decides after the response.
const api = openFakeApi(test, ({ url }) => {
  const isOpen = url.endsWith('/complete') && url.includes('py_sess_slow')
  return { body: { id: 'py_sess_1', ...SESSION, status: isOpen ? 'open' : 'complete' } }
})

api.testCalls([
  [
    'payment-sessions create --customer cus_1 --amount 1000 --currency eur --return-url https://example.com/return',
    'POST /v1/payment_sessions {"payment_method_types":["card"],"amount":1000,"currency":"eur","customer":"cus_1","return_url":"https://example.com/return"}',
  ],
  [
    'payment-sessions complete py_sess_1 --card visa',
    'POST /v1/test_helpers/payment_sessions/py_sess_1/complete {"test_card":"visa"}',
  ],
  [
    'payments complete py_sess_1 --card visa',
    'POST /v1/test_helpers/payment_sessions/py_sess_1/complete {"test_card":"visa"}',
  ],
  ['payment-sessions expire py_sess_1', 'POST /v1/payment_sessions/py_sess_1/expire {}'],
  ['payments expire py_sess_1', 'POST /v1/payment_sessions/py_sess_1/expire {}'],
])

api.testUsageErrors([
  ['payment-sessions create --amount 1000', /^Error: Missing flags: --currency, --customer\.\n/],
])

test('complete waits for a slow issuer and prints the completed session', async () => {
  const args = ['complete', 'py_sess_slow', '--card', 'slow', '--json']
  const { code, stdout, stderr } = await api.run('payment-sessions', ...args)
  assert.equal([code, JSON.parse(stdout).status], [0, 'complete'])
  assert.match(stderr, 'Waiting for the issuer')
  assert.equal(
    api.seen().map(({ method }) => method),
    ['POST', 'GET'],
  )
})

test.run()
