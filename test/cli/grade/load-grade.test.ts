import { gradeSampleLoad, listLoadFindings } from '../../../src/cli/grade/load-grade.ts'
import { createSampleEvent } from '../../../src/cli/webhook-tools/handler-check.ts'
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
  const findings = listLoadFindings({ responses, total: 100, plannedMs: 1000, durationMs })
  return findings.map(({ severity, problem }) => `${severity} ${problem}`)
}

test('accepts fast responses, and reports failures, slow responses and a low rate', () => {
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
  const [finding] = listLoadFindings({ responses, total: 100, plannedMs: 1000, durationMs: 1100 })
  assert.is(finding?.problem, '1 of 100 valid deliveries that arrive at the same time fail.')
  assert.match(finding?.fix ?? '', 'Do not share a connection or a transaction between requests')
  assert.match(finding?.evidence.join() ?? '', '1 × invoice.paid: 500')
})

test('sends a second and a third load to a handler that became slower, and reports the growth', async () => {
  const gradeHandler = async (durationMs: (sent: number) => number) => {
    let [sent, time] = [0, 0]
    const response = { http_status: 204, error: null, error_message: null, duration_ms: 1 }
    const tools = {
      newEventId: () => 'evt_1',
      createCases: () => [],
      sign: (url: string) => ({ url, headers: {}, body: 'event' }),
      send: async ({ body }: { readonly body: string }) => {
        time += body === 'event' ? durationMs(sent++) : 1
        return response
      },
    }
    const { signal } = new AbortController()
    const config = { rate: 1000, seconds: 0.2 }
    const handler = { url: 'http://localhost:1/hook', secret: '' }
    const options = { handler, tools, monotonicMs: () => time, signal, config }
    return { result: await gradeSampleLoad(createSampleEvent(0), options), sent: () => sent }
  }
  const growing = await gradeHandler((sent) => sent / 100)
  assert.is(growing.result.findings[0]?.id, 'growing')
  const steady = await gradeHandler(() => 3)
  assert.equal(steady.result.findings, [])
  assert.is(growing.sent() - steady.sent(), 2 * (200 + 80))
})

test.run()
