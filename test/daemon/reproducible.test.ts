import { createFrozenClock, createSeededIdGenerators } from '../../src/daemon/reproducible.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/reproducible')

test('the same seed generates the same values, independent of other kinds of values', () => {
  const [one, other] = [createSeededIdGenerators('golden'), createSeededIdGenerators('golden')]
  other.random()
  other.newToken()
  other.newId('whd_')
  for (let round = 0; round < 3; round += 1) {
    assert.is(one.newId('cus_'), other.newId('cus_'))
    assert.is(one.newWebhookSecret(), other.newWebhookSecret())
  }
  assert.is(one.newApiKey(), other.newApiKey())
})

test('another seed generates other ids, and ids are unique', () => {
  const ids = createSeededIdGenerators('golden')
  const made = new Set(Array.from({ length: 1000 }, () => ids.newId('cus_')))
  assert.is(made.size, 1000)
  assert.not.ok(made.has(createSeededIdGenerators('other').newId('cus_')))
  for (const id of made) assert.match(id, /^cus_[0-9A-Za-z]{24}$/)
})

test('an API key begins with the prefix of its kind', () => {
  const ids = createSeededIdGenerators('golden')
  assert.match(ids.newApiKey('restricted'), /^payrk_test_/)
  assert.match(ids.newApiKey('secret'), /^paysk_test_/)
})

test('replaces a random idempotency key with a seeded key, and keeps any other key', () => {
  const [one, other] = [createSeededIdGenerators('golden'), createSeededIdGenerators('golden')]
  const results = ['0b2e9a4e-1f6c-4c3a-9d7e-5a1b2c3d4e5f', '7c1e9a4e-1f6c-4c3a-9d7e-5a1b2c3d4e5f'].map(
    one.publicIdempotencyKey,
  )
  assert.is(new Set(results).size, 2)
  for (const key of results) {
    assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.is(key, other.publicIdempotencyKey('ffffffff-1f6c-4c3a-9d7e-5a1b2c3d4e5f'))
  }
  assert.is(one.publicIdempotencyKey('order 17'), 'order 17')
})

test('unfrozenMs() of a frozen clock advances with the machine, and signatureMs() returns the machine time', () => {
  let machineMs = 1_790_000_000_000
  const clock = createFrozenClock(1704067200, { nowMs: () => machineMs })
  assert.equal([clock.unfrozenMs?.(), clock.signatureMs?.()], [1704067200000, machineMs])
  machineMs += 1500
  assert.equal(
    [clock.nowMs(), clock.unfrozenMs?.(), clock.signatureMs?.()],
    [1704067200000, 1704067201500, 1_790_000_001_500],
  )
  machineMs -= 10_000
  assert.is(clock.unfrozenMs?.(), 1704067200000)
})

test.run()
