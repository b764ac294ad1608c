import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { parsePast, parseSeconds } from '../../../src/cli/parse/past-timestamp.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/past-moment')

const NOW = 1_790_000_000

test('so long ago, Unix seconds and ISO 8601 are moments', () => {
  assert.is(parsePast('since', '90s', NOW), NOW - 90)
  assert.is(parsePast('since', '10m', NOW), NOW - 600)
  assert.is(parsePast('since', '2h', NOW), NOW - 7200)
  assert.is(parsePast('since', '3d', NOW), NOW - 259_200)
  assert.is(parsePast('since', '9999999d', NOW), 0)
  assert.is(parsePast('since', '1767225600', NOW), 1_767_225_600)
  assert.is(parsePast('since', '2026-01-01', NOW), 1_767_225_600)
})

test('a length of time is a whole number with a unit', () => {
  assert.is(parseSeconds('timeout', '30s'), 30)
  assert.is(parseSeconds('timeout', '1m'), 60)
})

for (const text of ['', '10', '0s', '1mo', '-1s', '1.5s', 'soon']) {
  test(`'${text}' is no length of time`, () => {
    assert.throws(
      () => parseSeconds('timeout', text),
      (error: unknown) => error instanceof UsageError && error.param === 'timeout',
    )
  })
}

test('what is no moment is refused with what would be', () => {
  assert.throws(
    () => parsePast('since', 'yesterday', NOW),
    (error: unknown) => error instanceof UsageError && /10m or 2h/.test(error.hint ?? ''),
  )
})

test.run()
