import { toJUnit } from '../../../../src/cli/explore/report/junit.ts'
import { assert, suite } from '../../../support/suite.ts'
import {
  DIFFERENCE,
  DUPLICATE,
  explorationWith,
  exploredWith,
  FORGED,
  findingWith,
  KILLED,
  LOST_RESPONSE,
} from '../sample-runs.ts'

const test = suite('cli/explore/junit')

const text = toJUnit(
  explorationWith({
    findings: [
      findingWith({
        occurrences: { failed: 3, runs: 4 },
        differences: [{ ...DIFFERENCE, text: 'orders: "<&>\u0000\uffff" ]]>' }],
      }),
    ],
    explored: [
      exploredWith({ schedule: [LOST_RESPONSE], result: 'passed', durationMs: 1500 }),
      exploredWith({}),
      exploredWith({ schedule: [DUPLICATE, LOST_RESPONSE], result: 'known' }),
      exploredWith({ schedule: [KILLED], result: 'not_applied' }),
      exploredWith({
        ...{ schedule: [FORGED], result: 'not_reproducible', occurrences: { failed: 1, runs: 3 } },
      }),
    ],
    durationMs: 2000,
  }),
  'node "buy".js',
)

test('the report has a test case for each schedule', () => {
  assert.match(
    text,
    /<testsuite name="paycli explore node &quot;buy&quot;\.js" tests="5" failures="2" errors="0" skipped="1" time="2\.000">/,
  )
  assert.match(
    text,
    /<testcase name="The first payment_sessions\.create request was executed, but its response was lost" classname="drop_response" time="1\.500"\/>/,
  )
  assert.is(text.match(/<testcase /g)?.length, 5)
  assert.match(text, /<skipped message="The fault did not apply"\/>/)
  assert.match(text, /<system-out>Ended differently in 1 of 3 runs<\/system-out>/)
})

test('does not report a difference that is not confirmed as a failure', () => {
  const explored = [exploredWith({ result: 'not_confirmed' })]
  const report = toJUnit(
    explorationWith({ unconfirmed: [findingWith({ isConfirmed: false })], explored }),
    'buy',
  )
  assert.match(report, 'failures="0" errors="0" skipped="1"')
})

test('reports that a failure is a race', () => {
  assert.match(text, /\nThis is a race: the app ended differently in 3 of 4 runs\.\n/)
})

test('escapes the failure and contains its timeline', () => {
  assert.match(text, /<failure message="orders: &quot;&lt;&amp;&gt;\\u0000\\uffff&quot; \]\]&gt;">/)
  assert.match(text, /0\.01 s {2}API -&gt; app {2}payment\.succeeded/)
})

test.run()
