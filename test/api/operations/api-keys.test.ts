import { api } from '../../../src/api/api.ts'
import { checkInvariants } from '../../../src/engine/invariants.ts'
import { testDomainErrors } from '../../support/domain-errors.ts'
import { catchDomainError, createSandbox, DAY, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/api-keys')

test('returns the secret of an API key only from create and roll, and never stores it', async () => {
  const sandbox = createSandbox()
  const { secret, ...key } = await sandbox.call(api.apiKeys.create, { name: 'Tests' })
  assert.match(secret, /^paysk_test_/)
  assert.is(key.last4, secret.slice(-4))
  assert.equal(await sandbox.call(api.apiKeys.retrieve, { id: key.id }), key)
  assert.equal((await sandbox.call(api.apiKeys.list, {})).data, [key])
  const rolled = await sandbox.call(api.apiKeys.roll, { id: key.id })
  assert.is.not(rolled.secret, secret)
  assert.equal(checkInvariants(await sandbox.snapshot()), [])
})

test('a key with scopes has the prefix of restricted keys', async () => {
  const { kind, secret } = await createSandbox().call(api.apiKeys.create, { scopes: ['customers:read'] })
  assert.is(kind, 'restricted')
  assert.match(secret, /^payrk_test_/)
})

test('an API key expires in the second of expires_at', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.apiKeys.create, { expires_at: START + DAY })
  const statusOf = async () => (await sandbox.call(api.apiKeys.retrieve, { id })).status
  await sandbox.moveTo(START + DAY - 1)
  assert.is(await statusOf(), 'active')
  await sandbox.moveTo(START + DAY)
  assert.is(await statusOf(), 'expired')
  assert.is((await sandbox.call(api.apiKeys.list, { status: 'expired' })).data[0]?.id, id)
  assert.is(
    (await catchDomainError(sandbox.call(api.apiKeys.revoke, { id }))).code,
    'api_key_unexpected_state',
  )
})

test('a rolled key expires after its grace period, and a revoked key is invalid immediately', async () => {
  const sandbox = createSandbox()
  const old = await sandbox.call(api.apiKeys.create, {})
  const next = await sandbox.call(api.apiKeys.roll, { id: old.id, grace_seconds: 3600 })
  const statuses = async () =>
    (await sandbox.call(api.apiKeys.list, {})).data
      .map(({ id, status }) => `${id === old.id} ${status}`)
      .sort()
  assert.equal(await statuses(), ['false active', 'true active'])
  await sandbox.advance(3600)
  assert.equal(await statuses(), ['false active', 'true expired'])
  assert.is((await sandbox.call(api.apiKeys.revoke, { id: next.id })).status, 'revoked')
  assert.equal(await statuses(), ['false revoked', 'true expired'])
})

test('changes of API keys cause no events', async () => {
  const sandbox = createSandbox()
  const { id } = await sandbox.call(api.apiKeys.create, { expires_at: START + DAY })
  await sandbox.call(api.apiKeys.roll, { id, grace_seconds: 10 })
  await sandbox.advance(DAY)
  assert.equal(await sandbox.events(), [])
})

testDomainErrors(test, {
  operation: api.apiKeys.create,
  prepare: async () => ({ body: { name: 'Tests', scopes: ['customers:read'] } }),
  table: `
    name = ""                        parameter_invalid_string
    name = text(101)                 parameter_invalid_string
    scopes = []                      parameter_invalid_array
    scopes = ["*"]                   parameter_invalid_enum     at scopes[0]
    scopes = ["api_keys:write"]      parameter_invalid_enum     at scopes[0]
    scopes = ["customers:delete"]    parameter_invalid_enum     at scopes[0]
    expires_at = 1                   timestamp_invalid
    scope = ["customers:read"]       parameter_unknown          try scopes
    kind = "secret"                  parameter_unknown
  `,
})

testDomainErrors(test, {
  operation: api.apiKeys.roll,
  prepare: async (sandbox) => ({ id: (await sandbox.call(api.apiKeys.create, {})).id, body: {} }),
  table: `
    grace_seconds = -1               parameter_invalid_integer
    grace_seconds = 604801           parameter_invalid_integer
  `,
})

test.run()
