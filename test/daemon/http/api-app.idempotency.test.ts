import { fieldsOf } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'
import { type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const test = suite('daemon/api-app idempotency')

let served: ServedSandbox

test.before(async () => {
  served = await serveSandbox()
})

test.after(() => served?.close())

const create = (key: string) =>
  served.post('/v1/customers', { email: 'ada@example.com' }, { 'Idempotency-Key': key })

test('replays the first response when a POST is repeated with the same idempotency key', async () => {
  const [first, again] = [await create('k1'), await create('"k1"')]
  assert.equal([again.status, again.text], [first.status, first.text])
  assert.is(first.headers['idempotent-replayed'], undefined)
  assert.is(again.headers['idempotent-replayed'], 'true')
  assert.is(again.headers['original-request'], first.headers['request-id'])
  assert.is.not(again.headers['request-id'], first.headers['request-id'])
  assert.is(again.headers['content-type'], 'application/json; charset=utf-8')
})

test('ignores the idempotency key of GET and DELETE', async () => {
  const { id } = fieldsOf<{ id: string }>(await create('k3'))
  const headers = { 'Idempotency-Key': 'k3' }
  for (const method of ['GET', 'DELETE', 'GET']) {
    assert.is((await served.call(`/v1/customers/${id}`, { method, headers })).status, 200)
  }
  const { data } = fieldsOf<{ data: { request: object }[] }>(await served.call('/v1/events?limit=1'))
  assert.is(Reflect.get(data[0]?.request ?? {}, 'idempotency_key'), null)
})

test.run()
