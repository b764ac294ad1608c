import { createRateLimit } from '../../src/daemon/rate-limit.ts'
import { newPaymentSession } from '../support/samples.ts'
import { assert, suite } from '../support/suite.ts'
import { type Answer, type Ask, ask, errorOf, fieldsOf, post } from '../support/wire.ts'
import { KEY, type Rules, type Served, serveSandbox } from './served.ts'

const test = suite('daemon/api-app limits')

/** Serves under some rules for as long as the work takes. */
async function under(rules: Rules, work: (served: Served) => Promise<void>): Promise<void> {
  const served = await serveSandbox({}, rules)
  try {
    await work(served)
  } finally {
    await served.close()
  }
}

/** Two requests a second, four at once, on a clock that the test moves. */
function limited() {
  const clock = { ms: 0 }
  return { clock, limit: createRateLimit({ perSecond: 2, monotonicMs: () => clock.ms }) }
}

const list = ({ apiUrl }: Served): Promise<Answer> =>
  ask(`${apiUrl}/v1/customers`, { headers: { Authorization: `Bearer ${KEY}` } })

test('without a limit nothing is counted and no header tells of one', async () => {
  await under({}, async (served) => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => list(served)))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.is(answers[0]?.headers['ratelimit'], undefined)
  })
})

test('what is too much is 429 with the time to wait, and every answer to a key tells what is left', async () => {
  const { clock, limit } = limited()
  await under({ limit }, async (served) => {
    const left = []
    for (let count = 0; count < 4; count += 1) left.push((await list(served)).headers['ratelimit'])
    assert.equal(left, ['"default";r=3;t=1', '"default";r=2;t=1', '"default";r=1;t=1', '"default";r=0;t=1'])
    const refused = await list(served)
    assert.equal(
      [refused.status, errorOf(refused)['code'], errorOf(refused)['type']],
      [429, 'rate_limit', 'rate_limit_error'],
    )
    assert.equal(
      [refused.headers['retry-after'], refused.headers['ratelimit-policy']],
      ['1', '"default";q=2;w=1'],
    )
    clock.ms = 500
    assert.is((await list(served)).status, 200)
  })
})

test('the limit comes after the key and before the body', async () => {
  const { limit } = limited()
  await under({ limit }, async (served) => {
    for (let count = 0; count < 4; count += 1) await list(served)
    assert.is((await post(`${served.apiUrl}/v1/customers`, KEY, [])).status, 429)
    const stranger = await post(`${served.apiUrl}/v1/customers`, 'paysk_test_other', {})
    assert.is(stranger.status, 401)
    assert.is((await ask(`${served.apiUrl}/healthz`)).status, 200)
  })
})

test('with a limit every answer tells of it, and what counts for nobody of the whole', async () => {
  const { limit } = limited()
  await under({ limit }, async ({ apiUrl, pagesUrl, sandbox }) => {
    const { url } = await newPaymentSession(sandbox)
    const told = async (asked: string, given: Ask = {}) => {
      const { status, headers } = await ask(asked, given)
      assert.match(headers['ratelimit-policy'] ?? '', /^"default";q=2;w=1$/, asked)
      return [status, headers['ratelimit']]
    }
    const headers = { Authorization: `Bearer ${KEY}` }
    const whole = '"default";r=4;t=1'
    assert.equal(await told(`${apiUrl}/healthz`), [200, whole])
    assert.equal(await told(`${apiUrl}/v1/nowhere`, { headers }), [404, whole])
    assert.equal(await told(`${apiUrl}/v1/customers`), [401, whole])
    assert.equal(await told(`${apiUrl}/v1/customers`, { headers: { Host: 'evil.example' } }), [403, whole])
    assert.equal(await told(`${apiUrl}/v1/customers/cus_1`, { headers }), [404, '"default";r=3;t=1'])
    assert.equal(await told(pagesUrl, { headers: { Host: 'evil.example' } }), [403, whole])
    assert.equal(await told(pagesUrl + new URL(url).pathname), [200, '"default";r=3;t=1'])
  })
})

