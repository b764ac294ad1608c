import { api } from '../../src/api/index.ts'
import { DAY } from '../support/sandbox.ts'
import { assert, suite } from '../support/suite.ts'
import { type Answer, ask, errorOf, fieldsOf, post } from '../support/wire.ts'
import { KEY, type Served, serveSandbox } from './served.ts'

const test = suite('daemon/api-app keys')

let served: Served

test.before.each(async () => {
  served = await serveSandbox()
})

test.after.each(() => served?.close())

const list = (key: string, path = '/v1/customers'): Promise<Answer> =>
  ask(served.apiUrl + path, { headers: { Authorization: `Bearer ${key}` } })

const codeOf = async (answer: Promise<Answer>) => {
  const { status, text } = await answer
  return status === 200 ? 200 : `${status} ${JSON.parse(text).error.code}`
}

test('a new key opens the API, until it is rolled and its grace is over', async () => {
  const old = fieldsOf<{ id: string; secret: string }>(await post(`${served.apiUrl}/v1/api_keys`, KEY, {}))
  assert.is(await codeOf(list(old.secret)), 200)
  const path = `${served.apiUrl}/v1/api_keys/${old.id}/roll`
  const next = fieldsOf<{ secret: string }>(await post(path, old.secret, { grace_seconds: 60 }))
  served.sandbox.setClock(served.sandbox.now() + 59)
  assert.equal([await codeOf(list(old.secret)), await codeOf(list(next.secret))], [200, 200])
  served.sandbox.setClock(served.sandbox.now() + 1)
  assert.equal(
    [await codeOf(list(old.secret)), await codeOf(list(next.secret))],
    ['401 api_key_expired', 200],
  )
})

const keyed = (key: string, email: string): Promise<Answer> =>
  ask(`${served.apiUrl}/v1/customers`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'k' },
    body: JSON.stringify({ email }),
  })

test('two API keys use the same idempotency key independently', async () => {
  const { secret } = await served.sandbox.call(api.apiKeys.create, {})
  const [own, other] = [await keyed(KEY, 'ada@example.com'), await keyed(secret, 'eve@example.com')]
  assert.equal([own.status, other.status, other.headers['idempotent-replayed']], [200, 200, undefined])
  const [ownAgain, otherAgain] = [await keyed(KEY, 'ada@example.com'), await keyed(secret, 'eve@example.com')]
  assert.equal([ownAgain.text, otherAgain.text], [own.text, other.text])
})

test('a rolled key and its successors share idempotency keys, also after the grace', async () => {
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

test('a key can revoke itself, and then opens nothing', async () => {
  const { id, secret } = await served.sandbox.call(api.apiKeys.create, {})
  const headers = { Authorization: `Bearer ${secret}` }
  const revoked = await ask(`${served.apiUrl}/v1/api_keys/${id}`, { method: 'DELETE', headers })
  assert.equal([revoked.status, fieldsOf(revoked)['status']], [200, 'revoked'])
  assert.is(await codeOf(list(secret)), '401 api_key_invalid')
})

test('a restricted key is refused with 403 before anything of the request is looked at', async () => {
  const scopes = ['customers:read', 'payment_sessions:write']
  const { secret } = await served.sandbox.call(api.apiKeys.create, { scopes })
  assert.equal(
    [
      await codeOf(list(secret)),
      await codeOf(list(secret, '/v1/payment_sessions')),
      await codeOf(list(secret, '/v1/events')),
      await codeOf(list(secret, '/v1/api_keys')),
      await codeOf(post(`${served.apiUrl}/v1/customers`, secret, { nonsense: 1 })),
      await codeOf(post(`${served.apiUrl}/v1/payment_sessions`, secret, {})),
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
  const refused = await post(`${served.apiUrl}/v1/customers`, secret, {})
  assert.is(errorOf(refused)['type'], 'permission_error')
})

test('when a key was last used is known to the minute', async () => {
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
