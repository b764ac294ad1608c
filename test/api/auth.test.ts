import { createAuthenticate, digestOf } from '../../src/api/auth.ts'
import type { ApiKey } from '../../src/domain/api-keys.ts'
import { createMemoryStore } from '../../src/store/memory.ts'
import { refusal, START } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('api/auth')

const KEY = 'paysk_test_0123456789abcdefghijABCDEFGHIJ01'
const REVOKED = 'paysk_test_revoked89abcdefghijABCDEFGHIJ01'
const EXPIRING = 'paysk_test_expiring9abcdefghijABCDEFGHIJ01'

const apiKey = (id: string, key: string, more: Partial<ApiKey> = {}): ApiKey => ({
  id: `key_Test0000000000000000000${id}`,
  object: 'api_key',
  created: START,
  name: 'test',
  kind: 'secret',
  last4: key.slice(-4),
  digest: digestOf(key),
  status: 'active',
  expires_at: null,
  ...more,
})

const authenticate = createAuthenticate()

async function keyStore() {
  const store = createMemoryStore()
  const keys = [
    apiKey('1', KEY),
    apiKey('2', REVOKED, { status: 'revoked' }),
    apiKey('3', EXPIRING, { expires_at: START + 60 }),
  ]
  await store.transact(async () => ({ result: null, writes: keys.map((put) => ({ put })), events: [] }))
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
    assert.is((await authenticate(await keyStore(), header, START)).digest, digestOf(KEY))
  })
}

test('a key opens until the second it expires', async () => {
  const store = await keyStore()
  assert.is((await authenticate(store, `Bearer ${EXPIRING}`, START + 59)).last4, 'IJ01')
  const { code, message } = await refusal(authenticate(store, `Bearer ${EXPIRING}`, START + 60))
  assert.is(code, 'api_key_expired')
  assert.match(message, new RegExp(`expired at ${START + 60}`))
})

test('a key that opened before opens nothing once it is revoked, replaced or gone', async () => {
  const store = await keyStore()
  const header = `Bearer ${KEY}`
  const authenticate = createAuthenticate()
  const put = (key: ApiKey) =>
    store.transact(async () => ({ result: null, writes: [{ put: key }], events: [] }))
  const isRefused = async () => (await refusal(authenticate(store, header, START))).code === 'api_key_invalid'
  for (let again = 0; again < 2; again += 1) {
    assert.is((await authenticate(store, header, START)).digest, digestOf(KEY))
    await put(apiKey('1', KEY, { status: 'revoked' }))
    assert.ok(await isRefused())
    await put(apiKey('1', KEY))
  }
  assert.is((await authenticate(store, header, START)).digest, digestOf(KEY))
  await put(apiKey('1', EXPIRING))
  assert.ok(await isRefused())
  await put(apiKey('1', KEY))
  await store.transact(async () => ({ result: null, writes: [{ remove: apiKey('1', KEY) }], events: [] }))
  assert.ok(await isRefused())
})

test('a key that was revoked and admitted again under another id opens', async () => {
  const store = await keyStore()
  const authenticate = createAuthenticate()
  const first = await authenticate(store, `Bearer ${KEY}`, START)
  const writes = [{ put: { ...first, status: 'revoked' as const } }, { put: apiKey('5', KEY) }]
  await store.transact(async () => ({ result: null, writes, events: [] }))
  assert.is((await authenticate(store, `Bearer ${KEY}`, START)).id, apiKey('5', KEY).id)
})

test('more headers than are remembered still open', async () => {
  const store = await keyStore()
  const authenticate = createAuthenticate()
  for (let spaces = 1; spaces < 250; spaces += 1) {
    const key = await authenticate(store, `Bearer${' '.repeat(spaces)}${KEY}`, START)
    assert.is(key.last4, 'IJ01')
  }
})

test('a live key is refused even if somebody put it into the store', async () => {
  const store = await keyStore()
  const live = 'sk_live_somebody'
  await store.transact(async () => ({ result: null, writes: [{ put: apiKey('4', live) }], events: [] }))
  assert.is((await refusal(authenticate(store, `Bearer ${live}`, START))).code, 'live_key_refused')
})

test('a digest is SHA-256 in hex', () => {
  assert.is(digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test.run()
