import { learnBaseline } from '../../../../src/cli/explore/compare/compare-runs.ts'
import { toJUnit } from '../../../../src/cli/explore/report/junit.ts'
import { assert, suite } from '../../../support/suite.ts'
import { DUPLICATE, FORGED, KILLED, LOST_RESPONSE, ONCE, recordWith } from '../sample-runs.ts'

const test = suite('cli/explore/junit')

const text = toJUnit(
  {
    baseline: learnBaseline([recordWith()]),
    findings: [
      {
        schedule: [DUPLICATE],
        occurrences: { failed: 3, runs: 4 },
        differences: [
          {
            ...({ kind: 'observation', change: 'more', path: 'orders', expected: '1', actual: '2' } as const),
            text: 'orders: "<&>\u0000\uffff" ]]>',
          },
        ],
        record: recordWith({ schedule: [DUPLICATE] }),
      },
    ],
    explored: [
      { schedule: [LOST_RESPONSE], result: 'passed', occurrences: ONCE, applied: [], durationMs: 1500 },
      { schedule: [DUPLICATE], result: 'finding', occurrences: ONCE, applied: [], durationMs: 100 },
      {
        schedule: [DUPLICATE, LOST_RESPONSE],
        result: 'known',
        occurrences: ONCE,
        applied: [],
        durationMs: 100,
      },
      { schedule: [KILLED], result: 'not_applied', occurrences: ONCE, applied: [], durationMs: 100 },
      {
        ...({ schedule: [FORGED], result: 'not_reproducible', applied: [], durationMs: 100 } as const),
        occurrences: { failed: 1, runs: 3 },
      },
    ],
    ...{ skipped: [], lostState: [], failure: null, isReplay: false, durationMs: 2000 },
  },
  'node "buy".js',
)

test('has a test case for each schedule', () => {
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

test('says that a failure is a race', () => {
  assert.match(text, /\nThis is a race: the app ended differently in 3 of 4 runs\.\n/)
})

test('escapes the failure and contains its timeline', () => {
  assert.match(text, /<failure message="orders: &quot;&lt;&amp;&gt;\\u0000\\uffff&quot; \]\]&gt;">/)
  assert.match(text, /0\.01 s {2}API -&gt; app {2}payment\.succeeded/)
})

test.run()
