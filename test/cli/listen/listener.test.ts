import type { ServerResponse } from 'node:http'
import { streamRoutes as routes } from '../../../src/api/operations/streams.ts'
import type { StreamReady } from '../../../src/api/resources/stream-messages.ts'
import type { DeliveryOutcome } from '../../../src/cli/listen/forwarder.ts'
import { listen } from '../../../src/cli/listen/listener.ts'
import { createClient } from '../../../src/client/client.ts'
import type { ListenOutputRecord } from '../../../src/client/listen-records.ts'
import { OUTCOME } from '../../support/delivery-outcome.ts'
import { assert, suite } from '../../support/suite.ts'
import { TARGET } from '../../tui/test-screen.ts'
import { openWebhookServer } from '../../webhooks/webhook-server.ts'

const test = suite('cli/listener')

const OFFER = {
  delivery: 'whd_1',
  event: 'evt_1',
  webhook_endpoint: 'we_1',
  attempt: 1,
  trigger: 'automatic',
  request: { url: TARGET.url, headers: {}, body: '{"id":"evt_1"}' },
}

/** The paths of the requests that a listener sends when it ends, in order. */
const REPORTS: readonly string[] = [routes.report.path, routes.leave.path]

const frame = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

function readyOf(reader: string): StreamReady {
  return { reader, sequence: 0, database: 'a', webhook_secret: null, targets: [TARGET] }
}

/** Starts a server with readers r1, r2 and so on. The streams of the first `broken` readers end immediately. */
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

/** Starts a listener whose targets respond on demand. */
function listenTo(port: number) {
  const apiBase = `http://127.0.0.1:${port}`
  const stop = new AbortController()
  const sent = Promise.withResolvers<void>()
  const outcome = Promise.withResolvers<DeliveryOutcome>()
  const records: ListenOutputRecord[] = []
  const reconnected = Promise.withResolvers<void>()
  const handleRecord = (record: ListenOutputRecord) => {
    records.push(record)
    const isReady = (one: ListenOutputRecord) => one.type === 'state' && one.state === 'ready'
    if (records.filter(isReady).length === 2) reconnected.resolve()
  }
  const listened = listen({
    ...{ apiBase, apiKey: undefined, client: createClient({ apiBase }), signal: stop.signal },
    send() {
      sent.resolve()
      return outcome.promise
    },
    settings: { types: null, filter: [], forwardRules: [], headers: {} },
    onRecord: handleRecord,
  })
  return {
    ...{ listened, records, sent: sent.promise, reconnected: reconnected.promise },
    answer: outcome.resolve,
    stop: () => stop.abort(),
  }
}

test('a stopped listener names the reader of its newest connection in the request to leave', async () => {
  const service = await serve(1)
  const { listened, reconnected, stop } = listenTo(service.port)
  await reconnected
  stop()
  await listened
  assert.equal(service.requestsTo(routes.leave.path), [{ reader: 'r2', webhook_endpoints: ['we_1'] }])
  await service.close()
})

test('finishes running deliveries, reports their results and leaves when it is stopped', async () => {
  const service = await serve(0)
  const { listened, records, sent, answer, stop } = listenTo(service.port)
  await service.waitFor(1)
  service.streams[0]?.write(frame('offer', OFFER))
  await sent
  stop()
  // Ten requests take long enough for a listener that does not wait to leave.
  for (let number = 0; number < 10; number += 1) await fetch(service.url, { method: 'POST' })
  assert.equal(service.requestsTo(routes.leave.path), [])
  answer(OUTCOME)
  await listened
  assert.ok(records.some(({ type }) => type === 'delivery'))
  assert.equal(
    service.received.map(({ url }) => url).filter((url) => REPORTS.includes(url)),
    REPORTS,
  )
  assert.equal(service.requestsTo(routes.report.path), [{ delivery: 'whd_1', ...OUTCOME }])
  assert.equal(service.requestsTo(routes.leave.path), [{ reader: 'r1', webhook_endpoints: ['we_1'] }])
  await service.close()
})

test.run()
