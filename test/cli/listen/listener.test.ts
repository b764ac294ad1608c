import type { ServerResponse } from 'node:http'
import type { StreamReady } from '../../../src/api/resources/streams.ts'
import { type Farewell, LEAVE, type Outcome, RESULTS } from '../../../src/cli/listen/delivery-process.ts'
import type { DeliveryProcess } from '../../../src/cli/listen/delivery-process-client.ts'
import { listen } from '../../../src/cli/listen/listener.ts'
import { createClient } from '../../../src/client/client.ts'
import type { ListenRecord } from '../../../src/client/listen-records.ts'
import { assert, suite } from '../../support/suite.ts'
import { openReceiver } from '../../webhooks/receiver.ts'
import { OUTCOME } from '../output/result-summary.ts'

const test = suite('cli/listening')

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

/** A service whose readers are called r1, r2 and so on; the stream of the first `broken` ends at once. */
async function serve(broken: number) {
  let count = 0
  const streams: ServerResponse[] = []
  const service = await openReceiver((request, response) => {
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
  const said = (path: string) =>
    service.received.filter(({ url }) => url === path).map(({ body }) => JSON.parse(body))
  return { ...service, streams, said }
}

/** Listens with a carrier that sends nothing until it is told to. */
function listenTo(port: number, patienceMs?: number) {
  const apiBase = `http://127.0.0.1:${port}`
  const stop = new AbortController()
  const sent = Promise.withResolvers<string>()
  const outcome = Promise.withResolvers<Outcome>()
  const farewells: (Farewell | null)[] = []
  const carrier: DeliveryProcess = {
    send(delivery) {
      sent.resolve(delivery)
      return outcome.promise
    },
    reported: () => {},
    farewell: (farewell) => farewells.push(farewell),
    close: () => {},
  }
  const records: ListenRecord[] = []
  const listened = listen({
    ...{ apiBase, apiKey: undefined, client: createClient({ apiBase }), carrier, signal: stop.signal },
    listening: { types: null, filter: [], forwarding: [], headers: {}, after: undefined },
    onRecord: (record) => records.push(record),
    ...(patienceMs === undefined ? {} : { patienceMs }),
  })
  return {
    listened,
    records,
    farewells,
    sent: sent.promise,
    answer: outcome.resolve,
    stop: () => stop.abort(),
  }
}

test('a listener that comes back says that the reader it was is gone, and its carrier knows who it is', async () => {
  const service = await serve(1)
  const { listened, farewells, stop } = listenTo(service.port)
  await service.has(3)
  assert.equal(service.said(LEAVE.path), [{ reader: 'r1' }])
  assert.equal(farewells, [{ reader: 'r1' }, { reader: 'r2' }])
  stop()
  await listened
  await service.close()
})

test('one that is stopped finishes what is on its way and leaves for good', async () => {
  const service = await serve(0)
  const { listened, records, farewells, sent, answer, stop } = listenTo(service.port)
  await service.has(1)
  service.streams[0]?.write(frame('offer', OFFER))
  assert.is(await sent, 'whd_1')
  stop()
  answer(OUTCOME)
  await listened
  assert.ok(records.some(({ type }) => type === 'delivery'))
  assert.equal(service.said(RESULTS.path), [{ delivery: 'whd_1', ...OUTCOME }])
  assert.equal(service.said(LEAVE.path), [{ reader: 'r1', webhook_endpoints: ['we_1'] }])
  assert.equal(farewells.at(-1), null)
  await service.close()
})

test('what takes too long is left to the carrier, and so is the farewell', async () => {
  const service = await serve(0)
  const { listened, farewells, sent, stop } = listenTo(service.port, 0)
  await service.has(1)
  service.streams[0]?.write(frame('offer', OFFER))
  await sent
  stop()
  await listened
  assert.equal([service.said(RESULTS.path), service.said(LEAVE.path)], [[], []])
  assert.equal(farewells.at(-1), { reader: 'r1', webhook_endpoints: ['we_1'] })
  await service.close()
})

test.run()
