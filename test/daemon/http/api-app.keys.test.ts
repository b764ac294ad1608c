import { api } from '../../../src/api/api.ts'
import { errorIn, fieldsOf, type HttpResponse, sendRequest } from '../../support/raw-http.ts'
import { DAY } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { KEY, type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const test = suite('daemon/api-app keys')

let served: ServedSandbox

test.before.each(async () => {
  served = await serveSandbox()
})

test.after.each(() => served?.close())

const list = (key: string): Promise<HttpResponse> =>
  served.call('/v1/customers', { headers: { Authorization: `Bearer ${key}` } })

const keyed = (key: string, email: string): Promise<HttpResponse> =>
  served.post('/v1/customers', { email }, { Authorization: `Bearer ${key}`, 'Idempotency-Key': 'k' })

test('does not share idempotency keys between different API keys', async () => {
  const { secret } = await served.sandbox.call(api.apiKeys.create, {})
  const [own, other] = [await keyed(KEY, 'ada@example.com'), await keyed(secret, 'eve@example.com')]
  assert.equal([own.status, other.status, other.headers['idempotent-replayed']], [200, 200, undefined])
  const [ownAgain, otherAgain] = [await keyed(KEY, 'ada@example.com'), await keyed(secret, 'eve@example.com')]
  assert.equal([ownAgain.text, otherAgain.text], [own.text, other.text])
})

test('shares idempotency keys between a rolled key and its successors, also after the grace period', async () => {
  const old = await served.sandbox.call(api.apiKeys.create, { scopes: ['customers:write'] })
  const first = await keyed(old.secret, 'ada@example.com')
  const next = await served.sandbox.call(api.apiKeys.roll, { id: old.id, grace_seconds: 60 })
  const last = await served.sandbox.call(api.apiKeys.roll, { id: next.id })
  assert.is((await keyed(old.secret, 'ada@example.com')).text, first.text)
  served.sandbox.setClock(served.sandbox.now() + 60)
  const again = await keyed(last.secret, 'ada@example.com')
  assert.equal([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  assert.is((await keyed(last.secret, 'eve@example.com')).status, 422)
})

test('accepts a request in which an API key revokes itself, and rejects the key afterwards', async () => {
  const { id, secret } = await served.sandbox.call(api.apiKeys.create, {})
  const headers = { Authorization: `Bearer ${secret}` }
  const revoked = await sendRequest(`${served.apiUrl}/v1/api_keys/${id}`, { method: 'DELETE', headers })
  assert.equal([revoked.status, fieldsOf(revoked)['status']], [200, 'revoked'])
  const refused = await list(secret)
  assert.equal([refused.status, errorIn(refused)['code']], [401, 'api_key_invalid'])
})

test('records the time of the last use of a key to the minute', async () => {
  const { id, secret } = await served.sandbox.call(api.apiKeys.create, {})
  const usedAt = async () => (await served.sandbox.call(api.apiKeys.retrieve, { id })).last_used_at
  assert.is(await usedAt(), null)
  await list(secret)
  await served.flush()
  const now = served.sandbox.now()
  assert.is(await usedAt(), now - (now % 60))
  served.sandbox.setClock(now + DAY)
  await list(KEY)
  await served.flush()
  assert.is(await usedAt(), now - (now % 60))
})

test.run()
