import { createStyle } from '../../../src/cli/output/style.ts'
import { judgeTrial, reportCheck, viewCheck } from '../../../src/cli/webhook-tools/handler-check.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/handler-check')

const taken = { name: 'valid', sent: 'an event', expected: 'taken', otherwise: 'Take it.' } as const
const refused = {
  name: 'bad_signature',
  sent: 'a forgery',
  expected: 'refused',
  otherwise: 'Verify it.',
} as const
const outcome = (http_status: number | null, error: string | null = null, duration_ms = 5) => ({
  http_status,
  error,
  error_message: error === null ? null : `It is ${error}.`,
  duration_ms,
})

for (const [trial, answered, hint] of [
  [taken, outcome(200), null],
  [taken, outcome(204), null],
  [taken, outcome(200, null, 5000), null],
  [taken, outcome(200, null, 5001), /took 5001 ms, more than 5000/],
  [taken, outcome(400, 'http_status'), /^Take it\.$/],
  [taken, outcome(500, 'http_status'), /^Take it\.$/],
  [taken, outcome(401, 'http_status'), /asks for credentials/],
  [taken, outcome(403, 'http_status'), /CSRF/],
  [taken, outcome(404, 'http_status'), /path of the url/],
  [taken, outcome(405, 'http_status'), /POST/],
  [taken, outcome(413, 'http_status'), /raise its limit/],
  [taken, outcome(302, 'redirect'), /It is redirect/],
  [taken, outcome(null, 'refused'), /It is refused/],
  [taken, outcome(200, 'timeout'), /It is timeout/],
  [refused, outcome(400, 'http_status'), null],
  [refused, outcome(401, 'http_status'), null],
  [refused, outcome(200), /^Verify it\.$/],
  [refused, outcome(500, 'http_status'), /answered 500.*Answer 400 instead/],
  [refused, outcome(null, 'reset'), /It is reset/],
] as const) {
  const status = answered.http_status ?? answered.error
  test(`${trial.name} answered ${status} in ${answered.duration_ms} ms ${hint === null ? 'passes' : `fails: ${hint}`}`, () => {
    const report = judgeTrial(trial, answered, 5000)
    assert.is(report.passed, hint === null)
    if (hint === null) assert.is(report.hint, null)
    else assert.match(report.hint ?? '', hint)
  })
}

test('the view has a line for each trial and says below what to do about one that failed', () => {
  const trials = [judgeTrial(taken, outcome(200), 5000), judgeTrial(refused, outcome(200), 5000)]
  const report = reportCheck('http://127.0.0.1:3000/', trials)
  assert.equal([report.passed, report.failed], [1, 1])
  assert.equal(viewCheck(report, createStyle(false)).split('\n'), [
    '✓ valid          200           5 ms  an event, to be taken',
    '✗ bad_signature  200           5 ms  a forgery, to be refused',
    '  Verify it.',
    '',
    '1 passed, 1 failed',
    '',
  ])
})

for (const status of [401, 404, 405]) {
  test(`what answers ${status} to everything has proven nothing about signatures`, () => {
    const answer = outcome(status, 'http_status')
    const trials = [judgeTrial(taken, answer, 5000), judgeTrial(refused, answer, 5000)]
    const report = reportCheck('http://127.0.0.1:3000/', trials)
    assert.equal([report.passed, report.failed, report.unproven], [0, 1, 1])
    assert.equal(
      report.trials.map(({ verdict, passed }) => [verdict, passed]),
      [
        ['failed', false],
        ['unproven', false],
      ],
    )
    const lines = viewCheck(report, createStyle(false)).split('\n')
    assert.match(lines[2] ?? '', /^\? bad_signature/)
    assert.match(lines[3] ?? '', /Not proven: nothing that is valid was taken either/)
    assert.is(lines.at(-2), '0 passed, 1 failed, 1 not proven')
  })
}

test('a forgery that is taken has failed, whatever became of the valid event', () => {
  const trials = [
    judgeTrial(taken, outcome(404, 'http_status'), 5000),
    judgeTrial(refused, outcome(200), 5000),
  ]
  assert.equal(reportCheck('http://x/', trials).trials[1]?.verdict, 'failed')
})

test('an answer to the valid event that only took too long proves that it was taken', () => {
  const trials = [
    judgeTrial(taken, outcome(200, null, 9000), 5000),
    judgeTrial(refused, outcome(400, 'http_status'), 5000),
  ]
  assert.equal(reportCheck('http://x/', trials).trials[1]?.verdict, 'passed')
})

test.run()
