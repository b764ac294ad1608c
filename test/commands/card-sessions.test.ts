import { suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/card-sessions')

const api = openFakeApi(test, () => ({
  body: {
    ...{ id: 'cd_sess_1', object: 'card_session', status: 'complete', payment_method: 'pm_1' },
    url: 'http://127.0.0.1:4101/cards/cd_sess_1',
  },
}))

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

api.testUsageErrors([['card-sessions create', /^Error: Missing flag: --customer\.\n/]])

test.run()
