import { createStreamLimits } from '../../src/daemon/stream-limits.ts'
import { DomainError } from '../../src/domain/domain-error.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/stream-limits')

const isLimit = (error: Error) =>
  error instanceof DomainError && error.code === 'stream_limit' && error.details.retryAfterSeconds === 5

test('refuses one stream more than a key may have open, and lets another key open it', () => {
  const limits = createStreamLimits({ perKey: 2, inAll: 10 })
  limits.open('key_1')
  limits.open('key_1')
  assert.throws(() => limits.open('key_1'), isLimit)
  limits.open('key_2')
})

test('refuses one stream more than all keys may have open together', () => {
  const limits = createStreamLimits({ perKey: 2, inAll: 3 })
  for (const key of ['key_1', 'key_1', 'key_2']) limits.open(key)
  assert.throws(() => limits.open('key_3'), isLimit)
})

test('a closed stream makes room for one other, however often it is closed', () => {
  const limits = createStreamLimits({ perKey: 1, inAll: 1 })
  const close = limits.open('key_1')
  close()
  close()
  limits.open('key_2')
  assert.throws(() => limits.open('key_1'), isLimit)
})

test.run()
