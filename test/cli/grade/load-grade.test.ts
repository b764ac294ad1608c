import { judgeLoad } from '../../../src/cli/grade/load-grade.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/grade/load-grade')

/** Judges a load of 100 events in a planned second. */
function judge(durationMs: number, { status = 200, ms = 10, sent = 100 } = {}): string[] {
  const response = {
    http_status: status,
    error: null,
    error_message: null,
    duration_ms: ms,
    type: 'invoice.paid',
  }
  const responses = Array.from({ length: sent }, () => response)
  const findings = judgeLoad({ responses, total: 100, plannedMs: 1000, durationMs })
  return findings.map(({ severity, problem }) => `${severity} ${problem}`)
}

test('accepts fast answers, and reports failures, slow answers and a low rate', () => {
  assert.equal(judge(1100), [])
  assert.equal(judge(1100, { status: 503 }), ['high 100 of 100 valid deliveries fail under load.'])
  assert.match(judge(1100, { ms: 2000 }).join(), 'medium The app responds slowly under load')
  assert.equal(judge(4000, { sent: 80 }), ['medium The app handles only 20 events per second.'])
})

test('names overlapping requests as the cause of fast server errors', () => {
  const response = {
    http_status: 200,
    error: null,
    error_message: null,
    duration_ms: 10,
    type: 'invoice.paid',
  }
  const responses = [...Array.from({ length: 99 }, () => response), { ...response, http_status: 500 }]
  const [finding] = judgeLoad({ responses, total: 100, plannedMs: 1000, durationMs: 1100 })
  assert.is(finding?.problem, '1 of 100 valid deliveries that arrive at the same time fail.')
  assert.match(finding?.fix ?? '', 'Do not share a connection or a transaction between requests')
  assert.match(finding?.evidence.join() ?? '', '1 × invoice.paid: 500')
})

test('reports a response time that grows with each event', () => {
  const response = { http_status: 200, error: null, error_message: null, type: 'invoice.paid' }
  const responses = Array.from({ length: 100 }, (_, index) => ({ ...response, duration_ms: 5 + index }))
  const [finding] = judgeLoad({ responses, total: 100, plannedMs: 1000, durationMs: 1100 })
  assert.is(finding?.severity, 'medium')
  assert.is(finding?.problem, 'The response time grows with each event: 9 → 99 ms.')
})

test.run()
