import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import {
  HTTP_SERVER_LIMITS,
  type HttpApp,
  type HttpListener,
  openHttpListener,
} from '../../../src/daemon/http/http-listener.ts'
import { StartupError } from '../../../src/domain/core/startup-error.ts'
import { type HttpResponse, sendRawText, sendRequest } from '../../support/raw-http.ts'
import { assert, suite } from '../../support/suite.ts'

const HOST = '127.0.0.1'
const LIMIT_MS = 10_000

const test = suite('daemon/http/http-listener')

const hello: HttpApp = {
  handle: (_request, response) => response.end('hello'),
  createErrorResponse: ({ code }) =>
    code === 'request_malformed'
      ? { status: 400, headers: { 'X-Own': 'yes' }, body: 'unreadable' }
      : { status: 429, headers: { 'X-Own': 'yes' }, body: 'crowded' },
}

const urlOf = ({ port }: HttpListener) => `http://${HOST}:${port}/`

/** Serves an app on a free port. */
async function serving(
  app: HttpApp = hello,
  limits: Partial<typeof HTTP_SERVER_LIMITS> = {},
): Promise<HttpListener> {
  const listener = await openHttpListener({ host: HOST, port: 0, flag: '--port', limits })
  listener.serve(app)
  return listener
}

/** Opens a connection; `closed` resolves when it is closed. */
async function connected({ port }: HttpListener) {
  const socket = connect(port, HOST)
  await once(socket, 'connect')
  // The server may reset the connection.
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket: socket.resume(), closed }
}

test('the error names the flag when the port is in use', async () => {
  const listener = await serving()
  const error = await openHttpListener({ host: HOST, port: listener.port, flag: '--checkout-port' }).catch(
    (thrown) => thrown,
  )
  assert.instance(error, StartupError)
  assert.is(error.code, 'port_taken')
  assert.match(error.message, `Port ${listener.port} on 127.0.0.1 is already in use`)
  assert.match(error.message, '--checkout-port <port>')
  await listener.close(LIMIT_MS)
})

test('does not report an address of another machine as a port in use', async () => {
  const error = await openHttpListener({ host: '192.0.2.1', port: 0, flag: '--port' }).catch(
    (thrown) => thrown,
  )
  assert.match(error.message, 'EADDRNOTAVAIL')
})

test('responds to requests that arrived before serve() was called', async () => {
  const listener = await openHttpListener({ host: HOST, port: 0, flag: '--port' })
  const early = [sendRequest(urlOf(listener)), sendRequest(urlOf(listener))]
  const { socket } = await connected(listener)
  socket.destroy()
  listener.serve(hello)
  for (const answer of await Promise.all(early)) assert.is(answer.text, 'hello')
  await listener.close(LIMIT_MS)
})

test('close() closes all connections immediately when serve() was not called', async () => {
  const listener = await openHttpListener({ host: HOST, port: 0, flag: '--port' })
  const requested = sendRequest(urlOf(listener)).catch((error: unknown) => error)
  const { closed } = await connected(listener)
  await listener.close(LIMIT_MS)
  await closed
  assert.match(String(await requested), /socket hang up|ECONNRESET/)
})

test('close() finishes running requests and accepts no new requests', async () => {
  const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const listener = await serving({
    ...hello,
    handle: async (_request, response) => {
      arrived.resolve()
      await gate.promise
      response.end('finished')
    },
  })
  // Without keep-alive, the response would have Connection: close because the client requested it.
  const agent = new Agent({ keepAlive: true })
  const requested = once(request(urlOf(listener), { agent }).end(), 'response')
  await arrived.promise
  const closed = listener.close(LIMIT_MS)
  assert.match(String(await sendRequest(urlOf(listener)).catch((error: unknown) => error)), 'ECONNREFUSED')
  gate.resolve()
  const [response] = await requested
  assert.equal(
    [String(await response.setEncoding('utf8').toArray()), response.headers.connection],
    ['finished', 'close'],
  )
  await closed
  agent.destroy()
})

test('close() finishes all pipelined requests of a connection', async () => {
  const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const listener = await serving({
    ...hello,
    handle: async ({ url }, response) => {
      if (url === '/2') arrived.resolve()
      await gate.promise
      response.end(`finished ${url}`)
    },
  })
  const { socket } = await connected(listener)
  const text = socket.setEncoding('utf8').toArray()
  socket.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n')
  await arrived.promise
  const closed = listener.close(LIMIT_MS)
  gate.resolve()
  await closed
  assert.match((await text).join(''), /finished \/1.+finished \/2/s)
})

test('close() does not wait for idle connections', async () => {
  const listener = await serving()
  const agent = new Agent({ keepAlive: true })
  const used = request(urlOf(listener), { agent }).end()
  const [response] = await once(used, 'response')
  await once(response.resume(), 'end')
  const unused = await connected(listener)
  const begun = await connected(listener)
  begun.socket.write('GET / HTTP/1.1\r\nHo')
  await listener.close(LIMIT_MS)
  await Promise.all([unused.closed, begun.closed])
  agent.destroy()
})

