import { suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/webhooks')

const api = openFakeApi(test, () => ({
  body: { id: 'we_1', object: 'webhook_endpoint', url: 'http://x/hook', secret: 'whsec_1' },
}))

api.testCalls([
  [
    'webhooks endpoints create --url http://x/hook --enabled-events invoice.*,payment.* --enabled-events customer.created',
    'POST /v1/webhook_endpoints {"url":"http://x/hook","enabled_events":["invoice.*","payment.*","customer.created"]}',
  ],
  [
    'webhooks endpoints create --url 3000/hook',
    'POST /v1/webhook_endpoints {"url":"http://localhost:3000/hook"}',
  ],
  [
    'webhooks endpoints update we_1 --url :3000',
    'POST /v1/webhook_endpoints/we_1 {"url":"http://localhost:3000/"}',
  ],
  ['webhooks endpoints update we_1 --url ftp://x', 'POST /v1/webhook_endpoints/we_1 {"url":"ftp://x"}'],
  [
    'webhooks endpoints update we_1 --status disabled',
    'POST /v1/webhook_endpoints/we_1 {"status":"disabled"}',
  ],
  [
    'webhooks endpoints roll-secret we_1 --grace-seconds 60',
    'POST /v1/webhook_endpoints/we_1/roll_secret {"grace_seconds":60}',
  ],
  ['webhooks endpoints rm we_1', 'DELETE /v1/webhook_endpoints/we_1'],
  ['webhooks deliveries ls --status failed', 'GET /v1/webhook_deliveries?status=failed'],
  ['webhooks deliveries send whd_1', 'POST /v1/webhook_deliveries/whd_1/send {}'],
])

api.testUsageErrors([['webhooks endpoints create --url /hook', "Invalid webhook target '/hook'."]])

test.run()
