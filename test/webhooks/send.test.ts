import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createSender, type SendResult } from '../../src/webhooks/send.ts'
import { assert, suite } from '../support/suite.ts'
import { timersSetBy, withHeldTimers } from '../support/timers.ts'
import { openReceiver } from './receiver.ts'
import { guard, nowMs, SENT, sendAgainst, sendToSocket } from './sending.ts'

const test = suite('webhooks/send')

const KEPT_BYTES = 16 * 1024
const TIMEOUT_MS = 60
/** What undici tells of on this channel of `node:diagnostics_channel`. */
const PIECE_CAME = 'undici:request:bodyChunkReceived'

test('the bytes and headers arrive as given', async () => {
  const { result, receiver } = await sendAgainst((_request, response) => response.end('thanks'))
  const [received] = receiver.received
  assert.is(received?.method, 'POST')
  assert.is(received?.url, '/hook')
  assert.is(received?.body, SENT.body)
  assert.is(received?.headers['content-length'], String(Buffer.byteLength(SENT.body)))
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

test('durations come from the given clock', async () => {
  const receiver = await openReceiver()
  const times = [1000, 1234.4]
  const sender = createSender({ guard, nowMs: () => times.shift() ?? Number.NaN })
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
    assert.is(result.error_message === null, error === null)
    assert.is(result.response_body, '')
    assert.is(result.retry_after, '120')
    assert.is(receiver.received.length, 1, 'never followed or repeated')
  })
}

test('a Retry-After that is no header of a sane length says nothing', async () => {
  for (const given of ['9'.repeat(201), '\u00e9']) {
    const { result } = await sendAgainst((_request, response) => {
      response.writeHead(503, { 'retry-after': given }).end()
    })
    assert.equal([result.http_status, result.retry_after], [503, null])
  }
})

test('a receiver has 15 seconds unless told otherwise', async () => {
  const set = await timersSetBy(() => sendAgainst((_request, response) => response.end()))
  assert.ok(set.includes(15_000), set.join(' '))
})

test('silence ends after the configured time', async () => {
  const { result } = await withHeldTimers([TIMEOUT_MS], ({ ring }) =>
    sendAgainst(() => ring(TIMEOUT_MS), TIMEOUT_MS),
  )
  assert.is(result.error, 'timeout')
  assert.match(result.error_message ?? '', 'no whole answer within 0.06 s')
  assert.is(result.http_status, null)
  assert.is(result.response_body, null)
})

test('a handshake that never ends counts as silence', async () => {
  const result = await withHeldTimers([TIMEOUT_MS], ({ ring }) => {
    const onSocket = (socket: Socket) => socket.once('data', () => ring(TIMEOUT_MS))
    return sendToSocket(onSocket, 'https', TIMEOUT_MS)
  })
  assert.is(result.error, 'timeout')
})

test('headers and body share the time: a body that trickles is no success', async () => {
  const { result } = await withHeldTimers([TIMEOUT_MS], async ({ ring }) => {
    // Once the first piece was read, in the turn after it came.
    const onPiece = () => void setImmediate(ring, TIMEOUT_MS)
    subscribe(PIECE_CAME, onPiece)
    try {
      return await sendAgainst((_request, response) => {
        response.write('a')
        const trickle = setInterval(() => response.write('a'), 5)
        response.on('close', () => clearInterval(trickle))
      }, TIMEOUT_MS)
    } finally {
      unsubscribe(PIECE_CAME, onPiece)
    }
  })
  assert.is(result.error, 'timeout')
  assert.is(result.http_status, 200)
  assert.match(result.response_body ?? '', /^a+$/)
})

test('a gzip bomb stays packed', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000, 'a'))
  const { result } = await sendAgainst((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })
  assert.is(result.error, null)
  assert.ok(Buffer.byteLength(result.response_body ?? '') <= KEPT_BYTES)
  assert.not.match(result.response_body ?? '', /a{20}/)
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
  const sender = createSender({ guard, nowMs })
  for (let i = 0; i < 20; i += 1)
    await sender.send({ url: receiver.url, headers: SENT.headers, body: SENT.body })
  // Never the connection just used: it rests for one turn of the event loop, in case the receiver closes it.
  assert.ok(ports.size <= 2, `${ports.size} connections`)
  await sender.close()
  await receiver.close()
})

test('a path that hangs does not hold up another path of the same origin', async () => {
  const receiver = await openReceiver((request, response) => {
    if (request.url !== '/hang') response.end()
  })
  const sender = createSender({ guard, nowMs })
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
  const sender = createSender({ guard, nowMs })
  const hanging = expectRejection(sender.send({ url: receiver.url, headers: {}, body: '' }))
  await receiver.has(1)
  await sender.close()
  await hanging
  await expectRejection(sender.send({ url: receiver.url, headers: {}, body: '' }))
  await receiver.close()
})

test('a request that cannot be made is a bug, not a failure', async () => {
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
