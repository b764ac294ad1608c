import { learnBaseline } from '../../../../src/cli/explore/compare/compare-runs.ts'
import { toJUnit } from '../../../../src/cli/explore/report/junit.ts'
import { assert, suite } from '../../../support/suite.ts'
import { DUPLICATE, FORGED, KILLED, LOST_RESPONSE, recordWith } from '../sample-runs.ts'

const test = suite('cli/explore/junit')

const text = toJUnit(
  {
    baseline: learnBaseline([recordWith()]),
    findings: [
      {
        schedule: [DUPLICATE],
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
      { schedule: [LOST_RESPONSE], result: 'passed', applied: [], durationMs: 1500 },
      { schedule: [DUPLICATE], result: 'finding', applied: [], durationMs: 100 },
      { schedule: [DUPLICATE, LOST_RESPONSE], result: 'known', applied: [], durationMs: 100 },
      { schedule: [KILLED], result: 'not_applied', applied: [], durationMs: 100 },
      { schedule: [FORGED], result: 'not_reproducible', applied: [], durationMs: 100 },
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
  assert.match(text, /<system-out>Ended differently in one run only<\/system-out>/)
})

test('escapes the failure and contains its timeline', () => {
  assert.match(text, /<failure message="orders: &quot;&lt;&amp;&gt;\\u0000\\uffff&quot; \]\]&gt;">/)
  assert.match(text, /0\.01 s {2}API -&gt; app {2}payment\.succeeded/)
})

test.run()
