import { parseReplayFile, renderReplayFile } from '../../../src/cli/explore/replay-file.ts'
import { assert, suite } from '../../support/suite.ts'
import { usageErrorFrom } from '../../support/usage-errors.ts'
import { DIFFERENCE, DUPLICATE, findingWith, KILLED, LOST_RESPONSE, scheduleOf } from './sample-runs.ts'

const test = suite('cli/explore/replay-file')

const SCHEDULE = scheduleOf(DUPLICATE, KILLED, LOST_RESPONSE)

function errorOf(file: unknown): string {
  const text = typeof file === 'string' ? file : JSON.stringify(file)
  return usageErrorFrom(() => parseReplayFile(text, 'a.json')).message
}

test('parseReplayFile() reads a file of renderReplayFile()', () => {
  const differences = [{ ...DIFFERENCE, text: 'x' }]
  const text = renderReplayFile(findingWith({ schedule: SCHEDULE, differences }), 'node buy.js')
  assert.equal(parseReplayFile(text, 'a.json'), { schedule: SCHEDULE, differences: ['x'] })
  const { version, scenario, differences: texts } = JSON.parse(text)
  assert.equal([version, scenario, texts], [1, 'node buy.js', ['x']])
})

test('reads a schedule with 100 faults, the maximum', () => {
  const schedule = Array.from({ length: 100 }, () => DUPLICATE)
  assert.is(parseReplayFile(JSON.stringify({ version: 1, schedule }), 'a.json').schedule.length, 100)
})

test('reads a file without differences', () => {
  const text = JSON.stringify({ version: 1, schedule: SCHEDULE })
  assert.equal(parseReplayFile(text, 'a.json'), { schedule: SCHEDULE, differences: [] })
})

test('names the invalid field of a file', () => {
  assert.match(errorOf('{'), /^'a\.json' is not a valid schedule: .*JSON/)
  assert.match(errorOf([]), /it must be a JSON object\.$/)
  assert.match(errorOf({ version: 2, schedule: SCHEDULE }), /version must be 1\.$/)
  assert.match(errorOf({ version: 1, schedule: [] }), /schedule must be a list of 1 to 100 faults\.$/)
  assert.match(errorOf({ version: 1, schedule: [null] }), /schedule\[0\] must be an object\.$/)
  assert.match(
    errorOf({ version: 1, schedule: SCHEDULE, differences: 'x' }),
    /differences must be a list of texts\.$/,
  )
})

for (const [fault, message] of [
  [{ at: {} }, /schedule\[0\]\.at\.kind must be one of request, delivery, payment\.$/],
  [{ fault: 'drop_response' }, /schedule\[0\]\.fault must be one of duplicate, /],
  [{ at: { ...DUPLICATE.at, occurrence: 0 } }, /\.at\.occurrence must be an integer/],
  [{ at: { ...DUPLICATE.at, event_type: 7 } }, /\.at\.event_type must be a text\.$/],
  [
    { at: { kind: 'payment', occurrence: 1 } },
    /\.fault must be one of decline, issuer_unavailable, processing/,
  ],
  [{ options: { copies: 1 } }, /\.options\.copies must be an integer from 2 to 10\.$/],
  [{ options: { order: 'x' } }, /\.options\.order must be one of sequential, concurrent/],
  [{ options: { constructor: 1 } }, /\.options\.constructor is no option\./],
] as const) {
  test(`names the invalid field of a fault with ${JSON.stringify(fault)}`, () =>
    assert.match(errorOf({ version: 1, schedule: [{ ...DUPLICATE, ...fault }] }), message))
}

test.run()
