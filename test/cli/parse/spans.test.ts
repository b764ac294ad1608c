import { UsageError } from '../../../src/cli/errors/usage-error.ts'
import { parseAdvance, parseFrozenTime, parseSpan } from '../../../src/cli/parse/spans.ts'
import { assert, suite } from '../../support/suite.ts'

/** What a command line is refused with. */
function refusal(parse: () => unknown): UsageError {
  try {
    parse()
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error('it was not refused')
}

const spans = suite('cli/spans')

const READ: readonly (readonly [text: string, interval: string, count: number])[] = [
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

for (const [text, interval, count] of READ) {
  spans(`${text} is ${count} ${interval}`, () => assert.equal(parseSpan(text), { interval, count }))
}

for (const text of ['', 'mo', '0d', '-1d', '1.5d', '1', '1s', '1mi', '1000000d', '1d2h', 'tomorrow']) {
  spans(`'${text}' is no length of time`, () => {
    const { code, message, hint } = refusal(() => parseSpan(text))
    assert.equal([code, message], ['argument_invalid', `'${text}' is no length of time.`])
    assert.match(hint ?? '', '1mo')
  })
}

spans('1m is a minute to one and a month to another, so it is neither', () => {
  assert.match(refusal(() => parseSpan('1m')).message, "'1m' is too short for a clock.")
})

spans('a moment is Unix seconds or ISO 8601', () => {
  assert.is(parseFrozenTime('at', '1704067200'), 1704067200)
  assert.is(parseFrozenTime('at', '2024-01-01'), 1704067200)
  const { param, message } = refusal(() => parseFrozenTime('at', 'soon'))
  assert.equal([param, message], ['at', "--at takes a moment, not 'soon'."])
})

spans.run()

const advance = suite('what clock advance is told')

const MONTH = { by: { interval: 'month', count: 1 } }
const NEW_YEAR = { frozen_time: 1704067200 }

advance('two words are a clock and a span, one is what it looks like', () => {
  assert.equal(parseAdvance(['clock_1', '1mo'], undefined), { clock: 'clock_1', destination: MONTH })
  assert.equal(parseAdvance(['1mo'], undefined), { clock: undefined, destination: MONTH })
  assert.equal(parseAdvance(['clock_1'], '2024-01-01'), { clock: 'clock_1', destination: NEW_YEAR })
  assert.equal(parseAdvance([], '2024-01-01'), { clock: undefined, destination: NEW_YEAR })
})

advance('it must say where to, and only once', () => {
  assert.match(refusal(() => parseAdvance([], undefined)).hint ?? '', /12h.*--to/)
  assert.match(refusal(() => parseAdvance(['clock_1'], undefined)).message, 'Where the clock goes')
  assert.match(refusal(() => parseAdvance(['1mo'], '2024-01-01')).message, "Give '1mo' or --to, not both.")
  assert.match(refusal(() => parseAdvance(['', '1mo'], undefined)).message, 'The clock is empty.')
})

advance.run()
