import { SCOPES } from '../../../src/api/core/auth.ts'
import {
  type ApiKey,
  addSandboxIdToKey,
  createApiKey,
  expireApiKey,
  getKeySandboxId,
  MAX_KEY_GRACE_SECONDS,
  rejectSecretKeyWhenExposed,
  requireFaultAccess,
  requireScope,
  revokeApiKey,
  rollApiKey,
} from '../../../src/domain/sandboxes/api-keys.ts'
import { catchDomainError } from '../../support/catch-domain-error.ts'
import { createRuleContext, START } from '../../support/rule-context.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/sandboxes/api-keys')

const context = createRuleContext()
const MATERIAL = { secret: 'paysk_test_abcd', digest: 'd1' }

function newKey(fields: Parameters<typeof createApiKey>[0] = {}, more: Partial<ApiKey> = {}): ApiKey {
  return { ...createApiKey(fields, MATERIAL, context).key.after, ...more }
}

test('stores an API key without its secret, and the digest of the secret in a separate record', () => {
  const { key, digest } = createApiKey({ name: 'Tests' }, MATERIAL, context)
  assert.equal(key.after, {
    ...{
      id: key.after.id,
      object: 'api_key',
      created: START,
      livemode: false,
      name: 'Tests',
      kind: 'secret',
    },
    ...{ last4: 'abcd', scopes: ['*'], status: 'active', expires_at: null, last_used_at: null },
  })
  assert.equal(digest.after, { id: 'd1', object: 'api_key_digest', key: key.after.id })
  assert.not.match(JSON.stringify([key, digest]), MATERIAL.secret)
})

test('creates a restricted key with the requested scopes, without duplicates', () => {
  const { kind, scopes } = newKey({ scopes: ['customers:read', 'customers:read', 'events:read'] })
  assert.equal([kind, scopes], ['restricted', ['customers:read', 'events:read']])
})

test('accepts an expires_at one second ahead and rejects the current time', async () => {
  assert.is(newKey({ expires_at: START + 1 }).expires_at, START + 1)
  for (const expires_at of [START, 0]) {
    const { code, param } = await catchDomainError(() => newKey({ expires_at }))
    assert.equal([code, param], ['timestamp_invalid', 'expires_at'])
  }
})

/** Columns: expiry of the old key, grace period in seconds, status and expiry after the roll. */
const ROLLS: readonly (readonly [expiry: number | null, grace: number, status: string, newExpiry: number])[] =
  [
    [null, 0, 'expired', START],
    [null, 1, 'active', START + 1],
    [null, MAX_KEY_GRACE_SECONDS, 'active', START + MAX_KEY_GRACE_SECONDS],
    [START + 60, 3600, 'active', START + 60],
    [START + 7200, 3600, 'active', START + 3600],
    [START + 60, 0, 'expired', START],
  ]

for (const [expiry, grace, status, newExpiry] of ROLLS) {
  const when = expiry === null ? 'never expires' : `expires in ${expiry - START} s`
  test(`a key that ${when} is ${status} after a roll with a grace period of ${grace} s`, () => {
    const old = newKey({ name: 'Tests' }, { expires_at: expiry, last_used_at: START - 60 })
    const { key, changes } = rollApiKey(
      old,
      { material: MATERIAL, graceSeconds: grace, oldDigest: undefined },
      context,
    )
    assert.equal(changes[0]?.after, { ...old, status, expires_at: newExpiry })
    const { name, kind, scopes, expires_at, last_used_at } = key.after
    assert.equal([name, kind, scopes, expires_at, last_used_at], ['Tests', 'secret', ['*'], null, null])
    assert.is.not(key.after.id, old.id)
  })
}

test('rolling a restricted key keeps its scopes', () => {
  const old = newKey({ scopes: ['customers:read'] })
  const { key } = rollApiKey(old, { material: MATERIAL, graceSeconds: 0, oldDigest: undefined }, context)
  assert.equal([key.after.kind, key.after.scopes, key.after.name], ['restricted', ['customers:read'], null])
})

test('rejects rolling or revoking an expired or revoked key', async () => {
  assert.is(revokeApiKey(newKey()).after.status, 'revoked')
  assert.is(expireApiKey(newKey()).after.status, 'expired')
  for (const status of ['expired', 'revoked'] as const) {
    const key = newKey({}, { status })
    const rolled = await catchDomainError(() =>
      rollApiKey(key, { material: MATERIAL, graceSeconds: 0, oldDigest: undefined }, context),
    )
    const revoked = await catchDomainError(() => revokeApiKey(key))
    assert.equal([rolled.code, revoked.code], ['api_key_unexpected_state', 'api_key_unexpected_state'])
    assert.match(revoked.message, `Cannot revoke api_key '${key.id}': it is already ${status}`)
  }
})

test('a scope allows itself, and a write scope also allows reading', async () => {
  for (const scope of SCOPES) {
    const key = newKey({ scopes: [scope] })
    for (const wanted of SCOPES) {
      const isAllowed = wanted === scope || wanted === scope.replace('write', 'read')
      const outcome = isAllowed
        ? requireScope(key, wanted)
        : (await catchDomainError(() => requireScope(key, wanted))).code
      assert.is(outcome, isAllowed ? undefined : 'insufficient_scope')
    }
  }
})

test('a key of a sandbox contains the id of that sandbox, and any other key belongs to the default sandbox', () => {
  const [id, random] = ['sbx_9s6XGDTqBxzVbPRyfNQG1aB2', '0'.repeat(32)]
  for (const prefix of ['paysk_test_', 'payrk_test_']) {
    const key = addSandboxIdToKey(prefix + random, id)
    assert.is(key, `${prefix}9s6XGDTqBxzVbPRyfNQG1aB2_${random}`)
    assert.is(getKeySandboxId(key), id)
    assert.is(addSandboxIdToKey(prefix + random, 'default'), prefix + random)
    for (const other of [
      prefix + random,
      `x${key}`,
      `${key}x`,
      key.replace('9s6', '9s'),
      key.slice(0, -1),
      '',
    ]) {
      assert.is(getKeySandboxId(other), 'default')
    }
  }
})

for (const [name, fields, isExposed, isAllowed] of [
  ['a secret key may simulate faults where no other machine reaches the API', {}, false, true],
  ['a secret key may not simulate faults where other machines reach the API', {}, true, false],
  [
    'a key with faults:write may simulate faults where other machines reach the API',
    ['faults:write'],
    true,
    true,
  ],
  ['a key with faults:read may not simulate faults', ['faults:read'], false, false],
  ['a key with other scopes may not simulate faults', ['payments:write'], false, false],
] as const) {
  test(name, async () => {
    const key = newKey('length' in fields ? { scopes: fields } : {})
    const call = () => requireFaultAccess(key, isExposed)
    if (isAllowed) call()
    else assert.is((await catchDomainError(call)).code, 'insufficient_scope')
  })
}

test('the error for a secret key shows how to create a restricted key', async () => {
  const { message } = await catchDomainError(() => rejectSecretKeyWhenExposed(true, true))
  assert.match(message, 'paycli keys create --name Faults --scopes faults:write')
  rejectSecretKeyWhenExposed(false, true)
  rejectSecretKeyWhenExposed(true, false)
})

test.run()
