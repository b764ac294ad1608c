import { isMoment, parseMoment } from '../../../src/cli/parse/timestamp.ts'
import { isoOf } from '../../../src/domain/moment-text.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/moments')

const READ: readonly (readonly [text: string, seconds: number | null])[] = [
  ['0', 0],
  ['1704067200', 1704067200],
  ['1704067200000', 1704067200000],
  ['2024-01-01', 1704067200],
  ['2024-01-01T00:00', 1704067200],
  ['2024-01-01T00:00:30', 1704067230],
  ['2024-01-01 01:00:00', 1704070800],
  ['2024-01-01T01:00:00+01:00', 1704067200],
  ['2024-01-01T00:00Z', 1704067200],
  ['2024-02-29', 1709164800],
  ['2023-02-29', null],
  ['2024-13-01', null],
  ['2024-1-1', null],
  ['2024-01-01T25:00', null],
  ['tomorrow', null],
  ['', null],
  ['-5', null],
  ['1.5', null],
]

for (const [text, seconds] of READ) {
  test(`'${text}' is ${seconds}`, () => assert.is(parseMoment(text), seconds))
}

test('what is read comes out again', () => {
  for (const iso of ['2024-02-29T12:34:56Z', '1970-01-01T00:00:00Z', '2099-12-31T23:59:59Z']) {
    assert.is(isoOf(parseMoment(iso) ?? -1), iso)
  }
  assert.is(isoOf(9e15), null, 'no calendar goes so far')
})

test('fields that hold moments are known by name', () => {
  const moments = [
    'created',
    'since',
    'expires_at',
    'start_date',
    'due_date',
    'current_period_end',
    'period_start',
    'frozen_time',
    'target_frozen_time',
    'end',
  ]
  assert.equal(moments.filter(isMoment), moments)
  const others = [
    'amount',
    'id',
    'sequence',
    'attempt',
    'interval_count',
    'format',
    'days_until_due',
    'status',
  ]
  assert.equal(others.filter(isMoment), [])
})

test.run()
