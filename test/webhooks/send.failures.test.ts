import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createSender } from '../../src/webhooks/send.ts'
import { createTargetGuard, type TargetGuard } from '../../src/webhooks/ssrf-guard.ts'
import { assert, suite } from '../support/suite.ts'
import { createSelfSignedCertificate } from './self-signed-certificate.ts'
import { guard, nowMs, SAMPLE_REQUEST, sendTo, sendToHandler, sendToSocket } from './send-once.ts'
import { openWebhookServer } from './webhook-server.ts'

const test = suite('webhooks/send: failures')

for (const status of [100, 102, 103, 199]) {
  test(`aborts after more than ten ${status} responses`, async () => {
    const closed = Promise.withResolvers<void>()
    const result = await sendToSocket((socket) => {
      const write = () => {
        if (!socket.destroyed) socket.write(`HTTP/1.1 ${status} Wait\r\n\r\n`, () => setImmediate(write))
      }
      socket.on('close', () => closed.resolve())
      socket.once('data', write)
    })
    assert.equal([result.error, result.http_status], ['protocol', null])
    assert.match(result.error_message ?? '', /more than 10 informational \(1xx\) responses/)
    await closed.promise
  })
}

for (const status of [100, 102, 103, 199]) {
  test(`accepts ten ${status} responses before the final response`, async () => {
    const informational = `HTTP/1.1 ${status} Wait\r\nLink: </x>\r\n\r\n`.repeat(10)
    const result = await sendToSocket((socket) =>
      socket.once('data', () => socket.end(`${informational}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`)),
    )
    assert.equal([result.error, result.http_status, result.response_body], [null, 200, 'ok'])
  })
}

