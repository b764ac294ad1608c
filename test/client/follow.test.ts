import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError } from '../../src/client/api-error.ts'
import { ConnectionError } from '../../src/client/connection-error.ts'
import { type FollowOptions, follow, usualPauseMs } from '../../src/client/follow.ts'
import { assert, suite } from '../support/suite.ts'
import { timersSetBy, withHeldTimers } from '../support/timers.ts'

const test = suite('client/follow')

type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => void

async function serve(answer: Answer) {
  let count = 0
  const places: (string | undefined)[] = []
  const server = createServer((request, response) => {
    count += 1
    places.push(request.headers['last-event-id'] as string | undefined)
    answer(request, response, count)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}`,
    places,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function stream(response: ServerResponse, frames: string): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.write(frames)
}

const ready = (sequence: number, database = 'a') =>
  `id: ${sequence}\nevent: ready\ndata: ${JSON.stringify({ database })}\n\n`
const event = (id: number) => `id: ${id}\nevent: event\ndata: {"sequence":${id}}\n\n`

/** Follows until the wanted number of events came; tells the states and the frames that came. */
async function followed(apiBase: string, wanted: number, options: Partial<FollowOptions> = {}) {
  const stop = new AbortController()
  const [states, seen]: [string[], string[]] = [[], []]
  await follow({
    apiBase,
    query: {},
    signal: stop.signal,
    pauseMs: () => 0,
    onState: (state) => states.push(state),
    onFrame({ event: name, data }) {
      seen.push(`${name} ${data}`)
      if (seen.filter((text) => text.startsWith('event')).length === wanted) stop.abort()
    },
    ...options,
  })
  return { states, seen }
}

test('a stream that breaks off is taken up after the last event', async () => {
  const server = await serve((_request, response, count) => {
    stream(response, count === 1 ? ready(3) + event(4) : ready(4) + event(5))
    if (count === 1) response.end()
  })
  const { states } = await followed(server.base, 2)
  server.close()
  assert.equal(server.places, [undefined, '4'])
  assert.equal(states, ['connecting', 'ready', 'retrying', 'ready'])
})

test('before the first event the place is the one the service named', async () => {
  const server = await serve((_request, response, count) => {
    stream(response, count === 1 ? ready(3) : ready(3) + event(4))
    if (count === 1) response.end()
  })
  await followed(server.base, 1)
  server.close()
  assert.equal(server.places, [undefined, '3'])
})

test('an error of the reader ends it, and is never one of the connection', async () => {
  const server = await serve((_request, response) => stream(response, ready(3) + event(4)))
  for (const at of ['onFrame', 'onState'] as const) {
    const own = Object.assign(new Error('no such field'), { code: 'ECONNRESET' })
    const states: string[] = []
    const onState = (state: string) => {
      states.push(state)
      if (at === 'onState' && state === 'ready') throw own
    }
    const onFrame = () => {
      throw own
    }
    const ended = await followed(server.base, 1, { onState, onFrame }).catch((error: unknown) => error)
    assert.is(ended, own)
    assert.equal(states, ['connecting', 'ready'])
  }
  server.close()
  assert.is(server.places.length, 2)
})

const SILENCE_MS = 20

test('silence counts as an end', async () => {
  const server = await serve((_request, response, count) => {
    stream(response, count === 1 ? ready(3) : ready(3) + event(4))
  })
  const states: string[] = []
  await withHeldTimers([SILENCE_MS], ({ ring }) =>
    followed(server.base, 1, {
      silenceMs: SILENCE_MS,
      onState(state) {
        states.push(state)
        // The timer was set anew by what made it ready, and nothing more comes.
        if (states.join() === 'connecting,ready') setImmediate(ring, SILENCE_MS)
      },
    }),
  )
  server.close()
  assert.equal(states, ['connecting', 'ready', 'retrying', 'ready'])
})

test('45 seconds of silence are an end unless told otherwise', async () => {
  const server = await serve((_request, response) => stream(response, ready(3) + event(4)))
  const set = await timersSetBy(() => followed(server.base, 1))
  server.close()
  // Once when it connects, and anew with each piece that came.
  assert.ok(set.filter((ms) => ms === 45_000).length >= 2, set.join(' '))
})

test('a stream that the service ends is taken up where it was, with its reason told', async () => {
  const farewell = `id: 4\nevent: close\ndata: ${JSON.stringify({ reason: 'too_slow', message: 'Nothing was read' })}\n\n`
  const server = await serve((_request, response, count) => {
    stream(response, count === 1 ? ready(3) + event(4) + farewell : ready(4) + event(5))
    if (count === 1) response.end()
  })
  const reasons: (string | null)[] = []
  await followed(server.base, 2, { onState: (_state, reason) => reasons.push(reason) })
  server.close()
  assert.equal(server.places, [undefined, '4'])
  assert.equal(reasons, [null, null, 'Nothing was read. It goes on where it was.', null])
})

test('another database under the same address begins anew', async () => {
  const server = await serve((_request, response, count) => {
    stream(response, count === 1 ? ready(30) : ready(count === 2 ? 30 : 0, 'b') + event(1))
    if (count === 1) response.end()
  })
  const { seen } = await followed(server.base, 1)
  server.close()
  assert.equal(server.places, [undefined, '30', '0'])
  assert.ok(seen.includes('reset {"after":"30","continues_after":"0"}'), seen.join('\n'))
})

test('it tries again for ever, and says when it stays down', async () => {
  const server = await serve((_request, response, count) => {
    if (count === 1) stream(response, ready(3))
    if (count === 1) response.end()
    else if (count < 7) response.writeHead(503, { 'Content-Type': 'application/json' }).end(UNAVAILABLE)
    else stream(response, ready(3) + event(4))
  })
  const { states } = await followed(server.base, 1)
  server.close()
  assert.equal(
    states.filter((state) => state !== 'retrying'),
    ['connecting', 'ready', 'down', 'down', 'ready'],
  )
})

const UNAVAILABLE = JSON.stringify({ error: { type: 'api_error', code: 'unavailable', message: 'Later.' } })

test('it waits longer after each failure, and never longer than 5 seconds', () => {
  assert.equal([1, 2, 3, 4, 5, 6, 100].map(usualPauseMs), [250, 500, 1000, 2000, 4000, 5000, 5000])
})

test('nobody there at the first try, and a no at any, are errors', async () => {
  const none = await follow({
    apiBase: 'http://127.0.0.1:1',
    query: {},
    signal: new AbortController().signal,
    onFrame: () => {},
  }).catch((error) => error)
  assert.instance(none, ConnectionError)
  const invalid = { error: { type: 'authentication_error', code: 'api_key_invalid', message: 'No.' } }
  const server = await serve((_request, response) => {
    response.writeHead(401, { 'Content-Type': 'application/json' }).end(JSON.stringify(invalid))
  })
  const refused = await followed(server.base, 1).catch((error) => error)
  server.close()
  assert.instance(refused, ApiError)
  assert.is(refused.error.code, 'api_key_invalid')
})

test.run()
