import {
  parseAdvanceArguments,
  parsePastTimestamp,
  parseTimestamp,
  parseTimestampFlag,
} from '../../../src/cli/parse/timestamp.ts'
import { toIsoTimestamp } from '../../../src/domain/text/format-timestamp.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/timestamp')

const READ: readonly (readonly [text: string, seconds: number | null])[] = [
  ['0', 0],
  ['1704067200', 1704067200],
  ['1704067200000', 1704067200000],
  ['2024-01-01', 1704067200],
  ['2024-01-01T00:00', 1704067200],
  ['2024-01-01T00:00:30', 1704067230],
  ['2024-01-01T00:00:30.999Z', 1704067230],
  ['2024-01-01 01:00:00', 1704070800],
  ['2024-01-01T01:00:00+01:00', 1704067200],
  ['2024-01-01T00:00Z', 1704067200],
  ['2024-02-29', 1709164800],
  ['2023-02-29', null],
  ['2024-13-01', null],
  ['2024-1-1', null],
  ['2024-01-01T25:00', null],
  ['2024-01-01T00:00.5', null],
  ['tomorrow', null],
  ['', null],
  ['-5', null],
  ['1.5', null],
]

for (const [text, seconds] of READ) {
  test(`returns ${seconds} for the timestamp '${text}'`, () => assert.is(parseTimestamp(text), seconds))
}

test('parses a formatted timestamp as the same time', () => {
  for (const iso of ['2024-02-29T12:34:56Z', '1970-01-01T00:00:00Z', '2099-12-31T23:59:59Z']) {
    assert.is(toIsoTimestamp(parseTimestamp(iso) ?? -1), iso)
  }
  assert.is(toIsoTimestamp(9e15), null, 'beyond the range of dates')
})

test('throws for a flag value that is not a timestamp', () => {
  assert.is(parseTimestampFlag('at', '1704067200'), 1704067200)
  assert.is(parseTimestampFlag('at', '2024-01-01'), 1704067200)
  const { param, message } = usageErrorFrom(() => parseTimestampFlag('at', 'soon'))
  assert.equal([param, message], ['at', "Invalid --at 'soon': expected a timestamp."])
})

const NOW = 1_790_000_000

test('parses an age, Unix seconds and ISO 8601 as a past timestamp', () => {
  assert.is(parsePastTimestamp('since', '90s', NOW), NOW - 90)
  assert.is(parsePastTimestamp('since', '10m', NOW), NOW - 600)
  assert.is(parsePastTimestamp('since', '2h', NOW), NOW - 7200)
  assert.is(parsePastTimestamp('since', '3d', NOW), NOW - 259_200)
  assert.is(parsePastTimestamp('since', '9999999d', NOW), 0)
  assert.is(parsePastTimestamp('since', '1767225600', NOW), 1_767_225_600)
  assert.is(parsePastTimestamp('since', '2026-01-01', NOW), 1_767_225_600)
  assert.match(usageErrorFrom(() => parsePastTimestamp('since', 'yesterday', NOW)).hint ?? '', /10m or 2h/)
})

const MONTH = { by: { interval: 'month', count: 1 } }
const NEW_YEAR = { frozen_time: 1704067200 }

test('clock advance accepts a duration or --to, with or without a clock id', () => {
  assert.equal(parseAdvanceArguments(['clock_1', '1mo'], undefined), { clock: 'clock_1', target: MONTH })
  assert.equal(parseAdvanceArguments(['1mo'], undefined), { clock: undefined, target: MONTH })
  assert.equal(parseAdvanceArguments(['1', 'month'], undefined), { clock: undefined, target: MONTH })
  assert.equal(parseAdvanceArguments(['clock_1', '1', 'month'], undefined), {
    clock: 'clock_1',
    target: MONTH,
  })
  assert.equal(parseAdvanceArguments(['clock_1'], '2024-01-01'), { clock: 'clock_1', target: NEW_YEAR })
  assert.equal(parseAdvanceArguments([], '2024-01-01'), { clock: undefined, target: NEW_YEAR })
})

test('clock advance requires either a duration or --to', () => {
  const { hint } = usageErrorFrom(() => parseAdvanceArguments([], undefined))
  assert.is(hint, 'For instance: paycli clock advance 1mo\nOr: paycli clock advance --to 2027-01-31')
  const messageOf = (words: string[], to?: string) =>
    usageErrorFrom(() => parseAdvanceArguments(words, to)).message
  assert.is(messageOf(['clock_1']), 'Missing duration or --to.')
  assert.is(messageOf(['1mo'], '2024-01-01'), "Use '1mo' or --to, not both.")
  assert.is(messageOf(['', '1mo']), 'Empty clock argument: expected a test clock id such as clock_…')
})

test.run()
