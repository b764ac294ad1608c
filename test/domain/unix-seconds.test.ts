import { millisecondProblems } from '../../src/domain/unix-seconds.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('domain/unix-seconds')

test('seconds of the next three thousand years are taken, and what is absent or refused already', () => {
  for (const moment of [0, 1_795_000_000, 99_999_999_999, null, undefined]) {
    assert.equal(millisecondProblems('until', moment), [])
  }
})

test('milliseconds since 1973 are told, with the seconds they are', () => {
  const message = 'end 1795000000999 looks like milliseconds; it must be in Unix seconds: 1795000000.'
  const problem = { code: 'timestamp_invalid', message }
  assert.equal(millisecondProblems('end', 1_795_000_000_999), [{ ...problem, param: 'end' }])
  assert.equal(millisecondProblems('end', 1_795_000_000_999, 'a[end]'), [{ ...problem, param: 'a[end]' }])
  assert.is(millisecondProblems('end', 100_000_000_000).length, 1)
})

test.run()