test('a limited POST leaves its idempotency key free', async () => {
  const { clock, limit } = limited()
  await under({ limit }, async (served) => {
    for (let count = 0; count < 4; count += 1) await list(served)
    const create = () =>
      ask(`${served.apiUrl}/v1/customers`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${KEY}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'k',
        },
        body: '{"email":"ada@example.com"}',
      })
    assert.is((await create()).status, 429)
    clock.ms = 1000
    const created = await create()
    assert.equal([created.status, created.headers['idempotent-replayed']], [200, undefined])
  })
})

test('the hosted pages have a limit of their own for each address', async () => {
  const { limit } = limited()
  await under({ limit }, async (served) => {
    const { url } = await newPaymentSession(served.sandbox)
    const visit = () => ask(served.pagesUrl + new URL(url).pathname)
    for (let count = 0; count < 4; count += 1) assert.is((await visit()).status, 200)
    const refused = await visit()
    assert.equal([refused.status, refused.headers['retry-after']], [429, '1'])
    assert.match(refused.text, 'Too many requests')
  })
})

test('what a page brings with it counts as no visit, what is not there does', async () => {
  const { limit } = limited()
  await under({ limit }, async (served) => {
    const { url } = await newPaymentSession(served.sandbox)
    const page = await ask(served.pagesUrl + new URL(url).pathname)
    const [asset = ''] = /\/assets\/[\w.-]+/.exec(page.text) ?? []
    for (let count = 0; count < 9; count += 1) {
      assert.is((await ask(served.pagesUrl + asset)).status, 200)
    }
    const missing = () => ask(`${served.pagesUrl}/assets/none.svg`)
    for (let count = 0; count < 3; count += 1) assert.is((await missing()).status, 404)
    assert.is((await missing()).status, 429)
  })
})

/** who a proxy says it was, and whether that is another visitor than the one before */
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
  test(`a proxy that is ${isTrusted ? '' : 'not '}trusted and says '${header}' tells of ${isOther ? 'another' : 'the same'} visitor`, async () => {
    const { limit } = limited()
    await under({ limit, isProxyTrusted: isTrusted }, async ({ pagesUrl }) => {
      const visit = (headers = {}) => ask(`${pagesUrl}/sessions/none`, { headers })
      for (let count = 0; count < 4; count += 1) assert.is((await visit()).status, 404)
      assert.is((await visit()).status, 429)
      assert.is((await visit({ 'X-Forwarded-For': header })).status, isOther ? 404 : 429)
    })
  })
}

test('a parameter that is not known is refused, and ignored with a warning where that is asked for', async () => {
  const body = { email: 'ada@example.com', emial: 'x', nmae: 'Ada' }
  await under({}, async ({ apiUrl }) => {
    const refused = await post(`${apiUrl}/v1/customers`, KEY, body)
    assert.equal([refused.status, errorOf(refused)['code']], [400, 'parameter_unknown'])
    assert.is(refused.headers['paycli-warning'], undefined)
  })
  await under({ isLenient: true }, async ({ apiUrl }) => {
    const taken = await post(`${apiUrl}/v1/customers`, KEY, body)
    assert.is(taken.status, 200)
    assert.is(taken.headers['paycli-warning'], 'unknown parameters ignored: emial, nmae')
    assert.is(fieldsOf(taken)['name'], null)
    const plain = await post(`${apiUrl}/v1/customers`, KEY, { email: 'ada@example.com' })
    assert.is(plain.headers['paycli-warning'], undefined)
  })
})

test('whatever the ignored names are, the warning is a header', async () => {
  await under({ isLenient: true }, async ({ apiUrl }) => {
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
    const taken = await post(`${apiUrl}/v1/customers?more=1&a[b]=2`, KEY, body)
    assert.is(taken.status, 200, taken.text)
    const warning = String(taken.headers['paycli-warning'])
    assert.match(warning, /^unknown parameters ignored: more, a\[b\]/)
    assert.match(warning, 'a%0D%0AX-Evil:%201')
    assert.not.match(warning, '42424242')
    assert.not.match(warning, 'whsec_A1')
    assert.is(taken.headers['x-evil'], undefined)
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${'💩'.repeat(100)}${at}`, 1]))
    const cut = await post(`${apiUrl}/v1/customers`, KEY, { email: 'ada@example.com', ...many })
    assert.is(cut.status, 200)
    assert.ok(String(cut.headers['paycli-warning']).length < 12_000)
  })
})

test.run()
