import { createRateLimiter } from '../../../src/daemon/http/rate-limit.ts'
import type { RequestLog } from '../../../src/domain/requests/request-logs.ts'
import { checkInvariants } from '../../../src/engine/invariants.ts'
import { errorIn, fieldsOf, type HttpRequestOptions, sendRequest } from '../../support/raw-http.ts'
import { newPaymentSession } from '../../support/samples.ts'
import { assert, suite } from '../../support/suite.ts'
import { KEY, type ServedSandbox, serveSandbox } from './serve-sandbox.ts'

const test = suite('daemon/api-app logs')

let served: ServedSandbox

test.before.each(async () => {
  served = await serveSandbox()
})

test.after.each(() => served?.close())

async function logged(query = ''): Promise<readonly RequestLog[]> {
  return fieldsOf<{ data: RequestLog[] }>(await served.call(`/v1/request_logs${query}`)).data
}

test('logs every API request with its response, and returns the log immediately', async () => {
  const created = await served.post('/v1/customers', { email: 'ada@example.com' })
  const refused = await served.post('/v1/customers', { email: 'ada' })
  const stranger = await sendRequest(`${served.apiUrl}/v1/customers/cus_1?limit=3`)
  const nowhere = await served.call('/v1/nowhere', { method: 'PUT' })
  const newest = await served.call(`/v1/request_logs/${nowhere.headers['request-id']}`)
  assert.is(newest.status, 200)
  const log = await logged()
  assert.equal(
    log.map(({ id, method, path, status, error }) => [id, method, path, status, error?.code]),
    [
      [nowhere.headers['request-id'], 'PUT', '/v1/nowhere', 404, 'route_not_found'],
      [stranger.headers['request-id'], 'GET', '/v1/customers/cus_1', 401, 'api_key_missing'],
      [refused.headers['request-id'], 'POST', '/v1/customers', 400, 'email_invalid'],
      [created.headers['request-id'], 'POST', '/v1/customers', 200, undefined],
    ],
  )
  const [, none, known] = log
  assert.is(none?.api_key, null)
  assert.match(known?.api_key ?? '', /^key_/)
  assert.equal([known?.error?.param, known?.error?.message], ['email', errorIn(refused)['message']])
})

test('limits the logged requests without a key per address, so that they displace no other log entries', async () => {
  const limited = await serveSandbox({}, { unauthenticatedLimit: createRateLimiter(5, () => 0) })
  const url = `${limited.apiUrl}/v1/customers`
  const authorized = { headers: { Authorization: `Bearer ${KEY}` } }
  const statuses: number[] = []
  for (let count = 0; count < 40; count += 1) {
    assert.is((await sendRequest(url, authorized)).status, 200)
    const strangers: HttpRequestOptions[] = [
      {},
      { headers: { Authorization: 'Bearer x' } },
      { headers: { Host: 'evil.test' } },
    ]
    for (const stranger of strangers) {
      const { status, headers } = await sendRequest(url, stranger)
      statuses.push(status)
      assert.is(headers['retry-after'], status === 429 ? '1' : undefined)
    }
  }
  assert.equal(statuses.slice(0, 10), [401, 401, 403, 401, 401, 403, 401, 401, 403, 401])
  assert.equal([...new Set(statuses.slice(10))], [429])
  const { data } = fieldsOf<{ data: RequestLog[] }>(
    await sendRequest(`${limited.apiUrl}/v1/request_logs?limit=100`, authorized),
  )
  assert.is(data.filter(({ status }) => status === 200).length, 40)
  assert.is(data.filter(({ status }) => status !== 200).length, 25)
  await limited.close()
})

test('filters request logs by method, path, status and time', async () => {
  await served.call('/v1/events')
  await served.call('/v1/customers')
  served.sandbox.setClock(served.sandbox.now() + 10)
  await served.post('/v1/customers', {})
  await served.post('/v1/payment_sessions', {})
  const now = served.sandbox.now()
  const count = async (query: string) => (await logged(query)).length
  assert.equal(
    await Promise.all(
      ['', '?method=POST', '?path=/v1/customers', '?method=GET&path=/v1/customers', '?status=400'].map(count),
    ),
    [4, 2, 2, 1, 2],
  )
  assert.equal(
    await Promise.all(
      ['?status[gte]=400&status[lt]=500', '?status[lt]=400', `?created=${now}`, `?created[lt]=${now}`].map(
        count,
      ),
    ),
    [2, 2, 2, 2],
  )
})

