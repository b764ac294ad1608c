import { createStreamLimits } from '../../../src/daemon/streams/stream-limits.ts'
import { DomainError } from '../../../src/domain/domain-error.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/streams/stream-limits')

const isLimit = (error: Error) =>
  error instanceof DomainError && error.code === 'stream_limit' && error.details.retryAfterSeconds === 5

test('throws above the stream limit of a key of default, but opens a stream for another key', () => {
  const limits = createStreamLimits({ perKey: 2, perSandbox: 1, total: 10 })
  limits.open('default', 'key_1')
  limits.open('default', 'key_1')
  assert.throws(() => limits.open('default', 'key_1'), isLimit)
  limits.open('default', 'key_2')
})

test('counts the streams of all keys of another sandbox together', () => {
  const limits = createStreamLimits({ perKey: 1, perSandbox: 2, total: 10 })
  limits.open('sbx_1', 'key_1')
  limits.open('sbx_1', 'key_2')
  assert.throws(() => limits.open('sbx_1', 'key_3'), isLimit)
  limits.open('sbx_2', 'key_1')
  limits.open('default', 'key_1')
})

test('throws above the total limit of streams', () => {
  const limits = createStreamLimits({ perKey: 2, perSandbox: 2, total: 3 })
  for (const key of ['key_1', 'key_1', 'key_2']) limits.open('default', key)
  assert.throws(() => limits.open('default', 'key_3'), isLimit)
  assert.throws(() => limits.open('sbx_1', 'key_3'), isLimit)
})

test('a closed stream frees one slot, even if it is closed twice', () => {
  const limits = createStreamLimits({ perKey: 1, perSandbox: 1, total: 1 })
  const close = limits.open('default', 'key_1')
  close()
  close()
  limits.open('default', 'key_2')
  assert.throws(() => limits.open('default', 'key_1'), isLimit)
})

test.run()
