import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createSender, type SendResult } from '../../src/webhooks/send.ts'
import { assert, suite } from '../support/suite.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { selfSigned } from './self-signed.ts'

const test = suite('webhooks/send')

const KEPT_BYTES = 16 * 1024
const TIMEOUT_MS = 60
const HEADERS = { 'content-type': 'application/json', 'accept-encoding': 'identity', 'X-Test': 'a' }
const BODY = '{"name":"Zoë 🧾\u2028"}'
const nowMs = () => performance.now()

async function sendTo(url: string, timeoutMs?: number): Promise<SendResult> {
  const sender = createSender({ nowMs, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
  try {
    return await sender.send({ url, headers: HEADERS, body: BODY })
  } finally {
    await sender.close()
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Sends once to a receiver that answers so. */
async function sendAgainst(
  answer: Answer,
  timeoutMs?: number,
): Promise<{ result: SendResult; receiver: Receiver }> {
  const receiver = await openReceiver(answer)
  try {
    return { result: await sendTo(receiver.url, timeoutMs), receiver }
  } finally {
    await receiver.close()
  }
}

/** Sends once to a server that does so with each connection. */
async function sendToSocket(
  onSocket: (socket: Socket) => void,
  protocol = 'http',
  timeoutMs = 5000,
): Promise<SendResult> {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const { port } = server.address() as AddressInfo
    return await sendTo(`${protocol}://127.0.0.1:${port}/`, timeoutMs)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

test('the bytes and headers arrive as given', async () => {
  const { result, receiver } = await sendAgainst((_request, response) => response.end('thanks'))
  const [received] = receiver.received
  assert.is(received?.method, 'POST')
  assert.is(received?.url, '/hook')
  assert.is(received?.body, BODY)
  assert.is(received?.headers['content-length'], String(Buffer.byteLength(BODY)))
  assert.is(received?.headers['accept-encoding'], 'identity')
  assert.is(received?.headers['x-test'], 'a')
  const { duration_ms, ...rest } = result
  assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0)
  assert.equal(rest, {
    http_status: 200,
    error: null,
    response_body: 'thanks',
    response_body_truncated: false,
    retry_after: null,
  })
})

test('durations come from the given clock', async () => {
  const receiver = await openReceiver()
  const times = [1000, 1234.4]
  const sender = createSender({ nowMs: () => times.shift() ?? Number.NaN })
  const result = await sender.send({ url: receiver.url, headers: {}, body: '' })
  assert.is(result.duration_ms, 234)
  await sender.close()
  await receiver.close()
})

const VERDICTS: [number, SendResult['error']][] = [
  ...[200, 201, 202, 204, 299].map((status): [number, null] => [status, null]),
  ...[300, 301, 302, 303, 304, 307, 308].map((status): [number, 'redirect'] => [status, 'redirect']),
  ...[400, 404, 410, 429, 500, 503, 599].map((status): [number, 'http_status'] => [status, 'http_status']),
]

for (const [status, error] of VERDICTS) {
  test(`${status} is ${error ?? 'success'}`, async () => {
    const { result, receiver } = await sendAgainst((_request, response) => {
      response.writeHead(status, { location: '/elsewhere', 'retry-after': '120' }).end()
    })
    assert.is(result.http_status, status)
    assert.is(result.error, error)
    assert.is(result.response_body, '')
    assert.is(result.retry_after, '120')
    assert.is(receiver.received.length, 1, 'never followed or repeated')
  })
}

test('silence ends after the configured time', async () => {
  const { result } = await sendAgainst(() => {}, TIMEOUT_MS)
  assert.is(result.error, 'timeout')
  assert.is(result.http_status, null)
  assert.is(result.response_body, null)
  assert.ok(result.duration_ms >= TIMEOUT_MS - 2 && result.duration_ms < 5000, `${result.duration_ms} ms`)
})

test('a handshake that never ends counts as silence', async () => {
  const result = await sendToSocket(() => {}, 'https', TIMEOUT_MS)
  assert.is(result.error, 'timeout')
  assert.ok(result.duration_ms < 500, `${result.duration_ms} ms`)
})

test('headers and body share the time: a body that trickles is no success', async () => {
  const { result } = await sendAgainst((_request, response) => {
    response.write('a')
    const trickle = setInterval(() => response.write('a'), 5)
    response.on('close', () => clearInterval(trickle))
  }, TIMEOUT_MS)
  assert.is(result.error, 'timeout')
  assert.is(result.http_status, 200)
  assert.match(result.response_body ?? '', /^a+$/)
  assert.ok(result.duration_ms < 5000)
})

test('a receiver that is not there refuses the connection', async () => {
  const receiver = await openReceiver()
  await receiver.close()
  const result = await sendTo(receiver.url)
  assert.is(result.error, 'connection')
  assert.is(result.http_status, null)
  assert.is(result.response_body, null)
})

test('a host that does not exist is a connection error', async () => {
  assert.is((await sendTo('http://no-such-host.invalid/', 5000)).error, 'connection')
})

test('a reset before the answer, and one in the middle of it, are connection errors', async () => {
  const { result } = await sendAgainst((request) => request.socket.resetAndDestroy())
  assert.is(result.error, 'connection')
  assert.is(result.http_status, null)
  const cut = await sendAgainst((request, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('partly', () => request.socket.destroy())
  })
  assert.is(cut.result.error, 'connection')
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

test('a gzip bomb stays packed', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const { result } = await sendAgainst((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })
  assert.is(result.error, null)
  assert.ok(Buffer.byteLength(result.response_body ?? '') <= KEPT_BYTES)
  assert.not((result.response_body ?? '').includes('\0'))
  assert.match(result.response_body ?? '', /^\ufffd/)
})

test('a body of 16 KiB is kept whole, one byte more is cut and flagged', async () => {
  for (const [size, isCut] of [
    [KEPT_BYTES, false],
    [KEPT_BYTES + 1, true],
    [1_000_000, true],
  ] as const) {
    const { result } = await sendAgainst((_request, response) => response.end('a'.repeat(size)))
    assert.is(result.response_body, 'a'.repeat(Math.min(size, KEPT_BYTES)))
    assert.is(result.response_body_truncated, isCut, `${size} bytes`)
    assert.is(result.error, null)
  }
})

test('an endless body is a success as soon as enough of it came', async () => {
  const { result } = await sendAgainst((_request, response) => {
    const pour = () => {
      while (!response.destroyed && response.write('a'.repeat(10_000))) {}
    }
    response.on('drain', pour)
    pour()
  })
  assert.is(result.error, null)
  assert.is(result.response_body_truncated, true)
})

test('what is no text becomes text, and what is cut ends at a whole character', async () => {
  const bytes = Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x00, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x09, 0x0a, 0x7f])
  const invalid = await sendAgainst((_request, response) => response.end(bytes))
  assert.is(invalid.result.response_body, 'a\ufffd\ufffd(\ufffd\ufffd[31m\t\n\ufffd')
  assert.is(invalid.result.response_body_truncated, false)
  const emoji = await sendAgainst((_request, response) => response.end(`abc${'🧾'.repeat(10_000)}`))
  assert.is(emoji.result.response_body, `abc${'🧾'.repeat((KEPT_BYTES - 4) / 4)}`)
  const noise = await sendAgainst((_request, response) => response.end(Buffer.alloc(KEPT_BYTES, 0xff)))
  assert.ok(Buffer.byteLength(noise.result.response_body ?? '') <= KEPT_BYTES)
  assert.is(noise.result.response_body_truncated, true)
})

test('connections are kept alive for later requests', async () => {
  const ports = new Set<number | undefined>()
  const receiver = await openReceiver((request, response) => {
    ports.add(request.socket.remotePort)
    response.end()
  })
  const sender = createSender({ nowMs })
  for (let i = 0; i < 20; i += 1) await sender.send({ url: receiver.url, headers: HEADERS, body: BODY })
  // Never the connection just used: it rests for one turn of the event loop, in case the receiver closes it.
  assert.ok(ports.size <= 2, `${ports.size} connections`)
  await sender.close()
  await receiver.close()
})

test('a path that hangs does not hold up another path of the same origin', async () => {
  const receiver = await openReceiver((request, response) => {
    if (request.url !== '/hang') response.end()
  })
  const sender = createSender({ nowMs })
  const { origin } = new URL(receiver.url)
  const hanging = sender.send({ url: `${origin}/hang`, headers: {}, body: '' })
  await receiver.has(1)
  assert.is((await sender.send({ url: `${origin}/fast`, headers: {}, body: '' })).error, null)
  const broken = expectRejection(hanging)
  await sender.close()
  await broken
  await receiver.close()
})

test('a closed sender rejects instead of calling it the receiver’s failure', async () => {
  const receiver = await openReceiver(() => {})
  const sender = createSender({ nowMs })
  const hanging = expectRejection(sender.send({ url: receiver.url, headers: {}, body: '' }))
  await receiver.has(1)
  await sender.close()
  await hanging
  await expectRejection(sender.send({ url: receiver.url, headers: {}, body: '' }))
  await receiver.close()
})

test('a request that cannot be made is a bug, not a failure', async () => {
  const sender = createSender({ nowMs })
  await expectRejection(sender.send({ url: 'http://127.0.0.1:9/', headers: { 'bad name': 'a' }, body: '' }))
  await sender.close()
})

async function expectRejection(work: Promise<unknown>): Promise<void> {
  const outcome = await work.then(
    () => 'resolved',
    () => 'rejected',
  )
  assert.is(outcome, 'rejected')
}

test.run()
