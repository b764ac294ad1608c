import { suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/portal')

const api = openFakeApi(test, () => ({
  body: {
    ...{ id: 'pt_sess_1', object: 'portal_session', status: 'open' },
    url: 'http://127.0.0.1:4101/portal/pt_sess_1',
  },
}))

const FEATURES =
  '{"cards":false,"cancel":"now","invoices":false,"plans":[{"amount":1000,"description":"Small"},{"amount":20000,"description":"A:B","currency":"eur","interval":"year","tax_percent":7.5}]}'

api.testCalls([
  [
    'portal create --customer cus_1 --no-cards --cancel now --no-invoices --plan Small:1000 --plan A\\:B:20000:eur:year:7.5',
    `POST /v1/portal_sessions {"customer":"cus_1","features":${FEATURES}}`,
  ],
  [
    'portal create --customer cus_1 --business-name Shop --return-url https://example.com',
    'POST /v1/portal_sessions {"customer":"cus_1","return_url":"https://example.com","branding":{"business_name":"Shop"}}',
  ],
  ['portal list --status open', 'GET /v1/portal_sessions?status=open'],
  ['portal get pt_sess_1', 'GET /v1/portal_sessions/pt_sess_1'],
  ['portal expire pt_sess_1', 'POST /v1/portal_sessions/pt_sess_1/expire {}'],
])

api.testUsageErrors([
  ['portal create', /^Error: Missing flag: --customer\.\n/],
  [
    'portal create --customer cus_1 --plan Small',
    /^Error: Invalid --plan 'Small': expected description:amount/,
  ],
  ['portal create --customer cus_1 --plan Small:1.5', /^Error: Invalid --plan 'Small:1\.5'/],
])

test.run()
