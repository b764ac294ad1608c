import { createAuthenticate, digestOf, scopeOf } from '../../../src/api/core/auth.ts'
import { api, operations } from '../../../src/api/index.ts'
import { type ApiKey, type ApiKeyDigest, requireScope, SCOPES } from '../../../src/domain/api-keys.ts'
import { createMemoryStore } from '../../../src/store/memory/memory.ts'
import type { Write } from '../../../src/store/port/store.ts'
import { refusal, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/auth')

const KEY = 'paysk_test_0123456789abcdefghijABCDEFGHIJ01'
const REVOKED = 'paysk_test_revoked89abcdefghijABCDEFGHIJ01'
const EXPIRING = 'paysk_test_expiring9abcdefghijABCDEFGHIJ01'

const apiKey = (id: string, key: string, more: Partial<ApiKey> = {}): ApiKey => ({
  id: `key_Test0000000000000000000${id}`,
  object: 'api_key',
  created: START,
  livemode: false,
  name: 'test',
  kind: 'secret',
  last4: key.slice(-4),
  scopes: ['*'],
  status: 'active',
  expires_at: null,
  last_used_at: null,
  ...more,
})

/** The writes that make a secret open the API. */
function admitted(id: string, secret: string, more: Partial<ApiKey> = {}): Write[] {
  const key = apiKey(id, secret, more)
  const digest: ApiKeyDigest = { id: digestOf(secret), object: 'api_key_digest', key: key.id }
  return [{ put: key }, { put: digest }]
}

const authenticate = createAuthenticate()

async function keyStore() {
  const store = createMemoryStore()
  const writes = [
    ...admitted('1', KEY),
    ...admitted('2', REVOKED, { status: 'revoked' }),
    ...admitted('3', EXPIRING, { expires_at: START + 60 }),
  ]
  await store.transact(async () => ({ result: null, writes, events: [] }))
  return store
}

/** header, code, and what the message must say */
const REFUSED: readonly (readonly [header: string | undefined, code: string, says: RegExp])[] = [
  [undefined, 'api_key_missing', /No API key was sent.+Authorization: Bearer <key>/],
  ['', 'api_key_missing', /No API key was sent/],
  ['Bearer', 'api_key_invalid', /is not 'Bearer <key>'/],
  ['Bearer ', 'api_key_invalid', /is not 'Bearer <key>'/],
  ['   ', 'api_key_invalid', /is not 'Bearer <key>'/],
  [KEY, 'api_key_invalid', /is not 'Bearer <key>' with a key that starts with paysk_test_/],
  [`Bearer ${KEY} ${KEY}`, 'api_key_invalid', /is not 'Bearer <key>'/],
  [`Bearer ${KEY}, Bearer ${KEY}`, 'api_key_invalid', /is not 'Bearer <key>'/],
  [`Token ${KEY}`, 'api_key_invalid', /is not 'Bearer <key>'/],
  [
    `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`,
    'api_key_invalid',
    /Basic authentication is not supported/,
  ],
  [`Bearer ${KEY}x`, 'api_key_invalid', /Invalid API key/],
  [`Bearer ${KEY.toLowerCase()}`, 'api_key_invalid', /Invalid API key/],
  [`Bearer ${digestOf(KEY)}`, 'api_key_invalid', /Invalid API key/],
  ['Bearer __proto__', 'api_key_invalid', /Invalid API key/],
  [`Bearer ${REVOKED}`, 'api_key_invalid', /Invalid API key/],
  ['Bearer sk_live_0123456789', 'live_key_refused', /live key of another service.+neither used nor kept/],
  ['Bearer rk_live_0123456789', 'live_key_refused', /live key/],
  ['Bearer pk_live_0123456789', 'live_key_refused', /live key/],
  ['Bearer paysk_live_0123456789', 'live_key_refused', /live key/],
]

for (const [header, code, says] of REFUSED) {
  const shown =
    header === undefined ? 'no header' : `the header '${header.replaceAll(/[0-9A-Za-z+/=]{20,}/g, '…')}'`
  test(`${shown} is refused with ${code}`, async () => {
    const refused = await refusal(authenticate(await keyStore(), header, START))
    assert.is(refused.code, code)
    assert.match(refused.message, says)
    for (const secret of [KEY, '0123456789', 'revoked89'])
      assert.not.match(refused.message, new RegExp(secret))
  })
}

/** header that opens */
const TAKEN = [`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER   ${KEY}`, ` Bearer\t${KEY} `]

for (const header of TAKEN) {
  test(`the header ${JSON.stringify(header.replace(KEY, '<key>'))} opens the API`, async () => {
    assert.is((await authenticate(await keyStore(), header, START)).key.id, apiKey('1', KEY).id)
  })
}

test('a key opens until the second it expires', async () => {
  const store = await keyStore()
  assert.is((await authenticate(store, `Bearer ${EXPIRING}`, START + 59)).key.last4, 'IJ01')
  const { code, message } = await refusal(authenticate(store, `Bearer ${EXPIRING}`, START + 60))
  assert.is(code, 'api_key_expired')
  assert.match(message, new RegExp(`expired at ${START + 60}`))
})

test('a key that opened before opens nothing once it is revoked, expired or gone', async () => {
  const store = await keyStore()
  const authenticate = createAuthenticate()
  const ask = () => authenticate(store, `Bearer ${KEY}`, START)
  const write = (write: Write) => store.transact(async () => ({ result: null, writes: [write], events: [] }))
  for (const status of ['revoked', 'expired'] as const) {
    assert.is((await ask()).key.status, 'active')
    await write({ put: apiKey('1', KEY, { status, expires_at: START + 1 }) })
    assert.is((await refusal(ask())).code, status === 'revoked' ? 'api_key_invalid' : 'api_key_expired')
    await write({ put: apiKey('1', KEY) })
  }
  assert.is((await ask()).key.status, 'active')
  await write({ remove: { id: digestOf(KEY), object: 'api_key_digest' } })
  await write({ remove: apiKey('1', KEY) })
  assert.is((await refusal(ask())).code, 'api_key_invalid')
})

test('more headers than are remembered still open', async () => {
  const store = await keyStore()
  const authenticate = createAuthenticate()
  for (let spaces = 1; spaces < 250; spaces += 1) {
    const { key } = await authenticate(store, `Bearer${' '.repeat(spaces)}${KEY}`, START)
    assert.is(key.last4, 'IJ01')
  }
})

test('a live key is refused even if somebody put it into the store', async () => {
  const store = await keyStore()
  const live = 'sk_live_somebody'
  await store.transact(async () => ({ result: null, writes: admitted('4', live), events: [] }))
  assert.is((await refusal(authenticate(store, `Bearer ${live}`, START))).code, 'live_key_refused')
})

/** operation, the scope it needs */
const SCOPED: readonly (readonly [operation: Parameters<typeof scopeOf>[0], scope: string])[] = [
  [api.customers.list, 'customers:read'],
  [api.customers.create, 'customers:write'],
  [api.customers.delete, 'customers:write'],
  [api.paymentMethods.listOfCustomer, 'customers:read'],
  [api.paymentSessions.complete, 'payment_sessions:write'],
  [api.testClocks.list, 'test_clocks:read'],
  [api.testClocks.advance, 'test_clocks:write'],
  [api.requestLogs.list, 'request_logs:read'],
]

for (const [operation, scope] of SCOPED) {
  test(`${operation.method} ${operation.path} needs ${scope}`, () => {
    assert.is(scopeOf(operation), scope)
  })
}

test('every operation has a scope that can be given, but those on keys', () => {
  for (const { name, operation } of operations) {
    assert.is(SCOPES.includes(scopeOf(operation)), !name.startsWith('apiKeys.'), name)
  }
})

function checkScope(key: ApiKey, operation: Parameters<typeof scopeOf>[0]): void {
  requireScope(key, scopeOf(operation))
}

test('a restricted key opens what its scopes name, to write is to read as well, and the rest is told', async () => {
  const scopes = ['customers:read', 'refunds:write', 'request_logs:write']
  const restricted = apiKey('6', 'payrk_test_1', { kind: 'restricted', scopes })
  for (const open of [api.customers.list, api.refunds.create, api.refunds.list]) checkScope(restricted, open)
  const refused = await refusal(() => checkScope(restricted, api.customers.create))
  assert.equal(
    [refused.code, refused.message],
    [
      'insufficient_scope',
      'This restricted key may not do that: it has customers:read, refunds:write, request_logs:write. Use a key with customers:write, or a secret key.',
    ],
  )
  const keys = await refusal(() => checkScope(restricted, api.apiKeys.create))
  assert.match(keys.message, /Use a secret key\.$/)
})

test('a secret key opens everything', () => {
  for (const { operation } of operations) checkScope(apiKey('1', KEY), operation)
})

test('a digest is SHA-256 in hex', () => {
  assert.is(digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test.run()
