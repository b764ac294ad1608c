import { createStyle } from '../../../src/cli/output/style.ts'
import {
  createCheckReport,
  evaluateCase,
  formatCheckReport,
} from '../../../src/cli/webhook-tools/handler-check.ts'
import type { DeliveryError } from '../../../src/domain/events/webhook-deliveries.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/handler-check')
const VIEW = { style: createStyle(false), width: Infinity }

const accepted = { name: 'valid', description: 'an event', shouldAccept: true, advice: 'Take it.' }
const rejected = {
  name: 'bad_signature',
  description: 'a forgery',
  shouldAccept: false,
  advice: 'Verify it.',
}
const response = (http_status: number | null, error: DeliveryError | null = null, duration_ms = 5) => ({
  http_status,
  error,
  error_message: error === null ? null : `It is ${error}.`,
  duration_ms,
})
type Received = ReturnType<typeof response>

const evaluate = (testCase: Parameters<typeof evaluateCase>[0], received: Received) =>
  evaluateCase(testCase, received, { slowMs: 5000 })

/** Returns the report of a handler with these responses to the accepted and the rejected delivery. */
const reportOf = (first: Received, second: Received, testCases = [accepted, rejected]) =>
  createCheckReport(
    'http://127.0.0.1:3000/',
    testCases.map((one, index) => evaluate(one, index === 0 ? first : second)),
  )

for (const [testCase, received, hint] of [
  [accepted, response(200), null],
  [accepted, response(204), null],
  [accepted, response(200, null, 5000), null],
  [accepted, response(200, null, 5001), /took 5001 ms, more than 5000 ms/],
  [
    accepted,
    response(400, 'http_status'),
    /^Take it\. To set PAYCLI_WEBHOOK_SECRET .*npx paycli status --write \.env/,
  ],
  [accepted, response(500, 'http_status'), /^The handler fails with 500 for a valid event: see its log, /],
  [accepted, response(401, 'http_status'), /requires credentials/],
  [accepted, response(403, 'http_status'), /CSRF/],
  [accepted, response(404, 'http_status'), /path of the URL/],
  [accepted, response(405, 'http_status'), /POST/],
  [accepted, response(413, 'http_status'), /increase the body limit/],
  [accepted, response(302, 'redirect'), /It is redirect/],
  [accepted, response(null, 'refused'), /It is refused/],
  [accepted, response(200, 'timeout'), /It is timeout/],
  [rejected, response(400, 'http_status'), null],
  [rejected, response(401, 'http_status'), null],
  [rejected, response(200), /^Verify it\.$/],
  [rejected, response(500, 'http_status'), /failed with 500: return 400 instead/],
  [rejected, response(null, 'reset'), /It is reset/],
] as const) {
  const status = received.http_status ?? received.error
  test(`${hint === null ? 'passes' : 'fails'} the ${testCase.name} test case for the response ${status} in ${received.duration_ms} ms${hint === null ? '' : ` with the hint ${hint}`}`, () => {
    const report = evaluate(testCase, received)
    assert.is(report.passed, hint === null)
    if (hint === null) assert.is(report.hint, null)
    else assert.match(report.hint ?? '', hint)
  })
}

for (const status of [401, 403]) {
  test(`returns the advice of the test case for ${status} when the handler has accepted a delivery`, () => {
    const options = { slowMs: 5000, hasAccepted: true }
    assert.is(evaluateCase(accepted, response(status, 'http_status'), options).hint, 'Take it.')
  })
}

test('passes a handler with a warning when it accepts a delivery that common verifiers accept', () => {
  const lenient = { ...rejected, name: 'future', isWarning: true }
  const report = reportOf(response(200), response(200), [accepted, lenient])
  assert.equal([report.passed, report.warnings, report.failed, report.unproven], [2, 1, 0, 0])
  assert.equal(
    report.trials.map(({ verdict, passed, hint }) => [verdict, passed, hint]),
    [
      ['passed', true, null],
      ['warning', true, 'Verify it.'],
    ],
  )
  assert.match(
    formatCheckReport(report, VIEW),
    /\n! future .*\n {2}Verify it\.\n\n2 passed, 0 failed, 1 warning\n$/,
  )
})

test('a response of 500 fails a test case even if acceptance would only be a warning', () => {
  const lenient = { ...rejected, isWarning: true }
  assert.is(evaluate(lenient, response(500, 'http_status')).verdict, 'failed')
})

test('prints the test cases with a hint below each failure, wrapped at the width of the terminal', () => {
  const report = reportOf(response(200), response(200))
  assert.equal([report.passed, report.failed], [1, 1])
  assert.equal(formatCheckReport(report, VIEW).split('\n'), [
    '✓ valid          200           5 ms  an event, must be accepted',
    '✗ bad_signature  200           5 ms  a forgery, must be rejected',
    '  Verify it.',
    '',
    'Posted to http://127.0.0.1:3000/',
    '1 passed, 1 failed',
    '',
  ])
  assert.equal(
    formatCheckReport(report, { ...VIEW, width: 60 })
      .split('\n')
      .slice(0, 4),
    [
      '✓ valid          200           5 ms',
      '✗ bad_signature  200           5 ms  a forgery, must be',
      '                                     rejected',
      '  Verify it.',
    ],
  )
})

