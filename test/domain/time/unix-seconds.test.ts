import { listUnixSecondsErrors } from '../../../src/domain/time/unix-seconds.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('domain/time/unix-seconds')

test('accepts timestamps in seconds up to the year 5000, and absent timestamps', () => {
  for (const timestamp of [0, 1_795_000_000, 99_999_999_999, null, undefined]) {
    assert.equal(listUnixSecondsErrors('until', timestamp), [])
  }
})

test('reports a timestamp in milliseconds after 1973 and suggests the value in seconds', () => {
  const message = 'end 1795000000999 looks like milliseconds. Use Unix seconds: 1795000000.'
  const error = { code: 'timestamp_invalid', message }
  assert.equal(listUnixSecondsErrors('end', 1_795_000_000_999), [{ ...error, param: 'end' }])
  assert.equal(listUnixSecondsErrors('end', 1_795_000_000_999, 'a[end]'), [{ ...error, param: 'a[end]' }])
  assert.is(listUnixSecondsErrors('end', 100_000_000_000).length, 1)
})

test.run()
