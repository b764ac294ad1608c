import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createConnection } from 'node:net'
import type { FaultSchedule, ScheduledFault } from '../../../../src/cli/explore/model/schedule.ts'
import { forwardApiRequest } from '../../../../src/cli/explore/run/api-proxy.ts'
import { openProxyServer } from '../../../../src/cli/explore/run/local-servers.ts'
import { createRunRecorder } from '../../../../src/cli/explore/run/run-recorder.ts'
import { closeServer, listenLocally } from '../../../../src/cli/webhook-tools/local-server.ts'
import { assert, suite } from '../../../support/suite.ts'
import { runWith } from '../sample-runs.ts'

const test = suite('cli/explore/api-proxy')

let api: Server
let apiBase: string
let react: (request: IncomingMessage, response: ServerResponse) => void

test.before(async () => {
  api = createServer((request, response) => react(request, response))
  apiBase = `http://127.0.0.1:${await listenLocally(api)}`
})

test.after(() => closeServer(api))

/** Sends a request through the proxy and resolves with everything that the app reads from its connection. */
async function send(schedule: FaultSchedule = [], path = '/v1/customers') {
  const recorder = createRunRecorder(schedule, () => 0)
  let restarts = 0
  const app = {
    restart: async () => {
      restarts += 1
    },
  }
  const passed: string[] = []
  const barrier = { pass: async (operation: string) => void passed.push(operation) }
  const steps: string[] = []
  const quiescence = {
    async waitUntilDelivered() {
      // The app would detect a closed connection before this request settles.
      await fetch(apiBase).catch(() => null)
      steps.push('delivered')
    },
  }
  const run = runWith({ apiBase, recorder, app, barrier, quiescence })
  const proxy = await openProxyServer((request, response) => forwardApiRequest(request, response, run))
  const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(proxy.url).port) })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  const body = '{"email":"ada@example.com"}'
  const head = ['Host: api', 'Idempotency-Key: key_1', 'Connection: close', `Content-Length: ${body.length}`]
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
  await once(socket, 'close')
  steps.push('closed')
  await proxy.close()
  return { received: Buffer.concat(chunks).toString('utf8'), recorder, restarts, passed, steps }
}

function fault(type: ScheduledFault['fault'], options: ScheduledFault['options'] = {}): ScheduledFault {
  return {
    fault: type,
    at: { kind: 'request', operation: 'customers.create', occurrence: 1 },
    options,
  }
}

test('forwards a request unchanged and records it', async () => {
  let seen = ''
  react = async (request, response) => {
    for await (const chunk of request) seen += chunk
    response.writeHead(201, { 'X-Own': 'yes' }).end(`${request.headers['paycli-fault']}`)
  }
  const { received, recorder, passed } = await send()
  assert.match(received, /^HTTP\/1\.1 201 .*x-own: yes.*undefined/is)
  assert.equal(passed, ['customers.create'])
  assert.is(seen, '{"email":"ada@example.com"}')
  assert.equal(recorder.requests, [
    {
      ...{ point: { kind: 'request', operation: 'customers.create', occurrence: 1 }, method: 'POST' },
      ...{ path: '/v1/customers', idempotencyKey: 'key_1', status: 201, fault: null, atMs: 0 },
    },
  ])
})

test('adds the header of a scheduled fault', async () => {
  react = (request, response) => response.end(request.headers['paycli-fault'])
  const scheduled = fault('error', { http_status: 503, retry_after: 2 })
  const { received, recorder } = await send([scheduled])
  assert.match(received, 'error; http_status=503; retry_after=2')
  assert.equal([...recorder.applied], [scheduled])
  assert.is(recorder.requests[0]?.fault, 'error')
})

test('does not apply a fault of another operation', async () => {
  react = (request, response) => response.end(String(request.headers['paycli-fault']))
  const { received, recorder } = await send([fault('error')], '/v1/payments')
  assert.match(received, 'undefined')
  assert.is(recorder.applied.size, 0)
})

test('closes the connection to the app when the API closes its connection', async () => {
  react = (request) => void request.socket.destroy()
  const { received, recorder } = await send()
  assert.is(received, '')
  assert.is(recorder.requests[0]?.status, null)
})

test('closes the connection of a lost response after the deliveries of its request', async () => {
  react = (request) => void request.socket.destroy()
  assert.equal((await send([fault('drop_response')])).steps, ['delivered', 'closed'])
  assert.equal((await send([fault('error')])).steps, ['closed'])
})

test('forwards a truncated response of the API as truncated', async () => {
  react = (_request, response) => {
    response.writeHead(200, { 'Content-Length': '100' })
    response.write('{"id":"cus', () => response.destroy())
  }
  const { received } = await send()
  assert.match(received, /content-length: 100.*\{"id":"cus$/is)
})

for (const [moment, requests] of [
  ['before', 0],
  ['after', 1],
] as const) {
  test(`kills the app ${moment} the API executes the request`, async () => {
    let executed = 0
    react = (seen, response) => {
      // The server does not support this fault and would reject it.
      if (seen.headers['paycli-fault'] === undefined) executed += 1
      response.end('{}')
    }
    const { received, recorder, restarts } = await send([fault('restart', { moment })])
    assert.equal([received, executed, restarts], ['', requests, 1])
    assert.is(recorder.requests[0]?.status, null)
  })
}

test.run()
