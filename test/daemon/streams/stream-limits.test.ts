import { createStreamLimiter } from '../../../src/daemon/streams/stream-limits.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/streams/stream-limits')

const isLimit = (error: Error) =>
  error instanceof DomainError && error.code === 'stream_limit' && error.details.retryAfterSeconds === 5

test('throws above the stream quota of a sandbox, but not for another sandbox or a key of the default sandbox', () => {
  const countStream = createStreamLimiter({ perKey: 2, total: 10 })
  for (let count = 0; count < 3; count += 1) countStream('sbx_1', 3)
  assert.throws(() => countStream('sbx_1', 3), isLimit)
  countStream('sbx_2', 3)
  countStream('key_1', undefined)
})

test('throws above the stream limit of a key, but opens a stream for another key', () => {
  const countStream = createStreamLimiter({ perKey: 2, total: 10 })
  countStream('key_1', undefined)
  countStream('key_1', undefined)
  assert.throws(() => countStream('key_1', undefined), isLimit)
  countStream('key_2', undefined)
})

test('throws above the total limit of streams', () => {
  const countStream = createStreamLimiter({ perKey: 2, total: 3 })
  for (const key of ['key_1', 'key_1', 'key_2']) countStream(key, undefined)
  assert.throws(() => countStream('key_3', undefined), isLimit)
})

test('a closed stream frees one slot, even if it is closed twice', () => {
  const countStream = createStreamLimiter({ perKey: 1, total: 1 })
  const close = countStream('key_1', undefined)
  close()
  close()
  countStream('key_2', undefined)
  assert.throws(() => countStream('key_1', undefined), isLimit)
})

test.run()
