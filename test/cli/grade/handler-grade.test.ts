import { findUnresponsiveHandler, gradeHandler } from '../../../src/cli/grade/handler-grade.ts'
import type { CheckResponse, HandlerTestClient } from '../../../src/cli/webhook-tools/handler-check.ts'
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
const ACCEPTED = { http_status: 204, error: null, error_message: null, duration_ms: 1 } as const

/** Grades a handler that responds to the deliveries in turn, and returns the results and the number of deliveries. */
async function grade(respond: (turn: number) => CheckResponse) {
  const { tools, sent } = createTools(respond)
  return { results: await gradeHandler(HANDLER, createSampleEvent(1), tools), sent }
}

function createTools(respond: (turn: number) => CheckResponse) {
  let sent = 0
  const newEventId = () => 'evt_1'
  const tools: HandlerTestClient = {
    newEventId,
    createCases: (url, secret, event) =>
      createHandlerTestCases({ url, secret, event, newId: newEventId, now: 1 }),
    sign: (url, secret, event) => createDeliveryRequest(url, event, { secrets: [secret], timestamp: 1 }),
    send: async () => respond(sent++),
  }
  return { tools, sent: () => sent }
}

test('stops after three deliveries without a response, and does not treat a missing response as acceptance', async () => {
  const { results, sent } = await grade(() => TIMEOUT)
  assert.is(sent(), 3)
  const problems = results.flatMap(({ findings }) => findings.map(({ problem }) => problem))
  assert.equal(problems, ['No response.'])
})

test('tries again when the first delivery has no response, and reports a handler that never responds', async () => {
  const find = (respond: (turn: number) => CheckResponse) =>
    findUnresponsiveHandler(HANDLER, {
      ...{ event: createSampleEvent(1), tools: createTools(respond).tools, attempts: 2 },
    })
  assert.is(await find((turn) => (turn === 0 ? TIMEOUT : ACCEPTED)), null)
  const finding = await find(() => TIMEOUT)
  assert.equal([finding?.id, finding?.evidence.length], ['no_response', 1])
})

test('sends no more forgeries after a batch without a response', async () => {
  const validCases = createTools(() => ACCEPTED)
    .tools.createCases(HANDLER.url, HANDLER.secret, createSampleEvent(1))
    .filter(({ shouldAccept }) => shouldAccept)
  const { sent } = await grade((turn) => (turn < validCases.length ? ACCEPTED : TIMEOUT))
  assert.is(sent(), validCases.length + 8)
})

test('joins the forgeries that a handler accepts', async () => {
  const { results } = await grade(() => ACCEPTED)
  const [finding] = results[0]?.findings ?? []
  assert.equal([finding?.problem, finding?.severity], ['The handler verifies no signature.', 'high'])
  assert.equal(results[1]?.findings, [])
})

test.run()
