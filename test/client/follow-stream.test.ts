import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError } from '../../src/client/api-error.ts'
import { ConnectionError } from '../../src/client/connection-error.ts'
import {
  type FollowStreamOptions,
  followStream,
  getDefaultBackoffMs,
} from '../../src/client/follow-stream.ts'
import { assert, suite } from '../support/suite.ts'
import { recordTimers, withHeldTimers } from '../support/timers.ts'

const test = suite('client/follow-stream')

type RespondToRequest = (request: IncomingMessage, response: ServerResponse, count: number) => void

async function serve(respond: RespondToRequest) {
  let count = 0
  const positions: (string | undefined)[] = []
  const server = createServer((request, response) => {
    count += 1
    positions.push(request.headers['last-event-id'] as string | undefined)
    respond(request, response, count)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}`,
    positions,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function writeStream(response: ServerResponse, messages: string): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.write(messages)
}

const ready = (sequence: number, database = 'a') =>
  `id: ${sequence}\nevent: ready\ndata: ${JSON.stringify({ database })}\n\n`
const event = (id: number) => `id: ${id}\nevent: event\ndata: {"sequence":${id}}\n\n`

/** Follows a stream until `count` events arrived; returns the states and messages. */
async function followUntil(apiBase: string, count: number, options: Partial<FollowStreamOptions> = {}) {
  const stop = new AbortController()
  const [states, seen]: [string[], string[]] = [[], []]
  await followStream({
    apiBase,
    query: {},
    signal: stop.signal,
    backoffMs: () => 0,
    onState: (state) => states.push(state),
    onMessage({ event: name, data }) {
      seen.push(`${name} ${data}`)
      if (seen.filter((text) => text.startsWith('event')).length === count) stop.abort()
    },
    ...options,
  })
  return { states, seen }
}

/** Follows a stream that ends after its first messages, until `count` events arrived on both of its connections. */
async function followTwice(
  messages: readonly [first: string, second: string],
  count: number,
  options: Partial<FollowStreamOptions> = {},
) {
  const [first, second] = messages
  const server = await serve((_request, response, connection) => {
    writeStream(response, connection === 1 ? first : second)
    if (connection === 1) response.end()
  })
  const followed = await followUntil(server.base, count, options).finally(server.close)
  return { ...followed, positions: server.positions }
}

test('resumes a lost stream after the last event', async () => {
  const { states, positions } = await followTwice([ready(3) + event(4), ready(4) + event(5)], 2)
  assert.equal(positions, [undefined, '4'])
  assert.equal(states, ['connecting', 'ready', 'retrying', 'ready'])
})

test('resumes after the id of a heartbeat, which has no data', async () => {
  const heartbeat = ': still here\nid: 8\n\n'
  const { seen, positions } = await followTwice([ready(3) + heartbeat, ready(8) + event(9)], 1)
  assert.equal([positions, seen.length], [[undefined, '8'], 3])
})

test('joins an event whose bytes arrive in several chunks', async () => {
  const server = await serve((_request, response) => {
    const bytes = Buffer.from(`${ready(3)}event: event\ndata: {"name":"é😀"}\n\n`)
    writeStream(response, '')
    const sendByte = (at: number) =>
      response.write(bytes.subarray(at, at + 1), () => at < bytes.length && setImmediate(sendByte, at + 1))
    sendByte(0)
  })
  const { seen } = await followUntil(server.base, 1)
  server.close()
  assert.is(seen.at(-1), 'event {"name":"é😀"}')
})

test('resumes after the id of the ready message before the first event', async () => {
  const { positions } = await followTwice([ready(3), ready(3) + event(4)], 1)
  assert.equal(positions, [undefined, '3'])
})

test('rejects with an error of a callback, even if it looks like a connection error', async () => {
  const server = await serve((_request, response) => writeStream(response, ready(3) + event(4)))
  for (const at of ['onMessage', 'onState'] as const) {
    const own = Object.assign(new Error('no such field'), { code: 'ECONNRESET' })
    const states: string[] = []
    const onState = (state: string) => {
      states.push(state)
      if (at === 'onState' && state === 'ready') throw own
    }
    const onMessage = () => {
      throw own
    }
    const ended = await followUntil(server.base, 1, { onState, onMessage }).catch((error: unknown) => error)
    assert.is(ended, own)
    assert.equal(states, ['connecting', 'ready'])
  }
  server.close()
  assert.is(server.positions.length, 2)
})

const SILENCE_MS = 20

test('reconnects when the stream sends no data for the timeout', async () => {
  const server = await serve((_request, response, count) => {
    writeStream(response, count === 1 ? ready(3) : ready(3) + event(4))
  })
  const states: string[] = []
  await withHeldTimers([SILENCE_MS], ({ ring }) =>
    followUntil(server.base, 1, {
      silenceMs: SILENCE_MS,
      onState(state) {
        states.push(state)
        // The ready message restarted the timer, and no data follows.
        if (states.join() === 'connecting,ready') setImmediate(ring, SILENCE_MS)
      },
    }),
  )
  server.close()
  assert.equal(states, ['connecting', 'ready', 'retrying', 'ready'])
})

test('waits up to 45 seconds for data by default', async () => {
  const server = await serve((_request, response) => writeStream(response, ready(3) + event(4)))
  const set = await recordTimers(() => followUntil(server.base, 1))
  server.close()
  // The connection and each chunk start the timer.
  assert.ok(set.filter((ms) => ms === 45_000).length >= 2, set.join(' '))
})

test('resumes a stream that the server closed, and reports the reason', async () => {
  const close = `id: 4\nevent: close\ndata: ${JSON.stringify({ reason: 'too_slow', message: 'Nothing was read' })}\n\n`
  const reasons: (string | null)[] = []
  const { positions } = await followTwice([ready(3) + event(4) + close, ready(4) + event(5)], 2, {
    onState: (_state, reason) => reasons.push(reason),
  })
  assert.equal(positions, [undefined, '4'])
  assert.equal(reasons, [null, null, 'Nothing was read. The stream resumes after the last event.', null])
})

test('resumes immediately after a reset of the sandbox, from the sequence of its new contents', async () => {
  const close = `event: close\ndata: ${JSON.stringify({ reason: 'reset', message: 'The sandbox was reset' })}\n\n`
  const reset = 'id: 2\nevent: sandbox.reset\ndata: {"continues_after":2}\n\n'
  const backoffMs = () => assert.unreachable('the client waited') as never
  const { states, seen, positions } = await followTwice(
    [ready(8) + event(9) + reset + close, ready(2, 'b') + event(3)],
    2,
    { backoffMs },
  )
  assert.equal(positions, [undefined, '2'])
  assert.equal(states, ['connecting', 'ready', 'ready'])
  assert.ok(seen.includes('sandbox.reset {"continues_after":2}'))
})

test('emits a reset and starts from sequence 0 when the server has another database', async () => {
  const server = await serve((_request, response, count) => {
    writeStream(response, count === 1 ? ready(30) : ready(count === 2 ? 30 : 0, 'b') + event(1))
    if (count === 1) response.end()
  })
  const { seen } = await followUntil(server.base, 1)
  server.close()
  assert.equal(server.positions, [undefined, '30', '0'])
  assert.ok(seen.includes('reset {"after":"30","continues_after":"0"}'), seen.join('\n'))
})

test('reconnects without a limit and reports the state down', async () => {
  const server = await serve((_request, response, count) => {
    if (count === 1) writeStream(response, ready(3))
    if (count === 1) response.end()
    else if (count < 7) response.writeHead(503, { 'Content-Type': 'application/json' }).end(UNAVAILABLE)
    else writeStream(response, ready(3) + event(4))
  })
  const { states } = await followUntil(server.base, 1)
  server.close()
  assert.equal(
    states.filter((state) => state !== 'retrying'),
    ['connecting', 'ready', 'down', 'down', 'ready'],
  )
})

const UNAVAILABLE = JSON.stringify({ error: { type: 'api_error', code: 'unavailable', message: 'Later.' } })

test('doubles the wait before a reconnection after each failure, up to 5 seconds', () => {
  assert.equal([1, 2, 3, 4, 5, 6, 100].map(getDefaultBackoffMs), [250, 500, 1000, 2000, 4000, 5000, 5000])
})

test('rejects when no server listens at the start, and for any permanent error response', async () => {
  const none = await followStream({
    apiBase: 'http://127.0.0.1:1',
    query: {},
    signal: new AbortController().signal,
    onMessage: () => {},
  }).catch((error) => error)
  assert.instance(none, ConnectionError)
  const invalid = { error: { type: 'authentication_error', code: 'api_key_invalid', message: 'No.' } }
  const server = await serve((_request, response) => {
    response.writeHead(401, { 'Content-Type': 'application/json' }).end(JSON.stringify(invalid))
  })
  const error = await followUntil(server.base, 1).catch((error) => error)
  server.close()
  assert.instance(error, ApiError)
  assert.is(error.error.code, 'api_key_invalid')
})

test.run()
