import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/webhooks')

const ENDPOINT = { id: 'we_1', object: 'webhook_endpoint', url: 'http://x/hook', secret: 'whsec_1' }
const HEALTH = { object: 'webhook_endpoint_health', webhook_endpoint: 'we_1', succeeded: 1, failed: 2 }
const FAILURE = { created: 1, error_message: 'No handler\u001b[2J.' }

const api = openFakeApi(test, ({ url = '' }) => {
  if (url.endsWith('/health')) return { body: HEALTH }
  if (!url.includes('deliveries?')) return { body: { ...ENDPOINT, status: 'enabled' } }
  return {
    body: { object: 'list', url, data: url.includes('status=failed') ? [FAILURE] : [], has_more: false },
  }
})

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

test('webhooks endpoints health describes the failures on a terminal, and prints only the counts elsewhere', async () => {
  const env = { PAYCLI_API_BASE: api.url(), PAYCLI_API_KEY: 'k' }
  const args = ['webhooks', 'endpoints', 'health', 'we_1']
  const { stderr } = await runCommand(args, env, { terminal: { columns: 60 } })
  assert.is(
    stderr,
    '2 of 3 attempts of the last 24 hours failed. The newest\nfailure, at 1970-01-01T00:00:01Z: No handler\\u001b[2J.\n',
  )
  assert.equal(JSON.parse((await runCommand(args, env)).stdout), HEALTH)
  const before = api.requests().length
  await runCommand([...args, '--json'], env, { terminal: { columns: 60 } })
  assert.is(api.requests().length, before + 1, 'reads nothing for a note that is not printed')
})

api.testUsageErrors([
  ['webhooks endpoints create --url /hook', "Invalid webhook target '/hook'."],
  ['webhooks endpoints create --events invoice.paid', 'Did you mean --enabled-events?'],
])

test.run()
