import { createRateLimiter } from '../../../src/daemon/http/rate-limit.ts'
import { createClock } from '../../support/clocks.ts'
import { errorIn, fieldsOf, type HttpRequestOptions, sendRequest } from '../../support/raw-http.ts'
import { newPaymentSession } from '../../support/samples.ts'
import { assert, suite } from '../../support/suite.ts'
import { KEY, type ServedSandbox, withServedSandbox } from './serve-sandbox.ts'

const test = suite('daemon/api-app limits')

/** Creates a limiter of two requests per second, with a burst of four, on a clock that the test moves. */
function limited() {
  const clock = { ms: 0 }
  return { clock, limit: createRateLimiter(2, () => clock.ms) }
}

const list = ({ call }: Pick<ServedSandbox, 'call'>) => call('/v1/customers')

test('sends no rate limit headers when no rate limit is configured', async () => {
  await withServedSandbox(async (served) => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => list(served)))
    assert.ok(responses.every(({ status }) => status === 200))
    assert.is(responses[0]?.headers['ratelimit'], undefined)
  })
})

test('returns 429 with Retry-After above the rate limit, and the number of remaining requests in every response', async () => {
  const { clock, limit } = limited()
  await withServedSandbox(
    async (served) => {
      const left = []
      for (let count = 0; count < 4; count += 1) left.push((await list(served)).headers['ratelimit'])
      assert.equal(left, ['"default";r=3;t=1', '"default";r=2;t=1', '"default";r=1;t=1', '"default";r=0;t=1'])
      const refused = await list(served)
      assert.equal(
        [refused.status, errorIn(refused)['code'], errorIn(refused)['type']],
        [429, 'rate_limit', 'rate_limit_error'],
      )
      assert.equal(
        [refused.headers['retry-after'], refused.headers['ratelimit-policy']],
        ['1', '"default";q=2;w=1'],
      )
      clock.ms = 500
      assert.is((await list(served)).status, 200)
    },
    { limit },
  )
})

test('runs expensive requests one at a time, and skips requests of disconnected clients', async () => {
  await withServedSandbox(async ({ apiUrl, call, sandbox, lines, breakStore }) => {
    const { id } = await createClock(sandbox)
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let transactions = 0
    breakStore({
      async transact(work) {
        transactions += 1
        begun.resolve()
        await held.promise
        return sandbox.store.transact(work)
      },
    })
    const client = new AbortController()
    const project = (options: RequestInit = {}) =>
      fetch(`${apiUrl}/v1/projections?test_clock=${id}`, {
        ...{ headers: { Authorization: `Bearer ${KEY}` }, ...options },
      })
    const requests = [project()]
    await begun.promise
    const gone = project({ signal: client.signal }).catch(() => null)
    // Cheap requests do not wait.
    assert.is((await list({ call })).status, 200)
    client.abort()
    await gone
    // Once the server has noticed the aborted request, another request takes its place in the queue.
    while (!lines.some((line) => line.includes('"status":503'))) {
      requests.push(project())
      await list({ call })
    }
    assert.is(transactions, 1)
    held.resolve()
    for (const response of await Promise.all(requests)) assert.is(response.status, 200)
    assert.is(transactions, requests.length)
  })
})

test('sends rate limit headers in every response, with the full allowance when the request does not count toward the limit', async () => {
  const { limit } = limited()
  await withServedSandbox(
    async ({ apiUrl, pagesUrl, sandbox }) => {
      const { url } = await newPaymentSession(sandbox)
      const limitOf = async (target: string, options: HttpRequestOptions = {}) => {
        const { status, headers } = await sendRequest(target, options)
        assert.match(headers['ratelimit-policy'] ?? '', /^"default";q=2;w=1$/, target)
        return [status, headers['ratelimit']]
      }
      const headers = { Authorization: `Bearer ${KEY}` }
      const whole = '"default";r=4;t=1'
      assert.equal(await limitOf(`${apiUrl}/healthz`), [200, whole])
      assert.equal(await limitOf(`${apiUrl}/v1/nowhere`, { headers }), [404, whole])
      assert.equal(await limitOf(`${apiUrl}/v1/customers`), [401, whole])
      assert.equal(await limitOf(`${apiUrl}/v1/customers`, { headers: { Host: 'evil.example' } }), [
        403,
        whole,
      ])
      assert.equal(await limitOf(`${apiUrl}/v1/customers/cus_1`, { headers }), [404, '"default";r=3;t=1'])
      assert.equal(await limitOf(pagesUrl, { headers: { Host: 'evil.example' } }), [403, whole])
      assert.equal(await limitOf(pagesUrl + new URL(url).pathname), [200, '"default";r=3;t=1'])
    },
    { limit },
  )
})

