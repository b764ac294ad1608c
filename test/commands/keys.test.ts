import { assert, suite } from '../support/suite.ts'
import { openFakeApi } from './fake-api.ts'

const test = suite('commands/keys')

const OBJECTS: Readonly<Record<string, object>> = {
  api_keys: { id: 'key_1', object: 'api_key', secret: 'paysk_test_1' },
  webhook_endpoints: { id: 'we_1', object: 'webhook_endpoint', secret: 'whsec_1' },
  customers: { id: 'cus_1', object: 'customer' },
}

const api = openFakeApi(test, ({ url }) => ({ body: OBJECTS[url.split(/[/?]/)[2] ?? ''] }))

api.testCalls([
  [
    'keys create --name Tests --scopes customers:read,events:read --expires-at 2099-01-01',
    `POST /v1/api_keys {"name":"Tests","scopes":["customers:read","events:read"],"expires_at":${Date.UTC(2099, 0, 1) / 1000}}`,
  ],
  ['keys ls --status active', 'GET /v1/api_keys?status=active'],
  ['keys get key_1', 'GET /v1/api_keys/key_1'],
  ['keys roll key_1 --grace-seconds 3600', 'POST /v1/api_keys/key_1/roll {"grace_seconds":3600}'],
  ['keys revoke key_1', 'DELETE /v1/api_keys/key_1'],
])

for (const [create, next] of [
  [
    'keys create',
    /The response was key_1\. Its secret is not shown again\.\nHint: {2}Fields: .*, secret.* Create another secret: paycli keys roll key_1\n/,
  ],
  [
    'webhooks endpoints create --url http://127.0.0.1:9/hook',
    /The response was we_1\. Its secret is not shown again\.\nHint: {2}Fields: .*, secret.* Create another secret: paycli webhooks endpoints roll-secret we_1\n/,
  ],
  [
    'customers create --email ada@example.com',
    /The response was cus_1\.\nHint: {2}.* See the whole object: paycli get cus_1\n/,
  ],
] as const) {
  test(`suggests the next command after '${create}' with an unknown --field`, async () => {
    const { code, stdout, stderr } = await api.run(...create.split(' '), '--field', 'nope')
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, next)
  })
}

test.run()
