import {
  createDeliveryRunner,
  type DeliveryOutcome,
  type DeliveryProcessMessage,
  LEAVE_STREAM,
  type OutboundRequest,
  REPORT_RESULT,
} from '../../../src/cli/listen/delivery-process.ts'
import type { Client } from '../../../src/client/client.ts'
import { ConnectionError } from '../../../src/client/connection-error.ts'
import { OUTCOME } from '../../support/delivery-outcome.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/delivery-process')

const REQUEST: OutboundRequest = { url: 'http://127.0.0.1:3000/', headers: {}, body: '{}' }
const LEAVE_REQUEST = { reader: 'reader_1' }
const UNAVAILABLE = new ConnectionError('connection_lost', 'http://127.0.0.1:1', {
  problem: 'Lost',
  hint: 'Wait.',
})

const SHORT_OUTAGE = [UNAVAILABLE, UNAVAILABLE]
/** Longer than any of these tests takes. */
const TIMEOUT_MS = 30_000

const send = (delivery: string): DeliveryProcessMessage => ({ kind: 'send', delivery, request: REQUEST })

/** Starts a runner whose handler responds on demand, and whose service fails with these errors first. */
function start({
  failures = [],
  timeoutMs = TIMEOUT_MS,
}: {
  readonly failures?: readonly Error[]
  readonly timeoutMs?: number
} = {}) {
  const answers: (() => void)[] = []
  const [requests, results]: [unknown[], string[]] = [[], []]
  const left = [...failures]
  const client = {
    async send({ path }: { readonly path: string }, params: object) {
      const failure = left.shift()
      if (failure !== undefined) throw failure
      requests.push([path, params])
      return {}
    },
  } as unknown as Client
  const runner = createDeliveryRunner({
    client,
    send: () => new Promise((resolve) => answers.push(() => resolve(OUTCOME))),
    onResult: ({ delivery }) => results.push(delivery),
    ...{ retryPauseMs: 0, reportTimeoutMs: timeoutMs },
  })
  return { runner, answers, requests, results }
}

test('does not report a delivery result that the listener has already reported', async () => {
  const { runner, answers, requests, results } = start()
  const sent = runner.handle(send('whd_1'))
  answers[0]?.()
  await sent
  assert.equal(results, ['whd_1'])
  await runner.handle({ kind: 'reported', delivery: 'whd_1' })
  await runner.finish()
  assert.equal(requests, [])
})

test('finishes running deliveries, reports their results, and sends the leave request last', async () => {
  const { runner, answers, requests } = start()
  await runner.handle({ kind: 'leave', request: LEAVE_REQUEST })
  for (const delivery of ['whd_1', 'whd_2']) void runner.handle(send(delivery))
  answers[0]?.()
  const finished = runner.finish()
  answers[1]?.()
  await finished
  assert.equal(requests, [
    [REPORT_RESULT.path, { delivery: 'whd_1', ...OUTCOME }],
    [REPORT_RESULT.path, { delivery: 'whd_2', ...OUTCOME }],
    [LEAVE_STREAM.path, LEAVE_REQUEST],
  ])
})

test('sends no leave request after the listener clears it', async () => {
  const { runner, requests } = start()
  await runner.handle({ kind: 'leave', request: LEAVE_REQUEST })
  await runner.handle({ kind: 'leave', request: null })
  await runner.finish()
  assert.equal(requests, [])
})

test('retries the leave request while the service is unavailable, until the timeout, but not after an error response', async () => {
  for (const [failures, expected, timeoutMs] of [
    [SHORT_OUTAGE, null, TIMEOUT_MS],
    [Array.from({ length: 100_000 }, () => UNAVAILABLE), null, 20],
    [[new Error('rejected')], new Error('rejected'), TIMEOUT_MS],
  ] as const) {
    const { runner, requests } = start({ failures, timeoutMs })
    await runner.handle({ kind: 'leave', request: LEAVE_REQUEST })
    const error = await runner.finish().then(
      () => null,
      (thrown: Error) => thrown,
    )
    assert.is(error?.message, expected?.message)
    assert.equal(requests, failures === SHORT_OUTAGE ? [[LEAVE_STREAM.path, LEAVE_REQUEST]] : [])
  }
})

test('sends the remaining requests after the service rejects one', async () => {
  const { runner, answers, requests } = start({ failures: [new Error('rejected')] })
  await runner.handle({ kind: 'leave', request: LEAVE_REQUEST })
  for (const delivery of ['whd_1', 'whd_2']) void runner.handle(send(delivery))
  for (const answer of answers) answer()
  const message = await runner.finish().catch((error: Error) => error.message)
  assert.equal([message, requests.length], ['rejected', 2])
})

test('reports a request that cannot be sent as a failed delivery', async () => {
  const outcomes: DeliveryOutcome[] = []
  const runner = createDeliveryRunner({
    client: {} as Client,
    send: () => Promise.reject(new Error('invalid keep-alive header')),
    onResult: ({ outcome }) => outcomes.push(outcome),
  })
  await runner.handle(send('whd_1'))
  assert.equal(
    outcomes.map(({ error, error_message }) => [error, error_message]),
    [['connection', 'invalid keep-alive header']],
  )
})

test.run()