test('limits the request rate of hosted pages by client address', async () => {
  const { limit } = limited()
  await withServedSandbox(
    async (served) => {
      const { url } = await newPaymentSession(served.sandbox)
      const visit = () => sendRequest(served.pagesUrl + new URL(url).pathname)
      for (let count = 0; count < 4; count += 1) assert.is((await visit()).status, 200)
      const refused = await visit()
      assert.equal([refused.status, refused.headers['retry-after']], [429, '1'])
      assert.match(refused.text, 'Too many requests')
    },
    { limit },
  )
})

/** Columns: X-Forwarded-For header, whether the proxy is trusted, whether the header identifies another client. */
const FORWARDED: readonly (readonly [header: string, isTrusted: boolean, isOther: boolean])[] = [
  ['203.0.113.7', true, true],
  ['203.0.113.7', false, false],
  ['198.51.100.1, 203.0.113.7', true, true],
  ['203.0.113.7, 127.0.0.1', true, false],
  ['2001:db8::7', true, true],
  ['unknown', true, false],
  ['203.0.113.7, ', true, false],
  ['', true, false],
]

for (const [header, isTrusted, isOther] of FORWARDED) {
  test(`counts a request with X-Forwarded-For '${header}' from ${isTrusted ? 'a trusted' : 'an untrusted'} proxy toward the rate limit of ${isOther ? 'another' : 'the same'} client`, async () => {
    const { limit } = limited()
    await withServedSandbox(
      async ({ pagesUrl }) => {
        const visit = (headers = {}) => sendRequest(`${pagesUrl}/none`, { headers })
        for (let count = 0; count < 4; count += 1) assert.is((await visit()).status, 404)
        assert.is((await visit()).status, 429)
        assert.is((await visit({ 'X-Forwarded-For': header })).status, isOther ? 404 : 429)
      },
      { limit, isProxyTrusted: isTrusted },
    )
  })
}

test('rejects unknown parameters, or ignores them with a warning in lenient mode', async () => {
  const body = { email: 'ada@example.com', emial: 'x', nmae: 'Ada' }
  await withServedSandbox(async ({ post }) => {
    const refused = await post('/v1/customers', body)
    assert.equal([refused.status, errorIn(refused)['code']], [400, 'parameter_unknown'])
    assert.is(refused.headers['paycli-warning'], undefined)
  })
  await withServedSandbox(
    async ({ post }) => {
      const taken = await post('/v1/customers', body)
      assert.is(taken.status, 200)
      assert.is(taken.headers['paycli-warning'], 'unknown parameters ignored: emial, nmae')
      assert.is(fieldsOf(taken)['name'], null)
      const plain = await post('/v1/customers', { email: 'ada@example.com' })
      assert.is(plain.headers['paycli-warning'], undefined)
    },
    { isLenient: true },
  )
})

test('encodes ignored parameter names in the warning header', async () => {
  await withServedSandbox(
    async ({ post }) => {
      const names = [
        'a\r\nX-Evil: 1',
        'é',
        '\ud800',
        '💩'.repeat(200),
        'x,y',
        '4242424242424242',
        'a b',
        '%',
        'whsec_A1',
      ]
      const body = { email: 'ada@example.com', ...Object.fromEntries(names.map((name) => [name, 1])) }
      const taken = await post('/v1/customers?more=1&a[b]=2', body)
      assert.is(taken.status, 200, taken.text)
      const warning = String(taken.headers['paycli-warning'])
      assert.match(warning, /^unknown parameters ignored: more, a\[b\]/)
      assert.match(warning, 'a%0D%0AX-Evil:%201')
      assert.not.match(warning, '42424242')
      assert.not.match(warning, 'whsec_A1')
      assert.is(taken.headers['x-evil'], undefined)
      const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${'💩'.repeat(100)}${at}`, 1]))
      const cut = await post('/v1/customers', { email: 'ada@example.com', ...many })
      assert.is(cut.status, 200)
      assert.ok(String(cut.headers['paycli-warning']).length < 12_000)
    },
    { isLenient: true },
  )
})

test.run()
