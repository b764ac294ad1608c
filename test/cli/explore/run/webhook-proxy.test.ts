import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { FaultSchedule, ScheduledFault } from '../../../../src/cli/explore/model/schedule.ts'
import { openProxyServer } from '../../../../src/cli/explore/run/local-servers.ts'
import { createRunRecorder } from '../../../../src/cli/explore/run/run-recorder.ts'
import { forwardWebhook } from '../../../../src/cli/explore/run/webhook-proxy.ts'
import { closeServer, listenLocally } from '../../../../src/cli/webhook-tools/local-server.ts'
import { assert, suite } from '../../../support/suite.ts'
import { runWith } from '../sample-runs.ts'

const test = suite('cli/explore/webhook-proxy')

const EVENT = { id: 'evt_1', type: 'invoice.paid', data: { object: { object: 'invoice', status: 'paid' } } }
const POINT = { kind: 'delivery', event_type: 'invoice.paid', occurrence: 1 } as const
const CONCURRENT: ScheduledFault = {
  fault: 'duplicate',
  at: POINT,
  options: { copies: 3, order: 'concurrent' },
}

let handler: Server
let target: string
let handle: (request: IncomingMessage, response: ServerResponse) => void

test.before(async () => {
  handler = createServer((request, response) => handle(request, response))
  target = `http://127.0.0.1:${await listenLocally(handler)}/hook?shop=1`
})

test.after(() => closeServer(handler))

/** Sends a webhook through the proxy; the status is null if the connection was closed. */
async function deliver(schedule: FaultSchedule = []) {
  const recorder = createRunRecorder(schedule, () => 0)
  const calls: string[] = []
  const app = {
    restart: async () => void calls.push('restart'),
    waitUntilReady: async () => {},
  }
  const barrier = {
    raise(copies: number) {
      calls.push(`raise ${copies}`)
      return () => void calls.push('lower')
    },
  }
  const run = runWith({
    target: () => target,
    recorder,
    app,
    barrier,
    stateWatch: { observe: async () => {} },
  })
  const proxy = await openProxyServer((request, response) => forwardWebhook(request, response, run))
  const status = await fetch(proxy.url, { method: 'POST', body: JSON.stringify(EVENT) }).then(
    (response) => response.status,
    () => null,
  )
  await proxy.close()
  return { status, recorder, calls, statuses: recorder.deliveries.map((one) => [one.status, one.fault]) }
}

test('forwards a webhook to the URL of the app and records it', async () => {
  const seen: unknown[] = []
  handle = async (request, response) => {
    seen.push([request.method, request.url, JSON.parse(await text(request))])
    response.writeHead(204).end()
  }
  const { status, recorder, calls } = await deliver()
  assert.equal([status, calls, seen], [204, [], [['POST', '/hook?shop=1', EVENT]]])
  assert.equal(recorder.deliveries, [
    {
      ...{ point: POINT, event: 'evt_1', summary: 'invoice paid', status: 204, durationMs: 0 },
      ...{ fault: null, atMs: 0 },
    },
  ])
})

test('forwards concurrent copies without waiting for the response to an earlier copy', async () => {
  const bodies: string[] = []
  const responses: ServerResponse[] = []
  handle = async (request, response) => {
    bodies.push(await text(request))
    responses.push(response)
    if (responses.length === 3) for (const one of responses) one.writeHead(200).end()
  }
  const { status, statuses, calls, recorder } = await deliver([CONCURRENT])
  assert.equal(bodies, Array(3).fill(JSON.stringify(EVENT)))
  assert.equal([status, calls], [200, ['raise 3', 'lower']])
  assert.equal(statuses, Array(3).fill([200, 'duplicate']))
  assert.equal([...recorder.applied], [CONCURRENT])
})

test('returns the response to the first copy, independent of the responses to other copies', async () => {
  let count = 0
  handle = async (request, response) => {
    count += 1
    if (count === 1) response.writeHead(503).end('busy')
    else if (count === 2) request.socket.destroy()
    else response.writeHead(200).end()
  }
  const { status, statuses } = await deliver([CONCURRENT])
  assert.is(status, 503)
  assert.equal(
    statuses.map(([one]) => one),
    [503, null, 200],
  )
})

test('closes the connection to the server when the app refuses its connection', async () => {
  const [wasAt, closed] = [target, createServer()]
  target = `http://127.0.0.1:${await listenLocally(closed)}/hook`
  await closeServer(closed)
  const { status, statuses, calls } = await deliver([CONCURRENT])
  target = wasAt
  assert.is(status, null)
  assert.equal(statuses, Array(3).fill([null, 'duplicate']))
  assert.equal(calls, ['raise 3', 'lower'])
})

test('sends concurrent copies only of the scheduled occurrence, and no sequential copies', async () => {
  handle = (_request, response) => response.end()
  for (const one of [
    { ...CONCURRENT, at: { ...POINT, occurrence: 2 } },
    { ...CONCURRENT, options: { copies: 3, order: 'sequential' } as const },
  ])
    assert.equal((await deliver([one])).statuses, [[200, null]])
})

for (const [moment, expected] of [
  ['before', { status: null, received: 0 }],
  ['after', { status: null, received: 1 }],
  ['acknowledged', { status: 200, received: 1 }],
] as const) {
  test(`kills the app at the moment '${moment}' of a delivery`, async () => {
    let received = 0
    handle = (_request, response) => {
      received += 1
      response.end()
    }
    const { status, calls } = await deliver([{ fault: 'restart', at: POINT, options: { moment } }])
    assert.equal({ status, received }, expected)
    assert.equal(calls, ['restart'])
  })
}

test.run()
