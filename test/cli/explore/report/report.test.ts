import { createBaseline } from '../../../../src/cli/explore/compare/compare-runs.ts'
import type { ExplorationResult } from '../../../../src/cli/explore/exploration.ts'
import type { RunRecord } from '../../../../src/cli/explore/model/run-record.ts'
import { formatExploration } from '../../../../src/cli/explore/report/report.ts'
import { createStyle } from '../../../../src/cli/output/style.ts'
import { assert, suite } from '../../../support/suite.ts'
import {
  DIFFERENCE,
  DUPLICATE,
  deliveryWith,
  explorationWith,
  exploredWith,
  findingWith,
  KILLED,
  recordWith,
  requestWith,
} from '../sample-runs.ts'

const test = suite('cli/explore/report')

const style = createStyle(false)
const RECORD = recordWith({
  schedule: [DUPLICATE],
  requests: [requestWith({})],
  deliveries: [
    deliveryWith({ fault: 'duplicate', atMs: 1230 }),
    deliveryWith({ fault: 'duplicate', atMs: 1250, summary: 'bad\u001b[2J', status: null }),
  ],
  appChanges: [{ kind: 'killed', atMs: 1300 }],
  log: 'started\nTypeError: \u001b[2J',
})
const EXPLORATION = explorationWith({
  findings: [findingWith({ record: RECORD })],
  explored: [exploredWith({})],
  skipped: [[KILLED]],
})
const COMMAND = 'paycli explore scenario.json --replay schedule.json'

test('shows the fault, the difference, the timeline, the fix and the command that repeats the finding', () => {
  const text = formatExploration(EXPLORATION, { style, width: 100, replayCommand: COMMAND })
  for (const part of [
    'Problem 1\n  The first delivery of payment.succeeded arrived twice, one after the other.\n',
    'Difference from the run without faults\n  orders: 2 entries instead of 1\n',
    '  0.00 s  app -> API  payment_sessions.create: 200\n',
    '  1.23 s  API -> app  payment.succeeded (payment succeeded): 200, duplicate\n',
    '  1.25 s  API -> app  payment.succeeded (bad\\u001b[2J): no response, duplicate\n',
    '  1.30 s  app         was killed\n',
    'Usual fix\n  Process each event once',
    `Repeat it\n  ${COMMAND}\n`,
    '  paycli faults add duplicate --events payment.succeeded --times 1\n',
    '1 problem found in 1 run with faults (2.3 s)\n',
    'Not explored: 1 run with faults, because the problem ended the exploration. For all problems: --all\n',
  ])
    assert.ok(text.includes(part), `${part}\nis missing in\n${text}`)
  assert.not.match(text, /Last output of the app/)
})

test('states that no webhook was explored when the app received no event', () => {
  const textOf = (deliveries: RunRecord['deliveries']) => {
    const baseline = createBaseline([recordWith({ deliveries })])
    return formatExploration({ ...EXPLORATION, baseline }, { style, width: 500, replayCommand: null })
  }
  assert.match(textOf([]), 'Not explored: webhooks, because the app received no event.')
  assert.not.match(textOf([deliveryWith({})]), 'Not explored: webhooks')
})

test('advises --reset for values that differ without faults', () => {
  const textOf = (first: string, second = first) => {
    const [one, other] = [first, second].map((observation) => recordWith({ outcome: { observation } }))
    const baseline = createBaseline([one ?? RECORD, other ?? RECORD])
    return formatExploration({ ...EXPLORATION, baseline }, { style, width: 300, replayCommand: null })
  }
  assert.match(textOf('["a"]', '["a","b"]'), /Not compared: .+ differ without faults.+--reset/)
  const logs = '{"event_log":["payment.succeeded"],"orders":1}'
  const text = textOf(logs)
  assert.match(text, 'Not compared, as counters or logs of webhooks: event_log.')
  assert.not.match(text, 'without faults. If')
  assert.not.match(textOf('["a"]', '["a"]'), /Not compared: [^p]/)
})

test('reports the run that ended the exploration early', () => {
  const failure = { schedule: [KILLED], message: 'The app did not listen\u001b[2J.' }
  const text = formatExploration({ ...EXPLORATION, failure }, { style, width: 500, replayCommand: null })
  assert.match(text, /The exploration ended early, because a run failed \(.+\): The app did not listen/)
  assert.not.ok(text.includes('\u001b'))
  assert.not.match(text, /Not explored/)
})

function textOf(fields: Partial<ExplorationResult>): string {
  const options = { style, width: 100, replayCommand: null }
  return formatExploration({ ...EXPLORATION, ...fields }, options)
}

test('reports that a problem is a race if it did not occur in every run', () => {
  const [finding] = EXPLORATION.findings
  assert.ok(finding)
  const race = 'This is a race: the app ended differently in 2 of 3 runs.'
  assert.ok(textOf({ findings: [{ ...finding, occurrences: { failed: 2, runs: 3 } }] }).includes(race))
  assert.not.ok(textOf({}).includes('race'))
})

