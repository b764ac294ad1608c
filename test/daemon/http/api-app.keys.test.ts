import { api } from '../../../src/api/api.ts'
import { errorIn, fieldsOf, type HttpResponse, postJson, sendRequest } from '../../support/raw-http.ts'
import { DAY } from '../../support/sandbox.ts'
import { assert, suite } from '../../support/suite.ts'
import { KEY, type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const test = suite('daemon/api-app keys')

let served: ServedSandbox

test.before.each(async () => {
  served = await serveSandbox()
})

test.after.each(() => served?.close())

const list = (key: string, path = '/v1/customers'): Promise<HttpResponse> =>
  sendRequest(served.apiUrl + path, { headers: { Authorization: `Bearer ${key}` } })

const codeOf = async (response: Promise<HttpResponse>) => {
  const { status, text } = await response
  return status === 200 ? 200 : `${status} ${JSON.parse(text).error.code}`
}

test('accepts a new key until it is rolled and its grace period ends', async () => {
  const old = fieldsOf<{ id: string; secret: string }>(
    await postJson(`${served.apiUrl}/v1/api_keys`, KEY, {}),
  )
  assert.is(await codeOf(list(old.secret)), 200)
  const path = `${served.apiUrl}/v1/api_keys/${old.id}/roll`
  const next = fieldsOf<{ secret: string }>(await postJson(path, old.secret, { grace_seconds: 60 }))
  served.sandbox.setClock(served.sandbox.now() + 59)
  assert.equal([await codeOf(list(old.secret)), await codeOf(list(next.secret))], [200, 200])
  served.sandbox.setClock(served.sandbox.now() + 1)
  assert.equal(
    [await codeOf(list(old.secret)), await codeOf(list(next.secret))],
    ['401 api_key_expired', 200],
  )
})

const keyed = (key: string, email: string): Promise<HttpResponse> =>
  sendRequest(`${served.apiUrl}/v1/customers`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'k' },
    body: JSON.stringify({ email }),
  })

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
  assert.is(await codeOf(list(secret)), '401 api_key_invalid')
})

test('returns 403 for a restricted key before it validates the request', async () => {
  const scopes = ['customers:read', 'payment_sessions:write']
  const { secret } = await served.sandbox.call(api.apiKeys.create, { scopes })
  assert.equal(
    [
      await codeOf(list(secret)),
      await codeOf(list(secret, '/v1/payment_sessions')),
      await codeOf(list(secret, '/v1/events')),
      await codeOf(list(secret, '/v1/api_keys')),
      await codeOf(postJson(`${served.apiUrl}/v1/customers`, secret, { nonsense: 1 })),
      await codeOf(postJson(`${served.apiUrl}/v1/payment_sessions`, secret, {})),
    ],
    [
      200,
      200,
      '403 insufficient_scope',
      '403 insufficient_scope',
      '403 insufficient_scope',
      '400 parameter_missing',
    ],
  )
  const refused = await postJson(`${served.apiUrl}/v1/customers`, secret, {})
  assert.is(errorIn(refused)['type'], 'permission_error')
})

test('records the time of the last use of a key with a precision of one minute', async () => {
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
