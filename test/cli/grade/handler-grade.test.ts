import { gradeHandler } from '../../../src/cli/grade/handler-grade.ts'
import type { HandlerTools } from '../../../src/cli/grade/handler-tools.ts'
import type { CheckResponse } from '../../../src/cli/webhook-tools/handler-check.ts'
import { createSampleEvent } from '../../../src/cli/webhook-tools/handler-check.ts'
import { createDeliveryRequest } from '../../../src/webhooks/delivery-request.ts'
import { createHandlerTestCases } from '../../../src/webhooks/handler-test-cases.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/grade/handler-grade')

const HANDLER = { url: 'http://localhost:1/hook', secret: `whsec_${'a'.repeat(32)}` }
const TIMEOUT = {
  http_status: null,
  error: 'timeout',
  error_message: 'No response.',
  duration_ms: 1,
} as const

/** Grades a handler that responds to the deliveries in turn, and returns the results and the number of deliveries. */
async function grade(respond: (turn: number) => CheckResponse) {
  let sent = 0
  const newEventId = () => 'evt_1'
  const tools: HandlerTools = {
    newEventId,
    createCases: (url, secret, event) =>
      createHandlerTestCases({ url, secret, event, newId: newEventId, now: 1 }),
    sign: (url, secret, event) => createDeliveryRequest(url, event, { secrets: [secret], timestamp: 1 }),
    send: async () => respond(sent++),
  }
  return { results: await gradeHandler(HANDLER, createSampleEvent(1), tools), sent: () => sent }
}

test('stops after three deliveries without a response, and takes no missing response for acceptance', async () => {
  const { results, sent } = await grade(() => TIMEOUT)
  assert.is(sent(), 3)
  const problems = results.flatMap(({ findings }) => findings.map(({ problem }) => problem))
  assert.equal(problems, ['No response.'])
})

test('joins the forgeries that a handler accepts', async () => {
  const accepted = { http_status: 204, error: null, error_message: null, duration_ms: 1 }
  const { results } = await grade(() => accepted)
  const [finding] = results[0]?.findings ?? []
  assert.equal([finding?.problem, finding?.severity], ['The handler verifies no signature.', 'high'])
  assert.equal(results[1]?.findings, [])
})

test.run()
