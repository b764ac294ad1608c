import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createSender } from '../../src/webhooks/send.ts'
import { createTargetGuard, type TargetGuard } from '../../src/webhooks/ssrf-guard.ts'
import { assert, suite } from '../support/suite.ts'
import { openReceiver } from './receiver.ts'
import { selfSigned } from './self-signed.ts'
import { guard, nowMs, SENT, sendAgainst, sendTo, sendToSocket } from './sending.ts'

const test = suite('webhooks/send: failures')

// Undici ends an attempt at the first 100 by itself.
for (const status of [102, 103]) {
  test(`a receiver that sends ${status} without end is given up after ten of them`, async () => {
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

test('ten informational responses are no failure', async () => {
  const result = await sendToSocket((socket) =>
    socket.once('data', () =>
      socket.end(
        `${'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(10)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`,
      ),
    ),
  )
  assert.equal([result.error, result.http_status, result.response_body], [null, 200, 'ok'])
})

test('a receiver that is not there refuses the connection', async () => {
  const receiver = await openReceiver()
  await receiver.close()
  const result = await sendTo(receiver.url)
  assert.is(result.error, 'refused')
  assert.match(
    result.error_message ?? '',
    `Nothing listens at 127.0.0.1:${receiver.port}. Start your handler`,
  )
  assert.is(result.http_status, null)
  assert.is(result.response_body, null)
})

test('a host that does not exist is told by name', async () => {
  // As resolvers say that there is none, and that they cannot tell.
  for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
    const lookupFor: TargetGuard['lookupFor'] = () => (_hostname, _options, callback) =>
      process.nextTick(callback, Object.assign(new Error(code), { code }), [])
    const sender = createSender({ nowMs, guard: { ...guard, lookupFor } })
    const { error, error_message } = await sender.send({ url: 'http://no-such-host.invalid/', ...SENT })
    assert.is(error, 'dns')
    assert.match(error_message ?? '', "no host called 'no-such-host.invalid'")
    await sender.close()
  }
})

test('a reset before the answer, and one in the middle of it, are told apart', async () => {
  const { result } = await sendAgainst((request) => request.socket.resetAndDestroy())
  assert.is(result.error, 'reset')
  assert.match(result.error_message ?? '', 'closed before the answer was whole')
  assert.is(result.http_status, null)
  const cut = await sendAgainst((request, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('partly', () => request.socket.destroy())
  })
  assert.is(cut.result.error, 'reset')
  assert.is(cut.result.http_status, 200)
  assert.is(cut.result.response_body, 'partly')
})

test('an answer that is not HTTP, and endless headers, are connection errors', async () => {
  const garbage = await sendToSocket((socket) => socket.end('SSH-2.0-hello\r\n\r\n'))
  assert.is(garbage.error, 'connection')
  const endless = await sendToSocket((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(100_000)}`)
  })
  assert.is(endless.error, 'connection')
})

test('TLS spoken to a receiver without TLS is a TLS error', async () => {
  const result = await sendToSocket((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'https')
  assert.is(result.error, 'tls')
})

test('a certificate nobody vouches for is a TLS error', async () => {
  const server = createTlsServer(selfSigned(), (_request, response) => response.end('never'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const result = await sendTo(`https://localhost:${port}/`, 5000)
  server.close()
  assert.is(result.error, 'tls')
  assert.is(result.http_status, null)
})

test('a sender that takes any certificate takes that one too', async () => {
  const server = createTlsServer(selfSigned(), (_request, response) => response.end('taken'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sender = createSender({ nowMs, guard, isAnyCertificateTaken: true })
  const result = await sender.send({ url: `https://127.0.0.1:${port}/`, ...SENT })
  await sender.close()
  server.close()
  assert.equal([result.error, result.response_body], [null, 'taken'])
})

test('an address that is not allowed is not connected to, be it literal or a name of this machine', async () => {
  const receiver = await openReceiver()
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

test('a name of which nothing but its addresses is wrong is blocked when it is connected to', async () => {
  const strict = createTargetGuard({ isPublicOnly: true, allowed: [], ownPorts: [] })
  const sender = createSender({ nowMs, guard: { ...strict, problemOf: () => null } })
  const result = await sender.send({ url: 'http://localhost:9/', headers: {}, body: '' })
  assert.equal([result.error, result.http_status], ['blocked', null])
  assert.match(result.error_message ?? '', /^localhost is not allowed: .*--allow-webhooks-to/)
  await sender.close()
})

test('a name is checked when it is connected to, by the very address that is used', async () => {
  const receiver = await openReceiver()
  const asked: string[] = []
  const pinned: TargetGuard = {
    problemOf: () => null,
    require: () => {},
    lookupFor: (port) => (hostname, options, callback) => {
      asked.push(`${hostname}:${port}`)
      const address = { address: '127.0.0.1', family: 4 }
      if (options.all === true) callback(null, [address])
      else callback(null, address.address, address.family)
    },
  }
  const sender = createSender({ nowMs, guard: pinned })
  const url = `http://receiver.test:${receiver.port}/`
  assert.is((await sender.send({ url, headers: {}, body: '' })).error, null)
  assert.equal(asked, [`receiver.test:${receiver.port}`])
  assert.is(receiver.received.length, 1)
  await sender.close()
  await receiver.close()
})

test.run()
