import { createRateLimit } from '../../src/daemon/rate-limit.ts'
import type { RequestLog } from '../../src/domain/request-logs.ts'
import { checkInvariants } from '../../src/engine/invariants.ts'
import { assert, suite } from '../support/suite.ts'
import { type Answer, type Ask, ask, errorOf, fieldsOf, post } from '../support/wire.ts'
import { KEY, type Served, serveSandbox } from './served.ts'

const test = suite('daemon/api-app logs')

let served: Served

test.before.each(async () => {
  served = await serveSandbox()
})

test.after.each(() => served?.close())

function call(path: string, given: Ask = {}): Promise<Answer> {
  return ask(served.apiUrl + path, {
    ...given,
    headers: { Authorization: `Bearer ${KEY}`, ...given.headers },
  })
}

async function logged(query = ''): Promise<readonly RequestLog[]> {
  return fieldsOf<{ data: RequestLog[] }>(await call(`/v1/request_logs${query}`)).data
}

test('every request to the API is logged as it was answered, and can be read at once', async () => {
  const created = await post(`${served.apiUrl}/v1/customers`, KEY, { email: 'ada@example.com' })
  const refused = await post(`${served.apiUrl}/v1/customers`, KEY, { email: 'ada' })
  const stranger = await ask(`${served.apiUrl}/v1/customers/cus_1?limit=3`)
  const nowhere = await call('/v1/nowhere', { method: 'PUT' })
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
  assert.equal([known?.error?.param, known?.error?.message], ['email', errorOf(refused)['message']])
})

test('visitors without a key displace no request with one, and are limited by address', async () => {
  const limited = await serveSandbox(
    {},
    { unauthenticatedLimit: createRateLimit({ perSecond: 5, monotonicMs: () => 0 }) },
  )
  const url = `${limited.apiUrl}/v1/customers`
  const authorized = { headers: { Authorization: `Bearer ${KEY}` } }
  const statuses: number[] = []
  for (let count = 0; count < 40; count += 1) {
    assert.is((await ask(url, authorized)).status, 200)
    const strangers: Ask[] = [
      {},
      { headers: { Authorization: 'Bearer x' } },
      { headers: { Host: 'evil.test' } },
    ]
    for (const stranger of strangers) {
      const { status, headers } = await ask(url, stranger)
      statuses.push(status)
      assert.is(headers['retry-after'], status === 429 ? '1' : undefined)
    }
  }
  assert.equal(statuses.slice(0, 10), [401, 401, 403, 401, 401, 403, 401, 401, 403, 401])
  assert.equal([...new Set(statuses.slice(10))], [429])
  const { data } = fieldsOf<{ data: RequestLog[] }>(
    await ask(`${limited.apiUrl}/v1/request_logs?limit=100`, authorized),
  )
  assert.is(data.filter(({ status }) => status === 200).length, 40)
  assert.is(data.filter(({ status }) => status !== 200).length, 25)
  await limited.close()
})

test('one is retrieved by the id that its answer named', async () => {
  const { headers } = await call('/v1/events')
  const found = await call(`/v1/request_logs/${headers['request-id']}`)
  assert.equal([found.status, fieldsOf(found)['path']], [200, '/v1/events'])
  const missing = await call('/v1/request_logs/req_none')
  assert.equal([missing.status, errorOf(missing)['code']], [404, 'resource_missing'])
})

test('they are filtered by method, path, status and time, and walked page by page', async () => {
  await call('/v1/events')
  await call('/v1/customers')
  served.sandbox.setClock(served.sandbox.now() + 10)
  await post(`${served.apiUrl}/v1/customers`, KEY, {})
  await post(`${served.apiUrl}/v1/payment_sessions`, KEY, {})
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
  const walked: string[] = []
  for (let more = true; more; ) {
    const cursor = walked.length === 0 ? '' : `&starting_after=${walked.at(-1)}`
    const page = fieldsOf<{ data: RequestLog[]; has_more: boolean }>(
      await call(`/v1/request_logs?limit=1${cursor}`),
    )
    walked.push(...page.data.map(({ id }) => id))
    more = page.has_more
  }
  assert.equal(
    walked,
    (await logged()).map(({ id }) => id),
  )
})

test('looking at the log is not logged, nor what is not of the API', async () => {
  await logged()
  await call('/v1/request_logs/req_none')
  for (const path of ['/', '/healthz', '/docs', '/openapi.json', '/nowhere']) await call(path)
  assert.equal(await logged(), [])
})

test('a replay names the request that was carried out, a decline its code', async () => {
  const customer = fieldsOf<{ id: string }>(
    await post(`${served.apiUrl}/v1/customers`, KEY, { email: 'ada@example.com' }),
  )
  const session = fieldsOf<{ id: string }>(
    await post(`${served.apiUrl}/v1/payment_sessions`, KEY, {
      ...{ amount: 1, currency: 'eur', customer: customer.id, payment_method_types: ['card'] },
      return_url: 'https://example.com/',
    }),
  )
  const complete = () =>
    call(`/v1/test_helpers/payment_sessions/${session.id}/complete`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' },
      body: '{"test_card":"declined"}',
    })
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

test('a bug is logged without its inside', async () => {
  served.breakStore({
    transact: async () => {
      throw new Error('the disk is on fire')
    },
  })
  await post(`${served.apiUrl}/v1/customers`, KEY, { email: 'ada@example.com' })
  served.breakStore({})
  const [log] = await logged()
  assert.equal([log?.status, log?.error?.code], [500, 'internal_error'])
  assert.not.match(JSON.stringify(log), 'fire')
})

test('no secret and no card number is kept, wherever it was put', async () => {
  for (const secret of ['4242424242424242', '4242%204242%204242%204242', KEY, 'whsec_c2VjcmV0c2VjcmV0']) {
    await call(`/v1/customers/${secret}`)
    await call(`/v1/${secret}`)
    await call(`/v1/customers?${secret}=1&starting_after=${secret}`)
    await post(`${served.apiUrl}/v1/customers`, KEY, { email: secret, [secret]: secret })
    await post(`${served.apiUrl}/v1/payment_sessions`, KEY, { customer: secret, currency: secret })
    await ask(`${served.apiUrl}/v1/events`, { headers: { Authorization: `Bearer ${secret}` } })
  }
  const kept = JSON.stringify(await logged('?limit=100'))
  assert.not.match(kept, /42424242|4242%20|_test_Served|c2VjcmV0/)
  assert.equal(checkInvariants(await served.sandbox.snapshot()), [])
})

test.run()
