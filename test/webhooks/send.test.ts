import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createSender, type SendResult } from '../../src/webhooks/send.ts'
import type { TargetGuard } from '../../src/webhooks/ssrf-guard.ts'
import { assert, suite } from '../support/suite.ts'
import { recordTimers, withHeldTimers } from '../support/timers.ts'
import { guard, nowMs, SAMPLE_REQUEST, sendToHandler, sendToSocket } from './send-once.ts'
import { openWebhookServer } from './webhook-server.ts'

const test = suite('webhooks/send')

const KEPT_BYTES = 16 * 1024
const TIMEOUT_MS = 60
/** The channel of `node:diagnostics_channel` on which the HTTP client reports responses. */
const RESPONSE_RECEIVED = 'http.client.response.finish'

test('sends body and headers unchanged', async () => {
  const { result, receiver } = await sendToHandler((_request, response) => response.end('thanks'))
  const [received] = receiver.received
  assert.is(received?.method, 'POST')
  assert.is(received?.url, '/hook')
  assert.is(received?.body, SAMPLE_REQUEST.body)
  assert.is(received?.headers['content-length'], String(Buffer.byteLength(SAMPLE_REQUEST.body)))
  assert.is(received?.headers['accept-encoding'], 'identity')
  assert.is(received?.headers['x-test'], 'a')
  const { duration_ms, ...rest } = result
  assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0)
  assert.equal(rest, {
    http_status: 200,
    error: null,
    error_message: null,
    response_body: 'thanks',
    response_body_truncated: false,
    retry_after: null,
  })
})

test('measures durations with the injected clock', async () => {
  const receiver = await openWebhookServer()
  const times = [1000, 1234.4]
  const sender = createSender({ guard, nowMs: () => times.shift() ?? Number.NaN })
  const result = await sender.send({ url: receiver.url, headers: {}, body: '' })
  assert.is(result.duration_ms, 234)
  await sender.close()
  await receiver.close()
})

test('the error names the command that prints the webhook secret when a handler rejects the signature', async () => {
  for (const [body, isExplained] of [
    ['Invalid signature', true],
    ['Unknown event type', false],
  ] as const) {
    const { result } = await sendToHandler((_request, response) => response.writeHead(400).end(body))
    assert.is((result.error_message ?? '').includes('paycli listen --print-secret'), isExplained)
  }
})

const VERDICTS: [number, SendResult['error']][] = [
  ...[200, 201, 202, 204, 299].map((status): [number, null] => [status, null]),
  ...[300, 301, 302, 303, 304, 307, 308].map((status): [number, 'redirect'] => [status, 'redirect']),
  ...[400, 404, 410, 429, 500, 503, 599].map((status): [number, 'http_status'] => [status, 'http_status']),
]

for (const [status, error] of VERDICTS) {
  test(`classifies a response with status ${status} as ${error ?? 'success'}`, async () => {
    const { result, receiver } = await sendToHandler((_request, response) => {
      response.writeHead(status, { location: '/elsewhere', 'retry-after': '120' }).end()
    })
    assert.is(result.http_status, status)
    assert.is(result.error, error)
    assert.is(result.error_message === null, error === null)
    assert.is(result.response_body, '')
    assert.is(result.retry_after, '120')
    assert.is(receiver.received.length, 1, 'no redirect and no retry')
  })
}

test('ignores a Retry-After that is too long or not ASCII', async () => {
  for (const options of ['9'.repeat(201), '\u00e9']) {
    const { result } = await sendToHandler((_request, response) => {
      response.writeHead(503, { 'retry-after': options }).end()
    })
    assert.equal([result.http_status, result.retry_after], [503, null])
  }
})

test('uses a timeout of 15 seconds by default', async () => {
  const set = await recordTimers(() => sendToHandler((_request, response) => response.end()))
  assert.ok(set.includes(15_000), set.join(' '))
})

test('times out after the configured time', async () => {
  const { result } = await withHeldTimers([TIMEOUT_MS], ({ ring }) =>
    sendToHandler(() => ring(TIMEOUT_MS), TIMEOUT_MS),
  )
  assert.is(result.error, 'timeout')
  assert.match(result.error_message ?? '', 'no complete response within 0.06 s')
  assert.is(result.http_status, null)
  assert.is(result.response_body, null)
})

test('times out during a TLS handshake', async () => {
  const result = await withHeldTimers([TIMEOUT_MS], ({ ring }) => {
    const onSocket = (socket: Socket) => socket.once('data', () => ring(TIMEOUT_MS))
    return sendToSocket(onSocket, 'https', TIMEOUT_MS)
  })
  assert.is(result.error, 'timeout')
})

test('sends nothing when the timeout ends before the connection is established', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await withHeldTimers([TIMEOUT_MS], async ({ ring }) => {
    const lookupFor: TargetGuard['lookupFor'] = () => (_hostname, _options, callback) => {
      setImmediate(() => {
        ring(TIMEOUT_MS)
        callback(null, [{ address: '127.0.0.1', family: 4 }])
        resolved.resolve()
      })
    }
    const resolved = Promise.withResolvers<void>()
    const sender = createSender({ guard: { ...guard, lookupFor }, nowMs, timeoutMs: TIMEOUT_MS })
    const { error } = await sender.send({ url: `http://receiver.test:${port}/`, ...SAMPLE_REQUEST })
    assert.is(error, 'timeout')
    await resolved.promise
    await sender.close()
  })
  // The server accepts connections in order, so a connection of the sender would be counted before this connection.
  await once(connect(port, '127.0.0.1').resume(), 'end')
  assert.is(connections, 1)
  server.close()
})

