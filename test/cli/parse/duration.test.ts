import { parseCalendarDuration, parseDurationSeconds } from '../../../src/cli/parse/duration.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'

const test = suite('cli/duration')

test('converts a whole number with a unit to seconds', () => {
  assert.is(parseDurationSeconds('timeout', '30s'), 30)
  assert.is(parseDurationSeconds('timeout', '1m'), 60)
  assert.is(parseDurationSeconds('timeout', '3d'), 259_200)
  assert.is(parseDurationSeconds('timeout', '2 Hours'), 7200)
  assert.is(parseDurationSeconds('timeout', '1w'), 604_800)
})

for (const text of ['', '10', '0s', '1mo', '-1s', '1.5s', 'soon']) {
  test(`rejects the duration '${text}'`, () => {
    const { param, message } = usageErrorFrom(() => parseDurationSeconds('timeout', text))
    assert.equal([param, message], ['timeout', `Invalid --timeout '${text}': expected a duration.`])
  })
}

const CALENDAR_DURATIONS: readonly (readonly [text: string, interval: string, count: number])[] = [
  ['12h', 'hour', 12],
  ['1hour', 'hour', 1],
  ['3d', 'day', 3],
  ['30 days', 'day', 30],
  ['2w', 'week', 2],
  ['1mo', 'month', 1],
  ['18MO', 'month', 18],
  ['6months', 'month', 6],
  ['1y', 'year', 1],
  ['2 years', 'year', 2],
]

for (const [text, interval, count] of CALENDAR_DURATIONS) {
  test(`parses the calendar duration ${text} as ${count} ${interval}`, () =>
    assert.equal(parseCalendarDuration(text), { interval, count }))
}

for (const text of ['', 'mo', '0d', '-1d', '1.5d', '1', '1mi', '10000000d', '1d2h', 'tomorrow']) {
  test(`rejects the calendar duration '${text}'`, () => {
    const { code, message, hint } = usageErrorFrom(() => parseCalendarDuration(text))
    assert.equal(
      [code, message],
      ['argument_invalid', `Invalid duration '${text}': expected a number with a unit of time.`],
    )
    assert.match(hint ?? '', /1mo/)
  })
}

test('suggests a unit for a number, and --to for a time', () => {
  const hintOf = (text: string) => usageErrorFrom(() => parseCalendarDuration(text)).hint
  assert.is(hintOf('30'), 'Add the unit, such as 30d for days or 30mo for months.')
  for (const text of ['2026-12-31', '1767225600']) assert.is(hintOf(text), `For a time, use --to ${text}`)
})

test('rejects calendar durations in minutes and seconds', () => {
  for (const text of ['1m', '90s']) {
    const { message, hint } = usageErrorFrom(() => parseCalendarDuration(text))
    assert.is(message, `Invalid duration '${text}': expected at least an hour.`)
    assert.is(hint?.startsWith('m means minutes; a month is 1mo.'), text === '1m')
  }
})

test.run()
