import { newIdempotencyKey } from '../../src/client/idempotency-key.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('client/idempotency-key')

test('returns different UUIDs of version 4 without a run of digits as long as a card number', () => {
  const keys = Array.from({ length: 2000 }, newIdempotencyKey)
  for (const key of keys) {
    assert.match(key, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    assert.not.match(key, /\d(?:-?\d){12}/)
  }
  assert.is(new Set(keys).size, keys.length)
})

test.run()
