import { createServer, type Server } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { computeServerProof } from '../../src/api/core/server-proof.ts'
import { createClient } from '../../src/client/client.ts'
import { ConnectionError } from '../../src/client/connection-error.ts'
import { followStream } from '../../src/client/follow-stream.ts'
import { assert, suite } from '../support/suite.ts'
import { type FakeResponse, type SeenRequest, startFakeServer } from './fake-server.ts'

const test = suite('client/server-proof')

const SECRET = 'secret'
const LIST = { method: 'GET', path: '/v1/customers' } as const

const prove = ({ headers }: SeenRequest, secret = SECRET): FakeResponse => ({
  headers: { 'Paycli-Proof': computeServerProof(secret, String(headers['paycli-challenge'])) ?? '' },
})
const connectTo = (apiBase: string, secret: string | null = SECRET) =>
  createClient({ apiBase, apiKey: 'key', readServerSecret: () => secret })
const codeOf = (error: unknown) => (error instanceof ConnectionError ? error.code : error)
const listenOn = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${Object(server.address()).port}`
}
const stopServer = (server: Server) => new Promise((resolve) => server.close(resolve))
const pathsOf = (seen: readonly SeenRequest[]) => seen.map(({ url }) => url)

const IMPOSTORS: readonly (readonly [name: string, react: (seen: SeenRequest) => FakeResponse])[] = [
  ['without proof', () => ({ body: { status: 'ok', pid: 1 } })],
  ['with the proof of another secret', (seen) => prove(seen, 'another')],
  [
    'with the challenge as proof',
    ({ headers }) => ({ headers: { 'Paycli-Proof': String(headers['paycli-challenge']) } }),
  ],
]

for (const [name, react] of IMPOSTORS) {
  test(`sends no key to a server ${name}`, async () => {
    const server = await startFakeServer(react)
    assert.is(await connectTo(server.url).send(LIST, {}).catch(codeOf), 'server_unproven')
    const stream = {
      apiBase: server.url,
      apiKey: 'key',
      readServerSecret: () => SECRET,
      query: {},
      onMessage() {},
    }
    const { signal } = new AbortController()
    assert.is(await followStream({ ...stream, signal }).catch(codeOf), 'server_unproven')
    assert.equal(pathsOf(server.seen), ['/healthz', '/healthz'])
    assert.ok(server.seen.every(({ headers }) => headers['authorization'] === undefined))
    await server.stop()
  })
}

for (const secret of [null, '']) {
  test(`sends no key when the locator file is ${secret === null ? 'without' : 'with an empty'} secret`, async () => {
    const server = await startFakeServer((seen) => prove(seen, ''))
    assert.is(await connectTo(server.url, secret).send(LIST, {}).catch(codeOf), 'server_unproven')
    assert.equal(pathsOf(server.seen), ['/healthz'])
    await server.stop()
  })
}

test('accepts the secret that a starting server published after the request, and that a stopping server withdrew', async () => {
  const server = await startFakeServer((seen) => prove(seen))
  for (const secrets of [
    ['of the killed server', SECRET],
    [null, SECRET],
    [SECRET, null],
  ]) {
    const client = createClient({
      apiBase: server.url,
      apiKey: 'key',
      readServerSecret: () => secrets.shift() ?? null,
    })
    await client.send(LIST, {})
  }
  await server.stop()
})

test('sends each request on the connection on which the server proved its identity', async () => {
  const connections: unknown[] = []
  const server = createServer((request, response) => {
    connections.push(request.socket.remotePort)
    const challenge = String(request.headers['paycli-challenge'])
    response.setHeader('Paycli-Proof', computeServerProof(SECRET, challenge) ?? '').end('{}')
  })
  const url = await listenOn(server)
  const client = connectTo(url)
  await client.send(LIST, {})
  await client.send(LIST, {})
  const [first, second, third, fourth] = connections
  assert.equal([first, third], [second, fourth])
  assert.is(connections.length, 4)
  assert.is.not(first, third)
  await stopServer(server)
})

test('a kept connection proves the identity once, and again after the server closed it', async () => {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.socket.remotePort} ${request.url}`)
    const challenge = String(request.headers['paycli-challenge'])
    response.setHeader('Paycli-Proof', computeServerProof(SECRET, challenge) ?? '').end('{}')
  })
  const apiBase = await listenOn(server)
  const client = createClient({ apiBase, isConnectionKept: true, readServerSecret: () => SECRET })
  await client.send(LIST, {})
  await client.send(LIST, {})
  server.closeAllConnections()
  await client.send(LIST, {})
  server.closeAllConnections()
  // The client learns that the connection is closed. It would not repeat a failed DELETE.
  await setTimeout(50)
  await client.send({ method: 'DELETE', path: '/v1/customers/:id' }, { id: 'cus_1' })
  await stopServer(server)
  const [first, , , second, , third] = requests.map((request) => request.split(' ')[0])
  assert.equal(requests, [
    ...[`${first} /healthz`, `${first} /v1/customers`, `${first} /v1/customers`],
    ...[`${second} /healthz`, `${second} /v1/customers`],
    ...[`${third} /healthz`, `${third} /v1/customers/cus_1`],
  ])
})

test('sends no key on a new connection after the proven connection was closed', async () => {
  const server = await startFakeServer((seen) => {
    const { headers } = prove(seen)
    return { headers: { ...headers, Connection: 'close' } }
  })
  assert.is(await connectTo(server.url).send(LIST, {}).catch(codeOf), 'connection_lost')
  assert.ok(server.seen.every(({ url, headers }) => url === '/healthz' && !headers['authorization']))
  await server.stop()
})

test('a health check is its own proof of the server identity', async () => {
  const server = await startFakeServer((seen) => (seen.url === '/healthz' ? prove(seen) : {}))
  const client = connectTo(server.url)
  await client.send({ method: 'GET', path: '/healthz' }, {})
  assert.equal(pathsOf(server.seen), ['/healthz'])
  await server.stop()
})

test('a reconnecting stream sends no key to another program at the address, and resumes when the server returns', async () => {
  const stopping = new AbortController()
  const reasons: string[] = []
  // The 3rd and 4th requests reach the other program.
  const server = await startFakeServer((seen, count) => {
    if (seen.url === '/healthz') return count === 3 || count === 4 ? {} : prove(seen)
    return {
      headers: { 'Content-Type': 'text/event-stream' },
      body: 'event: ready\ndata: {"database":"db_1"}\n\n',
    }
  })
  let readies = 0
  await followStream({
    ...{ apiBase: server.url, apiKey: 'key', readServerSecret: () => SECRET, query: {} },
    ...{ signal: stopping.signal, backoffMs: () => 0, onMessage() {} },
    onState(state, reason) {
      if (reason !== null) reasons.push(reason)
      if (state === 'ready') readies += 1
      if (readies === 2) stopping.abort()
    },
  })
  const keys = server.seen.map(({ headers }) => headers['authorization'] ?? null)
  assert.equal(keys.slice(0, 6), [null, 'Bearer key', null, null, null, 'Bearer key'])
  assert.match(reasons[1] ?? '', /did not prove that it is your paycli server.*No API key was sent/)
  await server.stop()
})

test.run()
