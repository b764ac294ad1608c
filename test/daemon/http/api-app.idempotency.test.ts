import {
  errorIn,
  fieldsOf,
  type HttpRequestOptions,
  type HttpResponse,
  sendRequest,
} from '../../support/raw-http.ts'
import { newPaymentSession } from '../../support/samples.ts'
import { assert, suite } from '../../support/suite.ts'
import { KEY, type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const test = suite('daemon/api-app idempotency')

let served: ServedSandbox

test.before(async () => {
  served = await serveSandbox()
})

test.after(() => served?.close())

function call(path: string, options: HttpRequestOptions = {}): Promise<HttpResponse> {
  return sendRequest(served.apiUrl + path, {
    ...options,
    headers: { Authorization: `Bearer ${KEY}`, ...options.headers },
  })
}

function keyed(
  path: string,
  key: string,
  fields: object = { email: 'ada@example.com' },
): Promise<HttpResponse> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key }
  return call(path, { method: 'POST', headers, body: JSON.stringify(fields) })
}

test('replays the first response when a POST is repeated with the same idempotency key', async () => {
  const [first, again] = [await keyed('/v1/customers', 'k1'), await keyed('/v1/customers', '"k1"')]
  assert.equal([again.status, again.text], [first.status, first.text])
  assert.is(first.headers['idempotent-replayed'], undefined)
  assert.is(again.headers['idempotent-replayed'], 'true')
  assert.is(again.headers['original-request'], first.headers['request-id'])
  assert.is.not(again.headers['request-id'], first.headers['request-id'])
  assert.is(again.headers['content-type'], 'application/json; charset=utf-8')
  const reused = await keyed('/v1/customers', 'k1', { email: 'eve@example.com' })
  assert.equal([reused.status, errorIn(reused)['code']], [422, 'idempotency_key_reused'])
})

test('replays a final error response with its status and the request id of the first request', async () => {
  const { id } = await newPaymentSession(served.sandbox)
  const path = `/v1/test_helpers/payment_sessions/${id}/complete`
  const [first, again] = [
    await keyed(path, 'k2', { test_card: 'declined' }),
    await keyed(path, 'k2', { test_card: 'declined' }),
  ]
  assert.equal([first.status, again.status, again.text], [402, 402, first.text])
  assert.is(errorIn(again)['request_id'], first.headers['request-id'])
  assert.is(again.headers['idempotent-replayed'], 'true')
})

test('returns 400 for an invalid idempotency key, and ignores it on GET and DELETE', async () => {
  for (const key of ['', 'é', 'x'.repeat(256)]) {
    const refused = await keyed('/v1/customers', key)
    assert.equal([refused.status, errorIn(refused)['code']], [400, 'idempotency_key_invalid'])
  }
  const { id } = fieldsOf<{ id: string }>(await keyed('/v1/customers', 'k3'))
  const headers = { 'Idempotency-Key': 'k3' }
  for (const method of ['GET', 'DELETE', 'GET']) {
    assert.is((await call(`/v1/customers/${id}`, { method, headers })).status, 200)
  }
  const { data } = fieldsOf<{ data: { request: object }[] }>(await call('/v1/events?limit=1'))
  assert.is(Reflect.get(data[0]?.request ?? {}, 'idempotency_key'), null)
})

test.run()
