import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { type App, type Listener, listen, SERVER_LIMITS } from '../../src/daemon/listen.ts'
import { StartupProblem } from '../../src/domain/startup-problem.ts'
import { assert, suite } from '../support/suite.ts'
import { type Answer, ask, shout } from '../support/wire.ts'

const HOST = '127.0.0.1'
const LIMIT_MS = 10_000

const test = suite('daemon/listen')

const hello: App = {
  answer: (_request, response) => response.end('hello'),
  answerUnreadable: () => ({ status: 400, headers: { 'X-Own': 'yes' }, body: 'unreadable' }),
  answerCrowded: () => ({ status: 429, headers: { 'X-Own': 'yes' }, body: 'crowded' }),
}

const urlOf = ({ port }: Listener) => `http://${HOST}:${port}/`

/** A listener on a free port that answers with an app. */
async function serving(app: App = hello, limits: Partial<typeof SERVER_LIMITS> = {}): Promise<Listener> {
  const listener = await listen({ host: HOST, port: 0, flag: '--port', limits })
  listener.serve(app)
  return listener
}

/** A connection, and the promise that it is closed. */
async function connected({ port }: Listener) {
  const socket = connect(port, HOST)
  await once(socket, 'connect')
  // It may be cut off hard.
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket: socket.resume(), closed }
}

test('a port that is taken is named with the flag that sets it', async () => {
  const listener = await serving()
  const error = await listen({ host: HOST, port: listener.port, flag: '--checkout-port' }).catch(
    (thrown) => thrown,
  )
  assert.instance(error, StartupProblem)
  assert.is(error.code, 'port_taken')
  assert.match(error.message, `Port ${listener.port} on 127.0.0.1 is already in use`)
  assert.match(error.message, '--checkout-port <port>')
  await listener.close(LIMIT_MS)
})

test('an address that is not ours is no taken port', async () => {
  const error = await listen({ host: '192.0.2.1', port: 0, flag: '--port' }).catch((thrown) => thrown)
  assert.match(error.message, 'EADDRNOTAVAIL')
})

test('requests that come before the app is there are answered once it is', async () => {
  const listener = await listen({ host: HOST, port: 0, flag: '--port' })
  const early = [ask(urlOf(listener)), ask(urlOf(listener))]
  const { socket } = await connected(listener)
  socket.destroy()
  listener.serve(hello)
  for (const answer of await Promise.all(early)) assert.is(answer.text, 'hello')
  await listener.close(LIMIT_MS)
})

test('a port whose app never came is given back at once', async () => {
  const listener = await listen({ host: HOST, port: 0, flag: '--port' })
  const asked = ask(urlOf(listener)).catch((error: unknown) => error)
  const { closed } = await connected(listener)
  await listener.close(LIMIT_MS)
  await closed
  assert.match(String(await asked), /socket hang up|ECONNRESET/)
})

test('closing lets running requests finish and takes no others', async () => {
  const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const listener = await serving({
    ...hello,
    answer: async (_request, response) => {
      arrived.resolve()
      await gate.promise
      response.end('finished')
    },
  })
  // A client that would use its connection again is told not to.
  const agent = new Agent({ keepAlive: true })
  const asked = once(request(urlOf(listener), { agent }).end(), 'response')
  await arrived.promise
  const closed = listener.close(LIMIT_MS)
  assert.match(String(await ask(urlOf(listener)).catch((error: unknown) => error)), 'ECONNREFUSED')
  gate.resolve()
  const [response] = await asked
  assert.equal(
    [String(await response.setEncoding('utf8').toArray()), response.headers.connection],
    ['finished', 'close'],
  )
  await closed
  agent.destroy()
})

test('closing lets all finish that a connection asked for in a row', async () => {
  const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const listener = await serving({
    ...hello,
    answer: async ({ url }, response) => {
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

test('closing does not wait for connections that ask nothing', async () => {
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

test('closing gives up on a request that does not end', async () => {
  const arrived = Promise.withResolvers<void>()
  const listener = await serving({ ...hello, answer: () => arrived.resolve() })
  const answer = ask(urlOf(listener)).catch((error: unknown) => error)
  await arrived.promise
  await listener.close(1)
  assert.match(String(await answer), /socket hang up|ECONNRESET/)
})

test('closing twice is fine', async () => {
  const listener = await serving()
  await Promise.all([listener.close(LIMIT_MS), listener.close(LIMIT_MS)])
})

test('slow headers, slow bodies and large headers have their limits', () => {
  assert.equal(SERVER_LIMITS, {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: 16_384,
    maxConnections: 2048,
    maxConnectionsPerAddress: 512,
    farewellMs: 1000,
    maxFarewellsPerAddress: 64,
  })
})

test('one connection more than there may be is closed, and those there are go on', async () => {
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

test('answers a connection above the limit of its address, closes it, and takes a new one once one is closed', async () => {
  const listener = await serving(hello, { maxConnectionsPerAddress: 2 })
  const first = await connected(listener)
  const second = await connected(listener)
  for (const text of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'no HTTP\r\n\r\n', '']) {
    const { status, headers, text: body } = await shout(urlOf(listener), text, { isAll: true })
    assert.equal([status, headers['x-own'], headers['connection'], body], [429, 'yes', 'close', 'crowded'])
  }
  const other = connect({ port: listener.port, host: HOST, localAddress: '127.0.0.2' })
  other.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  assert.match((await other.setEncoding('utf8').toArray()).join(''), 'hello')
  first.socket.destroy()
  await first.closed
  // The server hears of the end a little later than the client.
  let answer = await ask(urlOf(listener))
  while (answer.status === 429) answer = await ask(urlOf(listener))
  assert.is(answer.text, 'hello')
  second.socket.destroy()
  await listener.close(LIMIT_MS)
})

/** A connection whose client does not close its own side, and sends requests again and again. */
async function trickling({ port }: Listener) {
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

test('a turned-away client that keeps sending and never closes is cut off', async () => {
  const listener = await serving(hello, { maxConnectionsPerAddress: 0, farewellMs: 20 })
  assert.match(await trickling(listener), /^HTTP\/1\.1 429 .+crowded$/s)
  await listener.close(LIMIT_MS)
})

test('only some connections of an address are answered at once that they are too many', async () => {
  const limits = { maxConnectionsPerAddress: 1, maxFarewellsPerAddress: 1, farewellMs: LIMIT_MS }
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
  test(`a client that never ends its ${what} is cut off`, async () => {
    const limits = { headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 5 }
    const listener = await serving({ ...hello, answer: () => {} }, limits)
    const { status, text: body }: Answer = await shout(urlOf(listener), text)
    assert.equal([status, body], [408, ''])
    await listener.close(LIMIT_MS)
  })
}

test('what is no HTTP gets the answer of the app', async () => {
  const listener = await serving()
  const { status, headers, text } = await shout(urlOf(listener), '\u0016\u0003\u0001 TLS?\r\n\r\n')
  assert.equal([status, headers['x-own'], headers['connection'], text], [400, 'yes', 'close', 'unreadable'])
  assert.is(headers['content-length'], '10')
  assert.is((await ask(urlOf(listener))).text, 'hello')
  await listener.close(LIMIT_MS)
})

test('an answer that has begun is not spoiled by a second one', async () => {
  const listener = await serving({ ...hello, answer: (_request, response) => void response.write('begun') })
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
