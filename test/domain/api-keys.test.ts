import {
  type ApiKey,
  createApiKey,
  expireApiKey,
  MAX_KEY_GRACE_SECONDS,
  requireScope,
  revokeApiKey,
  rollApiKey,
  SCOPES,
} from '../../src/domain/api-keys.ts'
import { createRuleContext } from '../support/rule-context.ts'
import { refusal, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/api-keys')

const context = createRuleContext()
const MATERIAL = { secret: 'paysk_test_abcd', digest: 'd1' }

function newKey(fields: Parameters<typeof createApiKey>[0] = {}, more: Partial<ApiKey> = {}): ApiKey {
  return { ...createApiKey(fields, MATERIAL, context).key.after, ...more }
}

test('a key is kept without its secret, and found by the digest of it', () => {
  const { key, found } = createApiKey({ name: 'Tests' }, MATERIAL, context)
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
  assert.equal(found.after, { id: 'd1', object: 'api_key_digest', key: key.after.id })
  assert.not.match(JSON.stringify([key, found]), MATERIAL.secret)
})

test('scopes make it a restricted one, each of them once', () => {
  const { kind, scopes } = newKey({ scopes: ['customers:read', 'customers:read', 'events:read'] })
  assert.equal([kind, scopes], ['restricted', ['customers:read', 'events:read']])
})

test('it may end in a second, but not now', async () => {
  assert.is(newKey({ expires_at: START + 1 }).expires_at, START + 1)
  for (const expires_at of [START, 0]) {
    const { code, param } = await refusal(() => newKey({ expires_at }))
    assert.equal([code, param], ['timestamp_invalid', 'expires_at'])
  }
})

/** The old key's own end, the grace, and what becomes of it. */
const ROLLS: readonly (readonly [ends: number | null, grace: number, status: string, endsThen: number])[] = [
  [null, 0, 'expired', START],
  [null, 1, 'active', START + 1],
  [null, MAX_KEY_GRACE_SECONDS, 'active', START + MAX_KEY_GRACE_SECONDS],
  [START + 60, 3600, 'active', START + 60],
  [START + 7200, 3600, 'active', START + 3600],
  [START + 60, 0, 'expired', START],
]

for (const [ends, grace, status, endsThen] of ROLLS) {
  const end = ends === null ? 'never ends' : `ends in ${ends - START} s`
  test(`rolled with ${grace} s of grace, a key that ${end} is ${status}`, () => {
    const old = newKey({ name: 'Tests' }, { expires_at: ends, last_used_at: START - 60 })
    const { key, changes } = rollApiKey(
      old,
      { material: MATERIAL, graceSeconds: grace, oldDigest: undefined },
      context,
    )
    assert.equal(changes[0]?.after, { ...old, status, expires_at: endsThen })
    const { name, kind, scopes, expires_at, last_used_at } = key.after
    assert.equal([name, kind, scopes, expires_at, last_used_at], ['Tests', 'secret', ['*'], null, null])
    assert.is.not(key.after.id, old.id)
  })
}

test('a restricted key stays one when it is rolled', () => {
  const old = newKey({ scopes: ['customers:read'] })
  const { key } = rollApiKey(old, { material: MATERIAL, graceSeconds: 0, oldDigest: undefined }, context)
  assert.equal([key.after.kind, key.after.scopes, key.after.name], ['restricted', ['customers:read'], null])
})

test('what is over cannot be rolled or revoked', async () => {
  assert.is(revokeApiKey(newKey()).after.status, 'revoked')
  assert.is(expireApiKey(newKey()).after.status, 'expired')
  for (const status of ['expired', 'revoked'] as const) {
    const key = newKey({}, { status })
    const rolled = await refusal(() =>
      rollApiKey(key, { material: MATERIAL, graceSeconds: 0, oldDigest: undefined }, context),
    )
    const revoked = await refusal(() => revokeApiKey(key))
    assert.equal([rolled.code, revoked.code], ['api_key_unexpected_state', 'api_key_unexpected_state'])
    assert.match(revoked.message, `Cannot revoke api_key '${key.id}': it is ${status}`)
  }
})

test('each scope opens itself, to write opens to read, and nothing opens another', async () => {
  for (const scope of SCOPES) {
    const key = newKey({ scopes: [scope] })
    for (const wanted of SCOPES) {
      const isOpen = wanted === scope || wanted === scope.replace('write', 'read')
      const outcome = isOpen
        ? requireScope(key, wanted)
        : (await refusal(() => requireScope(key, wanted))).code
      assert.is(outcome, isOpen ? undefined : 'insufficient_scope')
    }
  }
})

test.run()
