import { api, operations } from '../../../src/api/api.ts'
import { createAuthenticator, digestApiKey, getRequiredScope, SCOPES } from '../../../src/api/core/auth.ts'
import { type ApiKey, type ApiKeyDigest, requireScope } from '../../../src/domain/sandboxes/api-keys.ts'
import { createMemoryStore } from '../../../src/store/memory/memory-store.ts'
import type { Write } from '../../../src/store/port/store.ts'
import { apiKey } from '../../support/api-key.ts'
import { catchDomainError, START } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/auth')

const KEY = 'paysk_test_0123456789abcdefghijABCDEFGHIJ01'
const REVOKED = 'paysk_test_revoked89abcdefghijABCDEFGHIJ01'
const EXPIRING = 'paysk_test_expiring9abcdefghijABCDEFGHIJ01'

/** Returns the writes that store an API key with its digest. */
function keyWrites(id: string, secret: string, more: Partial<ApiKey> = {}): Write[] {
  const key = apiKey(id, { last4: secret.slice(-4), ...more })
  const digest: ApiKeyDigest = { id: digestApiKey(secret), object: 'api_key_digest', key: key.id }
  return [{ put: key }, { put: digest }]
}

const authenticate = createAuthenticator()

async function keyStore() {
  const store = createMemoryStore()
  const writes = [
    ...keyWrites('1', KEY),
    ...keyWrites('2', REVOKED, { status: 'revoked' }),
    ...keyWrites('3', EXPIRING, { expires_at: START + 60 }),
  ]
  await store.transact(async () => ({ result: null, writes, events: [] }))
  return store
}

/** Columns: header, error code, pattern of the message. */
const INVALID_HEADERS: readonly (readonly [header: string | undefined, code: string, pattern: RegExp])[] = [
  [
    undefined,
    'api_key_missing',
    /^No API key was sent\. .*Authorization: Bearer <key>.*npx paycli status.*npx paycli exec -- npm test/,
  ],
  ['', 'api_key_missing', /No API key was sent/],
  ['Bearer', 'api_key_invalid', /expected 'Bearer <key>'/],
  ['Bearer ', 'api_key_invalid', /expected 'Bearer <key>'/],
  ['   ', 'api_key_invalid', /expected 'Bearer <key>'/],
  [KEY, 'api_key_invalid', /expected 'Bearer <key>' with a key that starts with paysk_test_/],
  [`Bearer ${KEY} ${KEY}`, 'api_key_invalid', /expected 'Bearer <key>'/],
  [`Bearer ${KEY}, Bearer ${KEY}`, 'api_key_invalid', /expected 'Bearer <key>'/],
  [`Token ${KEY}`, 'api_key_invalid', /expected 'Bearer <key>'/],
  [
    `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`,
    'api_key_invalid',
    /Basic authentication is not supported/,
  ],
  [
    `Bearer ${KEY}x`,
    'api_key_invalid',
    /^Invalid API key\. .*Authorization: Bearer <key>.*npx paycli status/,
  ],
  [
    'Bearer sk_test_0123456789',
    'api_key_invalid',
    /^Invalid API key: it starts with sk_test_, but API keys of paycli start with paysk_test_ or payrk_test_\./,
  ],
  ['Bearer whsec_0123456789', 'api_key_invalid', /^Invalid API key: it starts with whsec_, but/],
  [`Bearer ${KEY.toLowerCase()}`, 'api_key_invalid', /Invalid API key/],
  [`Bearer ${digestApiKey(KEY)}`, 'api_key_invalid', /Invalid API key/],
  ['Bearer __proto__', 'api_key_invalid', /Invalid API key/],
  [`Bearer ${REVOKED}`, 'api_key_invalid', /Invalid API key/],
  ['Bearer sk_live_0123456789', 'live_key_refused', /live key of another service.+neither used nor stored/],
  ['Bearer rk_live_0123456789', 'live_key_refused', /live key/],
  ['Bearer pk_live_0123456789', 'live_key_refused', /live key/],
  ['Bearer paysk_live_0123456789', 'live_key_refused', /live key/],
]

for (const [header, code, pattern] of INVALID_HEADERS) {
  const title =
    header === undefined ? 'no header' : `the header '${header.replaceAll(/[0-9A-Za-z+/=]{20,}/g, '…')}'`
  test(`throws ${code} for ${title}`, async () => {
    const refused = await catchDomainError(authenticate(await keyStore(), header, START))
    assert.is(refused.code, code)
    assert.match(refused.message, pattern)
    for (const secret of [KEY, '0123456789', 'revoked89'])
      assert.not.match(refused.message, new RegExp(secret))
  })
}

