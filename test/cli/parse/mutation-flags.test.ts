import { findIdempotencyKey } from '../../../src/cli/parse/mutation-flags.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/update-flags')

test('returns an idempotency key of printable ASCII, or undefined without the flag', () => {
  for (const key of ['a', 'import 1042', 'x'.repeat(255)]) {
    assert.is(findIdempotencyKey({ 'idempotency-key': key }), key)
  }
  assert.is(findIdempotencyKey({}), undefined)
})

test('rejects an idempotency key that is invalid in a header', () => {
  for (const key of ['', 'x'.repeat(256), 'a\nb', 'é']) {
    const { param } = usageErrorFrom(() => findIdempotencyKey({ 'idempotency-key': key }))
    assert.is(param, 'idempotency-key')
  }
})

test.run()