for (const status of [401, 404, 405]) {
  test(`reports rejection tests as unproven when the handler returns ${status} for every request`, () => {
    const status4xx = response(status, 'http_status')
    const report = reportOf(status4xx, status4xx)
    assert.equal([report.passed, report.failed, report.unproven], [0, 1, 1])
    assert.equal(
      report.trials.map(({ verdict, passed }) => [verdict, passed]),
      [
        ['failed', false],
        ['unproven', false],
      ],
    )
    const lines = formatCheckReport(report, VIEW).split('\n')
    const at = lines.findIndex((line) => line.startsWith('? Not proven, because the handler rejects'))
    assert.is(lines[at + 1], '  bad_signature')
    assert.is(lines.at(-2), '0 passed, 1 failed, 1 not proven')
  })
}

/** Returns the verdicts of the test cases after the first, whose delivery gets the first response. */
function verdictsAfter(first: Received, others: readonly (readonly [typeof accepted, Received])[]): string[] {
  const all = [[accepted, first] as const, ...others]
  const report = createCheckReport(
    'http://127.0.0.1:3000/',
    all.map(([testCase, received]) => evaluate(testCase, received)),
  )
  return report.trials.slice(1).map(({ verdict }) => verdict)
}

const other = { ...accepted, name: 'whitespace', advice: 'The handler trims the body.' }
const duplicate = { ...accepted, name: 'duplicate' }
const refused = response(400, 'http_status')
const failed = response(500, 'http_status')

test('marks other rejected deliveries as unproven when the handler rejects the valid delivery, and prints why once', () => {
  const report = reportOf(refused, refused, [accepted, duplicate, other, rejected])
  assert.equal([report.passed, report.failed, report.unproven], [0, 1, 3])
  const text = formatCheckReport(report, VIEW)
  assert.is(text.split('Not proven').length, 2)
  assert.match(text, /\n {2}duplicate, whitespace, bad_signature\n/)
  assert.not.match(text, 'trims the body')
})

for (const [name, first, others, verdicts] of [
  ['another status of a rejection', refused, [[other, failed]], ['unproven']],
  ['a status with its own meaning', refused, [[other, response(413, 'http_status')]], ['failed']],
  ['no response', refused, [[other, response(null, 'reset')]], ['failed']],
  ['an accepted delivery', refused, [[other, response(200)]], ['passed']],
  ['a forgery that fails as the valid delivery does', failed, [[rejected, failed]], ['unproven']],
  ['a forgery that fails in another way', refused, [[rejected, failed]], ['failed']],
  [
    'only one unusual delivery is accepted',
    refused,
    [
      [other, response(200)],
      [rejected, refused],
    ],
    ['passed', 'unproven'],
  ],
  [
    'the same delivery is accepted later',
    failed,
    [
      [duplicate, response(200)],
      [other, refused],
      [rejected, refused],
    ],
    ['passed', 'failed', 'passed'],
  ],
] as const) {
  test(`after a rejected valid delivery, reports ${verdicts.join(', ')}: ${name}`, () => {
    assert.equal(verdictsAfter(first, others), [...verdicts])
  })
}

test('reports an accepted forgery as failed, even if the handler rejects the valid event', () => {
  assert.is(reportOf(response(404, 'http_status'), response(200)).trials[1]?.verdict, 'failed')
})

test('refers to the failure that explains others, and keeps the advice of independent failures', () => {
  const names = ['valid', 'formatting', 'unicode', 'large_unicode', 'future_paycli']
  const statuses = [200, 400, 400, 413, 400]
  const report = createCheckReport(
    'http://127.0.0.1:3000/',
    names.map((name, index) =>
      evaluateCase({ ...accepted, name }, response(statuses[index] ?? null), {
        slowMs: 5000,
        hasAccepted: true,
      }),
    ),
  )
  assert.equal(
    report.trials.map(({ verdict, hint, explained_by }) => [verdict, hint, explained_by]),
    [
      ['passed', null, null],
      ['failed', 'Take it.', null],
      ['failed', 'The failure of formatting explains this result too: fix that test first.', 'formatting'],
      ['failed', 'The body is too large for the handler: increase the body limit.', null],
      ['failed', 'Take it.', null],
    ],
  )
})

test('passes a rejection test when the handler accepts the valid event, but too slowly', () => {
  const report = reportOf(response(200, null, 9000), response(400, 'http_status'))
  assert.is(report.trials[1]?.verdict, 'passed')
})

test('names the URL of a handler that fails, and no endpoint where only a URL was given', () => {
  const refused = {
    ...response(null, 'refused'),
    error_message: 'Start it, or correct the url of the endpoint.',
  }
  const result = evaluate(accepted, refused)
  assert.is(result.hint, 'Start it, or correct the URL.')
  const text = formatCheckReport(createCheckReport('http://127.0.0.1:3777/', [result]), VIEW)
  assert.match(text, '\nPosted to http://127.0.0.1:3777/\n')
})

test.run()