for (const [how, headers] of [
  ['with its headers', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
  ['without an Upgrade header', 'Connection: Upgrade\r\n'],
  ['without headers', ''],
  ['with a body', 'Content-Length: 2\r\n'],
] as const) {
  test(`reports a response that switches the protocol ${how}`, async () => {
    const result = await sendToSocket((socket) =>
      socket.once('data', () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\nok`)),
    )
    assert.equal([result.error, result.http_status, result.response_body], ['protocol', null, null])
    assert.match(result.error_message ?? '', /switched the protocol/)
  })
}

test('ignores bytes after a complete response', async () => {
  const result = await sendToSocket((socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more')),
  )
  assert.equal([result.error, result.http_status, result.response_body], [null, 200, 'ok'])
})

for (const ending of ['end', 'resetAndDestroy'] as const) {
  test(`sends on a new connection after a server closed the kept-alive connection without notice (${ending})`, async () => {
    const server = createSocketServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', () => socket[ending]())
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const sender = createSender({ guard, nowMs })
    const errors: unknown[] = []
    for (let i = 0; i < 4; i += 1)
      errors.push((await sender.send({ url: `http://127.0.0.1:${port}/`, ...SAMPLE_REQUEST })).error)
    assert.equal(errors, [null, null, null, null])
    await sender.close()
    server.close()
  })
}

test('reports a refused connection', async () => {
  const receiver = await openWebhookServer()
  await receiver.close()
  const result = await sendTo(receiver.url)
  assert.is(result.error, 'refused')
  assert.match(
    result.error_message ?? '',
    `Connection refused by 127.0.0.1:${receiver.port}. Start your handler`,
  )
  assert.is(result.http_status, null)
  assert.is(result.response_body, null)
})

test('names the host in the error when the host does not exist', async () => {
  // The host does not exist, or the resolver failed.
  for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
    const lookupFor: TargetGuard['lookupFor'] = () => (_hostname, _options, callback) =>
      process.nextTick(callback, Object.assign(new Error(code), { code }), [])
    const sender = createSender({ nowMs, guard: { ...guard, lookupFor } })
    const { error, error_message } = await sender.send({
      url: 'http://no-such-host.invalid/',
      ...SAMPLE_REQUEST,
    })
    assert.is(error, 'dns')
    assert.match(error_message ?? '', "Cannot resolve the host 'no-such-host.invalid'")
    await sender.close()
  }
})

test('distinguishes a connection reset before the response from a reset within the response', async () => {
  const { result } = await sendToHandler((request) => request.socket.resetAndDestroy())
  assert.is(result.error, 'reset')
  assert.match(result.error_message ?? '', 'closed the connection before the response was complete')
  assert.is(result.http_status, null)
  const cut = await sendToHandler((request, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('partly', () => request.socket.destroy())
  })
  assert.is(cut.result.error, 'reset')
  assert.is(cut.result.http_status, 200)
  assert.is(cut.result.response_body, 'partly')
})

test('reports a non-HTTP response and endless headers as connection errors', async () => {
  const garbage = await sendToSocket((socket) => socket.end('SSH-2.0-hello\r\n\r\n'))
  assert.is(garbage.error, 'connection')
  const endless = await sendToSocket((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(100_000)}`)
  })
  assert.is(endless.error, 'connection')
})

test('reports a server without TLS as a TLS error', async () => {
  const result = await sendToSocket((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'https')
  assert.is(result.error, 'tls')
})

test('reports an untrusted certificate as a TLS error', async () => {
  const server = createTlsServer(createSelfSignedCertificate(), (_request, response) => response.end('never'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const result = await sendTo(`https://localhost:${port}/`, 5000)
  server.close()
  assert.is(result.error, 'tls')
  assert.is(result.http_status, null)
})

test('accepts an untrusted certificate when allowed', async () => {
  const server = createTlsServer(createSelfSignedCertificate(), (_request, response) => response.end('taken'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sender = createSender({ nowMs, guard, isUntrustedCertificateAllowed: true })
  const result = await sender.send({ url: `https://127.0.0.1:${port}/`, ...SAMPLE_REQUEST })
  await sender.close()
  server.close()
  assert.equal([result.error, result.response_body], [null, 'taken'])
})

test('does not connect to a forbidden literal address or localhost name', async () => {
  const receiver = await openWebhookServer()
  const strict = createTargetGuard({ isPublicOnly: true, allowed: [], ownPorts: [] })
  const sender = createSender({ nowMs, guard: strict })
  for (const host of ['127.0.0.1', 'localhost', 'app.localhost', '[::1]']) {
    const result = await sender.send({ url: `http://${host}:${receiver.port}/`, headers: {}, body: '' })
    assert.equal([result.error, result.http_status], ['blocked', null], host)
    assert.match(result.error_message ?? '', '--allow-webhooks-to')
  }
  assert.equal(receiver.received, [])
  await sender.close()
  await receiver.close()
})

test('blocks the connection to a host name that resolves to a forbidden address', async () => {
  const strict = createTargetGuard({ isPublicOnly: true, allowed: [], ownPorts: [] })
  const sender = createSender({ nowMs, guard: { ...strict, findProblem: () => null } })
  const result = await sender.send({ url: 'http://localhost:9/', headers: {}, body: '' })
  assert.equal([result.error, result.http_status], ['blocked', null])
  assert.match(result.error_message ?? '', /^localhost is not allowed: .*--allow-webhooks-to/)
  await sender.close()
})

const hasIpv6 = Object.values(networkInterfaces()).some((found) =>
  found?.some(({ address }) => address === '::1'),
)

for (const listenHost of ['127.0.0.1', ...(hasIpv6 ? ['::1'] : [])]) {
  test(`sends to names of localhost when the handler listens at ${listenHost}`, async () => {
    const server = createServer((_request, response) => response.end('here'))
    await once(server.listen(0, listenHost), 'listening')
    const { port } = server.address() as AddressInfo
    for (const host of ['localhost', 'Tenant.localhost', 'a.b.localhost.']) {
      const { error, response_body } = await sendTo(`http://${host}:${port}/`)
      assert.equal([error, response_body], [null, 'here'], host)
    }
    server.close()
  })
}

test('checks the same resolved address that it connects to', async () => {
  const receiver = await openWebhookServer()
  const lookups: string[] = []
  const pinned: TargetGuard = {
    findProblem: () => null,
    requireAllowed: () => {},
    lookupFor: (port) => (hostname, options, callback) => {
      lookups.push(`${hostname}:${port}`)
      const address = { address: '127.0.0.1', family: 4 }
      if (options.all === true) callback(null, [address])
      else callback(null, address.address, address.family)
    },
  }
  const sender = createSender({ nowMs, guard: pinned })
  const url = `http://receiver.test:${receiver.port}/`
  assert.is((await sender.send({ url, headers: {}, body: '' })).error, null)
  assert.equal(lookups, [`receiver.test:${receiver.port}`])
  assert.is(receiver.received.length, 1)
  await sender.close()
  await receiver.close()
})

test.run()
