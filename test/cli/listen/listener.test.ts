import type { ServerResponse } from 'node:http'
import type { StreamReady } from '../../../src/api/resources/streams.ts'
import {
  type DeliveryOutcome,
  LEAVE_STREAM,
  type LeaveRequest,
  REPORT_RESULT,
} from '../../../src/cli/listen/delivery-process.ts'
import type { DeliveryProcess } from '../../../src/cli/listen/delivery-process-client.ts'
import { listen } from '../../../src/cli/listen/listener.ts'
import { createClient } from '../../../src/client/client.ts'
import type { ListenRecord } from '../../../src/client/listen-records.ts'
import { OUTCOME } from '../../support/delivery-outcome.ts'
import { assert, suite } from '../../support/suite.ts'
import { openWebhookServer } from '../../webhooks/webhook-server.ts'

const test = suite('cli/listener')

const TARGET = {
  webhook_endpoint: 'we_1',
  url: 'http://127.0.0.1:3000/',
  enabled_events: ['*'],
  status: 'enabled',
} as const
const OFFER = {
  delivery: 'whd_1',
  event: 'evt_1',
  webhook_endpoint: 'we_1',
  attempt: 1,
  trigger: 'automatic',
  request: { url: TARGET.url, headers: {}, body: '{"id":"evt_1"}' },
}

const frame = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

function readyOf(reader: string): StreamReady {
  return { reader, sequence: 0, database: 'a', webhook_secret: null, targets: [TARGET] }
}

/** Starts a service with readers r1, r2 and so on. The streams of the first `broken` readers end at once. */
async function serve(broken: number) {
  let count = 0
  const streams: ServerResponse[] = []
  const service = await openWebhookServer((request, response) => {
    if (request.method === 'POST') {
      response.end('{}')
      return
    }
    count += 1
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(frame('ready', readyOf(`r${count}`)))
    if (count > broken) streams.push(response)
    else response.end()
  })
  const requestsTo = (path: string) =>
    service.received.filter(({ url }) => url === path).map(({ body }) => JSON.parse(body))
  return { ...service, streams, requestsTo }
}

/** Starts a listener with a delivery process that responds on demand. */
function listenTo(port: number, finishTimeoutMs?: number) {
  const apiBase = `http://127.0.0.1:${port}`
  const stop = new AbortController()
  const sent = Promise.withResolvers<string>()
  const outcome = Promise.withResolvers<DeliveryOutcome>()
  const leaveRequests: (LeaveRequest | null)[] = []
  const deliveryProcess: DeliveryProcess = {
    send(delivery) {
      sent.resolve(delivery)
      return outcome.promise
    },
    markReported: () => {},
    setLeaveRequest: (request) => leaveRequests.push(request),
    close: () => {},
  }
  const records: ListenRecord[] = []
  const listened = listen({
    ...{
      apiBase,
      apiKey: undefined,
      client: createClient({ apiBase }),
      deliveryProcess,
      signal: stop.signal,
    },
    settings: { types: null, filter: [], forwardRules: [], headers: {} },
    onRecord: (record) => records.push(record),
    ...(finishTimeoutMs === undefined ? {} : { finishTimeoutMs }),
  })
  return {
    listened,
    records,
    leaveRequests,
    sent: sent.promise,
    answer: outcome.resolve,
    stop: () => stop.abort(),
  }
}

test('sends a leave request for the lost connection after a reconnect, and passes the new reader to the delivery process', async () => {
  const service = await serve(1)
  const { listened, leaveRequests, stop } = listenTo(service.port)
  await service.waitFor(3)
  assert.equal(service.requestsTo(LEAVE_STREAM.path), [{ reader: 'r1' }])
  assert.equal(leaveRequests, [{ reader: 'r1' }, { reader: 'r2' }])
  stop()
  await listened
  await service.close()
})

test('finishes running deliveries and sends a leave request when it is stopped', async () => {
  const service = await serve(0)
  const { listened, records, leaveRequests, sent, answer, stop } = listenTo(service.port)
  await service.waitFor(1)
  service.streams[0]?.write(frame('offer', OFFER))
  assert.is(await sent, 'whd_1')
  stop()
  answer(OUTCOME)
  await listened
  assert.ok(records.some(({ type }) => type === 'delivery'))
  assert.equal(service.requestsTo(REPORT_RESULT.path), [{ delivery: 'whd_1', ...OUTCOME }])
  assert.equal(service.requestsTo(LEAVE_STREAM.path), [{ reader: 'r1', webhook_endpoints: ['we_1'] }])
  assert.equal(leaveRequests.at(-1), null)
  await service.close()
})

test('leaves running deliveries and the leave request to the delivery process after the timeout', async () => {
  const service = await serve(0)
  const { listened, leaveRequests, sent, stop } = listenTo(service.port, 0)
  await service.waitFor(1)
  service.streams[0]?.write(frame('offer', OFFER))
  await sent
  stop()
  await listened
  assert.equal([service.requestsTo(REPORT_RESULT.path), service.requestsTo(LEAVE_STREAM.path)], [[], []])
  assert.equal(leaveRequests.at(-1), { reader: 'r1', webhook_endpoints: ['we_1'] })
  await service.close()
})

test.run()
