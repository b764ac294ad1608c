import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { idempotencyKeyOf } from '../../../src/cli/parse/create-flags.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/create-flags')

test('a key of printable ASCII is taken as it is, and none is none', () => {
  for (const key of ['a', 'import 1042', 'x'.repeat(255)]) {
    assert.is(idempotencyKeyOf({ 'idempotency-key': key }), key)
  }
  assert.is(idempotencyKeyOf({}), undefined)
})

test('a key that no header can carry is told before anything is sent', () => {
  for (const key of ['', 'x'.repeat(256), 'a\nb', 'é']) {
    assert.throws(
      () => idempotencyKeyOf({ 'idempotency-key': key }),
      (error: unknown) => error instanceof UsageError && error.param === 'idempotency-key',
    )
  }
})

test.run()
