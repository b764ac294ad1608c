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

test('parseReplayFile() reads a file that renderReplayFile() created', () => {
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

test('the error names the invalid field of a file', () => {
  assert.match(errorOf('{'), /^'a\.json' is not valid JSON: the text ends too early/)
  assert.match(errorOf([]), /body must be an object/)
  assert.match(errorOf({ version: 2, schedule: SCHEDULE }), /version 2 is not one of: 1\.$/)
  assert.match(errorOf({ version: 1, schedule: [] }), /schedule must have 1 to 100 entries/)
  assert.match(errorOf({ version: 1, schedule: [null] }), /schedule\[0\] must be an object/)
  assert.match(errorOf({ version: 1, schedule: SCHEDULE, differences: 'x' }), /differences must be an array/)
})

for (const [fault, message] of [
  [{ at: null }, /schedule\[0\]: at must be an object/],
  [{ at: {} }, /schedule\[0\]: Missing required parameter: at\[kind\]\.$/],
  [{ at: { kind: 'x' } }, /at\[kind\] 'x' is not one of: request, delivery, payment\.$/],
  [{ fault: 'drop_response' }, /schedule\[0\]: fault 'drop_response' is not one of: duplicate, /],
  [{ at: { ...DUPLICATE.at, occurrence: 0 } }, /at\[occurrence\] must be from 1/],
  [{ at: { ...DUPLICATE.at, event_type: 7 } }, /at\[event_type\] must be a string/],
  [
    { at: { kind: 'payment', occurrence: 1 } },
    /fault 'duplicate' is not one of: decline, issuer_unavailable, processing\.$/,
  ],
  [{ options: { copies: 1 } }, /options\[copies\] must be from 2 to 10/],
  [{ options: { order: 'x' } }, /options\[order\] 'x' is not one of: sequential, concurrent/],
  [{ options: { constructor: 1 } }, /Unknown parameter: options\[constructor\]/],
] as const) {
  test(`names the invalid field of a fault with ${JSON.stringify(fault)}`, () =>
    assert.match(errorOf({ version: 1, schedule: [{ ...DUPLICATE, ...fault }] }), message))
}

test.run()