const VALID_HEADERS = [`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER   ${KEY}`, ` Bearer\t${KEY} `]

for (const header of VALID_HEADERS) {
  test(`accepts the header ${JSON.stringify(header.replace(KEY, '<key>'))}`, async () => {
    assert.is((await authenticate(await keyStore(), header, START)).key.id, apiKey('1').id)
  })
}

test('rejects an API key at its expires_at, but not a second earlier', async () => {
  const store = await keyStore()
  assert.is((await authenticate(store, `Bearer ${EXPIRING}`, START + 59)).key.last4, 'IJ01')
  const { code, message } = await catchDomainError(authenticate(store, `Bearer ${EXPIRING}`, START + 60))
  assert.is(code, 'api_key_expired')
  assert.match(message, new RegExp(`expired at ${START + 60}`))
})

test('rejects a cached key that is revoked, expired or deleted', async () => {
  const store = await keyStore()
  const authenticate = createAuthenticator()
  const ask = () => authenticate(store, `Bearer ${KEY}`, START)
  const write = (write: Write) => store.transact(async () => ({ result: null, writes: [write], events: [] }))
  for (const status of ['revoked', 'expired'] as const) {
    assert.is((await ask()).key.status, 'active')
    await write({ put: apiKey('1', { status, expires_at: START + 1 }) })
    assert.is(
      (await catchDomainError(ask())).code,
      status === 'revoked' ? 'api_key_invalid' : 'api_key_expired',
    )
    await write({ put: apiKey('1') })
  }
  assert.is((await ask()).key.status, 'active')
  await write({ remove: { id: digestApiKey(KEY), object: 'api_key_digest' } })
  await write({ remove: apiKey('1') })
  assert.is((await catchDomainError(ask())).code, 'api_key_invalid')
})

test('authenticates more distinct Authorization headers than the cache holds', async () => {
  const store = await keyStore()
  const authenticate = createAuthenticator()
  for (let spaces = 1; spaces < 250; spaces += 1) {
    const { key } = await authenticate(store, `Bearer${' '.repeat(spaces)}${KEY}`, START)
    assert.is(key.last4, 'IJ01')
  }
})

test('rejects a live API key even if it is stored', async () => {
  const store = await keyStore()
  const live = 'sk_live_somebody'
  await store.transact(async () => ({ result: null, writes: keyWrites('4', live), events: [] }))
  assert.is((await catchDomainError(authenticate(store, `Bearer ${live}`, START))).code, 'live_key_refused')
})

/** Columns: operation, required scope. */
const SCOPED: readonly (readonly [operation: Parameters<typeof getRequiredScope>[0], scope: string])[] = [
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
  test(`${operation.method} ${operation.path} requires ${scope}`, () => {
    assert.is(getRequiredScope(operation), scope)
  })
}

test('every operation except those on API keys requires a scope that a restricted key can have', () => {
  for (const { name, operation } of operations) {
    assert.is(SCOPES.includes(getRequiredScope(operation)), !name.startsWith('apiKeys.'), name)
  }
})

function checkScope(key: ApiKey, operation: Parameters<typeof getRequiredScope>[0]): void {
  requireScope(key, getRequiredScope(operation))
}

test('a restricted key can call only the operations of its scopes, and a write scope includes read access', async () => {
  const scopes = ['customers:read', 'refunds:write', 'request_logs:write']
  const restricted = apiKey('6', { kind: 'restricted', scopes })
  for (const open of [api.customers.list, api.refunds.create, api.refunds.list]) checkScope(restricted, open)
  const refused = await catchDomainError(() => checkScope(restricted, api.customers.create))
  assert.equal(
    [refused.code, refused.message],
    [
      'insufficient_scope',
      'This restricted key has no permission for the request: its scopes are customers:read, refunds:write, request_logs:write. Use a key with customers:write, or a secret key.',
    ],
  )
  const keys = await catchDomainError(() => checkScope(restricted, api.apiKeys.create))
  assert.match(keys.message, /Use a secret key\.$/)
})

test('a secret key can call every operation', () => {
  for (const { operation } of operations) checkScope(apiKey('1'), operation)
})

test('digestApiKey returns SHA-256 in hex', () => {
  assert.is(digestApiKey('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test.run()
