import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/card-sessions')

const SESSION = {
  ...{
    id: 'cd_sess_1',
    object: 'card_session',
    status: 'complete',
    customer: 'cus_1',
    payment_method: 'pm_1',
  },
  url: 'http://127.0.0.1:4101/cards/cd_sess_1',
}
const PAYMENT = {
  ...{ id: 'py_1', object: 'payment', invoice: 'in_1', payment_method: 'pm_1' },
  ...{ amount: 9120, currency: 'eur', status: 'succeeded', decline_code: null },
}
const PAYMENTS = [
  PAYMENT,
  { ...PAYMENT, id: 'py_2', invoice: 'in_2', status: 'failed', decline_code: 'insufficient_funds' },
  { ...PAYMENT, id: 'py_3', payment_method: 'pm_old' },
]

let mayReadPayments = true

const api = openFakeApi(test, ({ url = '' }) => {
  if (!url.startsWith('/v1/payments')) return { body: SESSION }
  if (mayReadPayments) return { body: { object: 'list', url, data: PAYMENTS, has_more: false } }
  const error = { type: 'authentication_error', code: 'insufficient_scope', message: 'No access.' }
  return { status: 403, body: { error } }
})

const PARAMS =
  '{"customer":"cus_1","subscription":"sub_1","pay_open_invoices":false,"return_url":"https://example.com"}'
const FLAGS = '--customer cus_1 --subscription sub_1 --no-pay-open-invoices --return-url https://example.com'

api.testCalls([
  [`card-sessions create ${FLAGS}`, `POST /v1/card_sessions ${PARAMS}`],
  [`cards update ${FLAGS} --wait`, `POST /v1/card_sessions ${PARAMS}`],
  [
    'card-sessions complete cd_sess_1 --card visa',
    'POST /v1/test_helpers/card_sessions/cd_sess_1/complete {"test_card":"visa"}',
  ],
  ['card-sessions expire cd_sess_1', 'POST /v1/card_sessions/cd_sess_1/expire {}'],
])

for (const args of ['card-sessions complete cd_sess_1 --card visa', 'cards update cus_1 --wait']) {
  test(`${args} names the invoices that the new card paid or could not pay`, async () => {
    const env = { PAYCLI_API_BASE: api.url(), PAYCLI_API_KEY: 'k' }
    const { stderr } = await runCommand(args.split(' '), env, { terminal: { columns: 80 } })
    assert.is(
      stderr,
      `Saved the new card pm_1.
Paid invoice in_1 of 91.20 EUR: payment py_1.
Not paid: invoice in_2 of 91.20 EUR: insufficient_funds (payment py_2).
`,
    )
  })
}

test('complete prints the session when the API key cannot read payments', async () => {
  mayReadPayments = false
  const env = { PAYCLI_API_BASE: api.url(), PAYCLI_API_KEY: 'k' }
  const args = ['card-sessions', 'complete', 'cd_sess_1', '--card', 'visa']
  const { code, stderr } = await runCommand(args, env, { terminal: { columns: 80 } })
  mayReadPayments = true
  assert.equal([code, stderr], [0, 'Saved the new card pm_1.\n'])
})

api.testUsageErrors([['card-sessions create', /^Error: Missing flag: --customer\.\n/]])

test.run()