test('applies one timeout to headers and body', async () => {
  const { result } = await withHeldTimers([TIMEOUT_MS], async ({ ring }) => {
    // The function runs after the first chunk has been read, one turn after the arrival of the chunk.
    const onResponse = (message: unknown) => {
      const { response } = message as { readonly response: IncomingMessage }
      response.once('data', () => setImmediate(ring, TIMEOUT_MS))
    }
    subscribe(RESPONSE_RECEIVED, onResponse)
    try {
      return await sendToHandler((_request, response) => {
        response.write('a')
        const trickle = setInterval(() => response.write('a'), 5)
        response.on('close', () => clearInterval(trickle))
      }, TIMEOUT_MS)
    } finally {
      unsubscribe(RESPONSE_RECEIVED, onResponse)
    }
  })
  assert.is(result.error, 'timeout')
  assert.is(result.http_status, 200)
  assert.match(result.response_body ?? '', /^a+$/)
})

test('does not decompress responses', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000, 'a'))
  const { result } = await sendToHandler((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })
  assert.is(result.error, null)
  assert.ok(Buffer.byteLength(result.response_body ?? '') <= KEPT_BYTES)
  assert.not.match(result.response_body ?? '', /a{20}/)
})

test('stores a response body of 16 KiB, and truncates a longer one', async () => {
  for (const [size, isCut] of [
    [KEPT_BYTES, false],
    [KEPT_BYTES + 1, true],
    [1_000_000, true],
  ] as const) {
    const { result } = await sendToHandler((_request, response) => response.end('a'.repeat(size)))
    assert.is(result.response_body, 'a'.repeat(Math.min(size, KEPT_BYTES)))
    assert.is(result.response_body_truncated, isCut, `${size} bytes`)
    assert.is(result.error, null)
  }
})

test('succeeds with an endless response body after the maximum length was read', async () => {
  const { result } = await sendToHandler((_request, response) => {
    const pour = () => {
      while (!response.destroyed && response.write('a'.repeat(10_000))) {}
    }
    response.on('drain', pour)
    pour()
  })
  assert.is(result.error, null)
  assert.is(result.response_body_truncated, true)
})

test('replaces invalid UTF-8 and control characters in a response body, and truncates at a whole character', async () => {
  const bytes = Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x00, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x09, 0x0a, 0x7f])
  const invalid = await sendToHandler((_request, response) => response.end(bytes))
  assert.is(invalid.result.response_body, 'a\ufffd\ufffd(\ufffd\ufffd[31m\t\n\ufffd')
  assert.is(invalid.result.response_body_truncated, false)
  const emoji = await sendToHandler((_request, response) => response.end(`abc${'🧾'.repeat(10_000)}`))
  assert.is(emoji.result.response_body, `abc${'🧾'.repeat((KEPT_BYTES - 4) / 4)}`)
  const noise = await sendToHandler((_request, response) => response.end(Buffer.alloc(KEPT_BYTES, 0xff)))
  assert.ok(Buffer.byteLength(noise.result.response_body ?? '') <= KEPT_BYTES)
  assert.is(noise.result.response_body_truncated, true)
})

test('reuses a connection for consecutive requests', async () => {
  const ports = new Set<number | undefined>()
  const receiver = await openWebhookServer((request, response) => {
    ports.add(request.socket.remotePort)
    response.end()
  })
  const sender = createSender({ guard, nowMs })
  for (let i = 0; i < 20; i += 1)
    await sender.send({ url: receiver.url, headers: SAMPLE_REQUEST.headers, body: SAMPLE_REQUEST.body })
  assert.is(ports.size, 1)
  await sender.close()
  await receiver.close()
})

test('reuses the connection after a response whose stored body is truncated', async () => {
  const ports = new Set<number | undefined>()
  const receiver = await openWebhookServer((request, response) => {
    ports.add(request.socket.remotePort)
    response.end('x'.repeat(20_000))
  })
  const sender = createSender({ guard, nowMs })
  for (let i = 0; i < 20; i += 1) {
    const { error, response_body_truncated } = await sender.send({
      ...{ url: receiver.url, headers: SAMPLE_REQUEST.headers, body: SAMPLE_REQUEST.body },
    })
    assert.equal([error, response_body_truncated], [null, true])
  }
  assert.is(ports.size, 1)
  await sender.close()
  await receiver.close()
})

test('a stalled path does not delay another path of the same origin', async () => {
  const receiver = await openWebhookServer((request, response) => {
    if (request.url !== '/hang') response.end()
  })
  const sender = createSender({ guard, nowMs })
  const { origin } = new URL(receiver.url)
  const hanging = sender.send({ url: `${origin}/hang`, headers: {}, body: '' })
  await receiver.waitFor(1)
  assert.is((await sender.send({ url: `${origin}/fast`, headers: {}, body: '' })).error, null)
  const broken = expectRejection(hanging)
  await sender.close()
  await broken
  await receiver.close()
})

test('rejects requests of a closed sender instead of reporting a failure', async () => {
  const receiver = await openWebhookServer(() => {})
  const sender = createSender({ guard, nowMs })
  const hanging = expectRejection(sender.send({ url: receiver.url, headers: {}, body: '' }))
  await receiver.waitFor(1)
  await sender.close()
  await hanging
  await expectRejection(sender.send({ url: receiver.url, headers: {}, body: '' }))
  await receiver.close()
})

test('rejects an invalid request', async () => {
  const sender = createSender({ guard, nowMs })
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
