import { createStreamLimits } from '../../../src/daemon/streams/stream-limits.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/streams/stream-limits')

const isLimit = (error: Error) =>
  error instanceof DomainError && error.code === 'stream_limit' && error.details.retryAfterSeconds === 5

/** Returns a key of the default sandbox. */
const keyOf = (id: string) => ({ id, quota: undefined })

test('throws above the quota of a sandbox, but opens a stream for another sandbox and for a key of default', () => {
  const limits = createStreamLimits({ perKey: 2, total: 10 })
  for (let count = 0; count < 3; count += 1) limits.open({ id: 'sbx_1', quota: 3 })
  assert.throws(() => limits.open({ id: 'sbx_1', quota: 3 }), isLimit)
  limits.open({ id: 'sbx_2', quota: 3 })
  limits.open(keyOf('key_1'))
})

test('throws above the stream limit of a key, but opens a stream for another key', () => {
  const limits = createStreamLimits({ perKey: 2, total: 10 })
  limits.open(keyOf('key_1'))
  limits.open(keyOf('key_1'))
  assert.throws(() => limits.open(keyOf('key_1')), isLimit)
  limits.open(keyOf('key_2'))
})

test('throws above the total limit of streams', () => {
  const limits = createStreamLimits({ perKey: 2, total: 3 })
  for (const key of ['key_1', 'key_1', 'key_2']) limits.open(keyOf(key))
  assert.throws(() => limits.open(keyOf('key_3')), isLimit)
})

test('a closed stream frees one slot, even if it is closed twice', () => {
  const limits = createStreamLimits({ perKey: 1, total: 1 })
  const close = limits.open(keyOf('key_1'))
  close()
  close()
  limits.open(keyOf('key_2'))
  assert.throws(() => limits.open(keyOf('key_1')), isLimit)
})

test.run()
