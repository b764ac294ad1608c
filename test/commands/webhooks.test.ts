import { type FakeServer, startFakeServer } from '../client/fake-server.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const ENDPOINT = { id: 'we_1', object: 'webhook_endpoint', url: 'http://x/hook', secret: 'whsec_1' }

let server: FakeServer

const test = suite('commands/webhooks')

test.before(async () => {
  server = await startFakeServer(() => ({ body: ENDPOINT }))
})

test.before.each(() => {
  server.seen.length = 0
})

test.after(() => server.stop())

/** Command lines with two topics, and their requests. */
const CALLS: readonly (readonly [args: string, request: string])[] = [
  [
    'endpoints create --url http://x/hook --enabled-events invoice.*,payment.* --enabled-events customer.created',
    'POST /v1/webhook_endpoints {"url":"http://x/hook","enabled_events":["invoice.*","payment.*","customer.created"]}',
  ],
  ['endpoints create --url 3000/hook', 'POST /v1/webhook_endpoints {"url":"http://localhost:3000/hook"}'],
  ['endpoints update we_1 --url :3000', 'POST /v1/webhook_endpoints/we_1 {"url":"http://localhost:3000/"}'],
  ['endpoints update we_1 --url ftp://x', 'POST /v1/webhook_endpoints/we_1 {"url":"ftp://x"}'],
  ['endpoints update we_1 --status disabled', 'POST /v1/webhook_endpoints/we_1 {"status":"disabled"}'],
  [
    'endpoints roll-secret we_1 --grace-seconds 60',
    'POST /v1/webhook_endpoints/we_1/roll_secret {"grace_seconds":60}',
  ],
  ['endpoints rm we_1', 'DELETE /v1/webhook_endpoints/we_1 '],
  ['deliveries ls --status failed', 'GET /v1/webhook_deliveries?status=failed '],
  ['deliveries send whd_1', 'POST /v1/webhook_deliveries/whd_1/send {}'],
]

for (const [args, request] of CALLS) {
  test(`paycli webhooks ${args} sends ${request.trim()}`, async () => {
    const ended = await runCommand(['webhooks', ...args.split(' '), '--field', 'id'], {
      PAYCLI_API_BASE: server.url,
      PAYCLI_API_KEY: 'k',
    })
    assert.is(ended.stderr, '')
    assert.is(ended.stdout, 'we_1\n')
    assert.equal(
      server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`),
      [request],
    )
  })
}

test('endpoints create exits with 2 for a target that is neither a URL nor a port', async () => {
  const env = { PAYCLI_API_BASE: server.url, PAYCLI_API_KEY: 'k' }
  const { code, stderr } = await runCommand(['webhooks', 'endpoints', 'create', '--url', '/hook'], env)
  assert.equal([code, server.seen.length], [2, 0])
  assert.match(stderr, "Invalid webhook target '/hook'.")
})

test.run()