test('close() aborts a request after the time limit', async () => {
  const arrived = Promise.withResolvers<void>()
  const listener = await serving({ ...hello, handle: () => arrived.resolve() })
  const answer = sendRequest(urlOf(listener)).catch((error: unknown) => error)
  await arrived.promise
  await listener.close(1)
  assert.match(String(await answer), /socket hang up|ECONNRESET/)
})

test('close() can be called twice', async () => {
  const listener = await serving()
  await Promise.all([listener.close(LIMIT_MS), listener.close(LIMIT_MS)])
})

test('sets limits for timeouts, header size and connections', () => {
  assert.equal(HTTP_SERVER_LIMITS, {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: 16_384,
    maxConnections: 2048,
    maxConnectionsPerAddress: 512,
    rejectionTimeoutMs: 1000,
    maxRejectionsPerAddress: 64,
  })
})

test('closes a connection above the connection limit and keeps existing connections', async () => {
  const listener = await serving(hello, { maxConnections: 2 })
  const first = await connected(listener)
  const second = await connected(listener)
  const third = await connected(listener)
  await third.closed
  for (const { socket } of [first, second]) {
    const text = socket.setEncoding('utf8').toArray()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    assert.match((await text).join(''), 'hello')
  }
  await listener.close(LIMIT_MS)
})

test('returns 429 to a connection above the limit per address, and accepts a new connection after another closes', async () => {
  const listener = await serving(hello, { maxConnectionsPerAddress: 2 })
  const first = await connected(listener)
  const second = await connected(listener)
  for (const text of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'no HTTP\r\n\r\n', '']) {
    const { status, headers, text: body } = await sendRawText(urlOf(listener), text, { isAll: true })
    assert.equal([status, headers['x-own'], headers['connection'], body], [429, 'yes', 'close', 'crowded'])
  }
  const other = connect({ port: listener.port, host: HOST, localAddress: '127.0.0.2' })
  other.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  assert.match((await other.setEncoding('utf8').toArray()).join(''), 'hello')
  first.socket.destroy()
  await first.closed
  // The server notices the closed connection later than the client.
  let answer = await sendRequest(urlOf(listener))
  while (answer.status === 429) answer = await sendRequest(urlOf(listener))
  assert.is(answer.text, 'hello')
  second.socket.destroy()
  await listener.close(LIMIT_MS)
})

/** Opens a half-open connection that sends requests repeatedly, and returns the received data. */
async function trickling({ port }: HttpListener) {
  const socket = connect({ port, host: HOST, allowHalfOpen: true })
  socket.on('error', () => {})
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const trickle = setInterval(() => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), 2)
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  clearInterval(trickle)
  return text
}

test('closes a rejected connection that keeps sending', async () => {
  const listener = await serving(hello, { maxConnectionsPerAddress: 0, rejectionTimeoutMs: 20 })
  assert.match(await trickling(listener), /^HTTP\/1\.1 429 .+crowded$/s)
  await listener.close(LIMIT_MS)
})

test('sends 429 to a limited number of rejected connections at the same time', async () => {
  const limits = { maxConnectionsPerAddress: 1, maxRejectionsPerAddress: 1, rejectionTimeoutMs: LIMIT_MS }
  const listener = await serving(hello, limits)
  const first = await connected(listener)
  const answered = connect({ port: listener.port, host: HOST, allowHalfOpen: true }).resume()
  answered.on('error', () => {})
  await once(answered, 'end')
  const cutOff = await connected(listener)
  let received = ''
  cutOff.socket.on('data', (chunk) => {
    received += chunk
  })
  await cutOff.closed
  assert.is(received, '')
  answered.destroy()
  first.socket.destroy()
  await listener.close(LIMIT_MS)
})

const TRICKLES = {
  headers: 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  body: 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{',
}

for (const [what, text] of Object.entries(TRICKLES)) {
  test(`returns 408 to a client that never finishes its ${what}`, async () => {
    const limits = { headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 5 }
    const listener = await serving({ ...hello, handle: () => {} }, limits)
    const { status, text: body }: HttpResponse = await sendRawText(urlOf(listener), text)
    assert.equal([status, body], [408, ''])
    await listener.close(LIMIT_MS)
  })
}

test('responds to invalid HTTP with the malformed-request response of the app', async () => {
  const listener = await serving()
  const { status, headers, text } = await sendRawText(urlOf(listener), '\u0016\u0003\u0001 TLS?\r\n\r\n')
  assert.equal([status, headers['x-own'], headers['connection'], text], [400, 'yes', 'close', 'unreadable'])
  assert.is(headers['content-length'], '10')
  assert.is((await sendRequest(urlOf(listener))).text, 'hello')
  await listener.close(LIMIT_MS)
})

test('does not send a second response after the first response has started', async () => {
  const listener = await serving({ ...hello, handle: (_request, response) => void response.write('begun') })
  const text = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  const { port } = listener
  const socket = connect(port, HOST, () => socket.write(text))
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk
    if (received.includes('begun')) socket.write('no chunk\r\n')
  })
  socket.on('error', () => {})
  await once(socket, 'close')
  assert.match(received, /^HTTP\/1\.1 200 OK/)
  assert.not.match(received, 'unreadable')
  await listener.close(LIMIT_MS)
})

test.run()