test('filters request logs by a path pattern, across pages in both directions', async () => {
  for (let count = 0; count < 120; count += 1)
    await served.call(count % 40 === 0 ? '/v1/events' : '/v1/customers')
  const pathsOf = async (query: string) => (await logged(query)).map(({ path }) => path)
  assert.equal(await pathsOf('?path=!/v1/cust*'), ['/v1/events', '/v1/events', '/v1/events'])
  assert.equal(await pathsOf('?path=/v1/*ts&limit=2'), ['/v1/events', '/v1/events'])
  assert.is((await pathsOf('?path=*&limit=100')).length, 100)
  const [newest, middle, oldest] = await logged('?path=/v1/e*')
  const idsOf = async (query: string) => (await logged(`?path=/v1/e*&${query}`)).map(({ id }) => id)
  assert.equal(await idsOf(`starting_after=${newest?.id}&limit=1`), [middle?.id])
  assert.equal(await idsOf(`ending_before=${oldest?.id}&limit=1`), [middle?.id])
  assert.equal(await idsOf(`ending_before=${oldest?.id}`), [newest?.id, middle?.id])
  const page = fieldsOf<{ has_more: boolean }>(await served.call('/v1/request_logs?path=/v1/e*&limit=2'))
  assert.is(page.has_more, true)
  const last = fieldsOf<{ has_more: boolean }>(await served.call('/v1/request_logs?path=/v1/e*&limit=3'))
  assert.is(last.has_more, false)
})

test('lists requests to the streaming API only with a path filter that matches them', async () => {
  await served.call('/v1/stream/results', { method: 'POST' })
  await served.call('/v1/customers')
  const pathsOf = async (query: string) => (await logged(query)).map(({ path }) => path)
  assert.equal(await pathsOf(''), ['/v1/customers'])
  assert.equal(await pathsOf('?status[gte]=200'), ['/v1/customers'])
  assert.equal(await pathsOf('?path=!/v1/events*'), ['/v1/customers'])
  assert.equal(await pathsOf('?path=/v1/stream*'), ['/v1/stream/results'])
  assert.equal(await pathsOf('?path=/v1/stream/results'), ['/v1/stream/results'])
  assert.equal(await pathsOf('?path=*'), ['/v1/customers', '/v1/stream/results'])
})

test('does not log requests for the request log or for paths outside the API', async () => {
  await logged()
  await served.call('/v1/request_logs/req_none')
  for (const path of ['/', '/healthz', '/docs', '/openapi.json', '/nowhere']) await served.call(path)
  assert.equal(await logged(), [])
})

test('logs the original request id of a replayed response, and the code of a decline', async () => {
  const session = await newPaymentSession(served.sandbox)
  const complete = () =>
    served.post(
      `/v1/test_helpers/payment_sessions/${session.id}/complete`,
      { test_card: 'declined' },
      { 'Idempotency-Key': 'k' },
    )
  const first = await complete()
  await complete()
  const [again, once] = await logged()
  assert.equal(
    [once, again].map((log) => [log?.status, log?.error?.code, log?.replay_of]),
    [
      [402, 'card_declined', null],
      [402, 'card_declined', first.headers['request-id']],
    ],
  )
})

test('logs an internal error without details', async () => {
  served.breakStore({
    transact: async () => {
      throw new Error('the disk is on fire')
    },
  })
  await served.post('/v1/customers', { email: 'ada@example.com' })
  served.breakStore({})
  const [log] = await logged()
  assert.equal([log?.status, log?.error?.code], [500, 'internal_error'])
  assert.not.match(JSON.stringify(log), 'fire')
})

test('masks secrets and card numbers in every field of a request log', async () => {
  for (const secret of ['4242424242424242', '4242%204242%204242%204242', KEY, 'whsec_c2VjcmV0c2VjcmV0']) {
    await served.call(`/v1/customers/${secret}`)
    await served.call(`/v1/${secret}`)
    await served.call(`/v1/customers?${secret}=1&starting_after=${secret}`)
    await served.post('/v1/customers', { email: secret, [secret]: secret })
    await served.post('/v1/payment_sessions', { customer: secret, currency: secret })
    await sendRequest(`${served.apiUrl}/v1/events`, { headers: { Authorization: `Bearer ${secret}` } })
  }
  const kept = JSON.stringify(await logged('?limit=100'))
  assert.not.match(kept, /42424242|4242%20|_test_Served|c2VjcmV0/)
  assert.equal(checkInvariants(await served.sandbox.snapshot()), [])
})

test.run()