test('does not count a difference that is not confirmed as a problem', () => {
  const unconfirmed = [findingWith({ record: RECORD, isConfirmed: false })]
  const text = textOf({ findings: [], unconfirmed, explored: [exploredWith({ result: 'not_confirmed' })] })
  const [heading, schedule] = text.split('\n')
  assert.is(heading, 'Not confirmed')
  assert.match(schedule ?? '', /^ {2}The first delivery of payment\.succeeded arrived twice/)
  assert.match(text, '\nNo confirmed problems found, but only 1 of 2 runs with faults were tried (2.3 s)\n')
  assert.match(text, /duplicate \(sequential\) +0 +0 +0 +1\n/)
  const prose = text.replaceAll(/\s+/g, ' ')
  assert.is(prose.split('orders: 2 entries instead of 1').length, 2)
  assert.match(
    prose,
    'before the confirmation: the app ended differently in 1 of 1 run. For more time: `--time 5m`',
  )
})

test('counts the single faults that were not tried one by one', () => {
  const fields = { findings: [], skipped: [], notTriedAlone: [[KILLED]], notTriedWithoutEffect: [[KILLED]] }
  const text = textOf(fields).replaceAll(/\s+/g, ' ')
  assert.match(
    text,
    'one by one: 1 passed in a run with all faults of the same type, 1 at events without an effect',
  )
  assert.not.match(text, 'Not explored')
})

test('names other faults with the same result', () => {
  const findings = [findingWith({ record: RECORD, alsoAfter: [[KILLED]] })]
  assert.match(
    textOf({ findings }),
    /of 1.*\n {2}The same difference occurs when: The app was killed right before/,
  )
})

test('reports the number of runs in which a replay found a problem', () => {
  const explored = [exploredWith({ result: 'not_reproducible', occurrences: { failed: 1, runs: 5 } })]
  const text = textOf({ isReplay: true, findings: [], explored })
  assert.match(text, /^The replay found a problem in only 1 of 5 runs\.\nThe problem is a race, or/)
  assert.match(textOf({ isReplay: true }), /The replay found the problem again\./)
  const two = [exploredWith({}), exploredWith({ schedule: [KILLED], result: 'passed' })]
  const both = textOf({ isReplay: true, explored: two }).replaceAll(/\s+/g, ' ')
  assert.match(both, 'The replay found 1 of 2 problems again.')
  assert.match(
    both,
    'and started again: The replay found no problem. The app ends in the same state as without faults.',
  )
  const passed = [exploredWith({ result: 'passed' })]
  assert.match(textOf({ isReplay: true, findings: [], explored: passed }), /^The replay found no problem\./)
})

test('reports schedules whose scenario failed, and how a replay ended differently', () => {
  const allowedDifferences = ['the scenario failed: exit code 1']
  const aborted = [exploredWith({ result: 'aborted', allowedDifferences })]
  const text = textOf({ findings: [], explored: aborted }).replaceAll(/\s+/g, ' ')
  assert.match(text, 'Not conclusive: the scenario failed in 1 run with faults (The first delivery of')
  assert.match(text, 'exit code 1). After a fault on a request or a restart, the scenario must repeat')
  const replayed = textOf({ isReplay: true, findings: [], explored: aborted })
  assert.match(replayed, /^The replay is not conclusive, because the scenario failed\./)
  const passed = [exploredWith({ result: 'passed', allowedDifferences: ['orders: no entries instead of 1'] })]
  const other = textOf({ isReplay: true, findings: [], explored: passed })
  assert.match(
    other,
    'The app ends in a different state, as expected after a failed request: orders: no entries',
  )
})

test('reports in the first line that most schedules were not tried', () => {
  const skipped = Array.from({ length: 21 }, () => [KILLED])
  const text = formatExploration(
    { ...EXPLORATION, findings: [], skipped },
    { style, width: 80, replayCommand: null },
  )
  assert.match(text, 'No problems found, but only 1 of 22 runs with faults were tried (2.3 s)\n')
})

test('the report fits terminals of 80 and 60 columns', () => {
  const long = { ...DIFFERENCE, text: `orders: ${'extra entry '.repeat(20)}` }
  const findings = EXPLORATION.findings.map((finding) => ({ ...finding, differences: [long] }))
  for (const width of [80, 60]) {
    const text = formatExploration({ ...EXPLORATION, findings }, { style, width, replayCommand: COMMAND })
    for (const line of text.split('\n')) assert.ok(line.length <= width, line)
  }
})

test('shows the escaped last output of a crashed app, and no commands without a replay command', () => {
  const crashed = { ...RECORD, outcome: { ...RECORD.outcome, hasCrashed: true } }
  const findings = [findingWith({ schedule: [KILLED], record: crashed })]
  const text = formatExploration({ ...EXPLORATION, findings }, { style, width: 80, replayCommand: null })
  assert.match(text, /Last output of the app\n {2}started\n {2}TypeError: \\u001b\[2J\n/)
  assert.not.match(text, /Repeat it|faults add/)
})

test('colors only differences and lines with faults', () => {
  const text = formatExploration(EXPLORATION, { style: createStyle(true), width: 80, replayCommand: null })
  assert.ok(text.includes('\u001b[31m  orders: 2 entries'))
  assert.ok(text.includes('\u001b[33m  1.23 s'))
  assert.match(text, /\n {2}0\.00 s {2}app -> API/)
})

test.run()
