import { createRateLimiter } from '../../../src/daemon/http/rate-limit.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/http/rate-limit')

function limited(perSecond: number) {
  const clock = { ms: 0 }
  const limit = createRateLimiter(perSecond, () => clock.ms)
  return { clock, ask: limit.take, whole: limit.unusedHeaders }
}

test('allows a burst of twice the rate', () => {
  const { ask } = limited(5)
  const waits = Array.from({ length: 11 }, () => ask('key_1').retryAfterSeconds)
  assert.equal(waits, [...Array.from({ length: 10 }, () => null), 1])
})

test('refills a bucket at the configured rate, up to the burst', () => {
  const { ask, clock } = limited(5)
  for (let count = 0; count < 11; count += 1) ask('key_1')
  clock.ms = 200
  assert.equal([ask('key_1').retryAfterSeconds, ask('key_1').retryAfterSeconds], [null, 1])
  clock.ms = 3_600_000
  const passed = Array.from({ length: 20 }, () => ask('key_1')).filter(
    (one) => one.retryAfterSeconds === null,
  )
  assert.is(passed.length, 10)
})

test('limits each client separately', () => {
  const { ask } = limited(1)
  assert.equal(
    [1, 2, 3].map(() => ask('key_1').retryAfterSeconds),
    [null, null, 1],
  )
  assert.is(ask('key_2').retryAfterSeconds, null)
})

test('a total limit applies to all clients together, and its rejections consume no tokens of a client', () => {
  const clock = { ms: 0 }
  const total = createRateLimiter(2, () => clock.ms)
  const { take } = createRateLimiter(2, () => clock.ms, total)
  const waits = (client: string, count: number) =>
    Array.from({ length: count }, () => take(client).retryAfterSeconds)
  assert.equal(waits('sbx_1', 3), [null, null, null])
  assert.equal(waits('sbx_2', 2), [null, 1])
  clock.ms = 2000
  assert.equal(waits('sbx_2', 5), [null, null, null, null, 1])
})

test('returns the policy, the remaining requests and the reset time', () => {
  const { ask, whole } = limited(5)
  assert.equal(whole, { 'RateLimit-Policy': '"default";q=5;w=1', RateLimit: '"default";r=10;t=1' })
  assert.is(ask('key_1').allowance, '"default";r=9;t=1')
})

test('removes full buckets when the number of clients exceeds the maximum', () => {
  const { ask, clock } = limited(1)
  for (let client = 0; client < 10_000; client += 1) ask(`address ${client}`)
  clock.ms = 10_000
  ask('one more')
  assert.is(ask('address 1').allowance, '"default";r=1;t=1')
})

test.run()
