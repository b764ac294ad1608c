import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createStreamConnection } from '../../src/daemon/stream-connection.ts'
import type { Event } from '../../src/domain/events.ts'
import type { Reader } from '../../src/store/store.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('daemon/stream-connection')

/** As much of a store as the stream reads: events of a kilobyte each from `oldest` to `newest`. */
function storeOf(oldest: number, newest: number, onRead = () => {}): Reader {
  const eventAt = (sequence: number) =>
    ({
      id: `evt_${sequence}`,
      type: 'customer.created',
      sequence,
      filler: 'x'.repeat(1000),
    }) as unknown as Event
  const reader: Partial<Reader> = {
    newestSequence: async () => newest,
    oldest: async () => (newest < oldest ? [] : [eventAt(oldest)]) as never,
    async list(_collection, { ranges }) {
      onRead()
      const { gt = 0, lte = 0 } = ranges?.[0] ?? {}
      const places = Array.from({ length: lte - gt }, (_, index) => lte - index)
      return { data: places.filter((place) => place >= oldest).map(eventAt) as never, has_more: false }
    },
  }
  return reader as Reader
}

async function pair(): Promise<{ response: ServerResponse; answer: IncomingMessage; close: () => void }> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const answered = new Promise<IncomingMessage>((resolve) => {
    get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }, resolve)
  })
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  response.writeHead(200)
  response.write(': paycli\n\n')
  const answer = await answered
  answer.on('error', () => {})
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { response, answer, close }
}

test('events come in the order of the sequence, window by window', async () => {
  const { response, answer, close } = await pair()
  let text = ''
  answer.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  const connection = createStreamConnection({
    ...{ response, reader: storeOf(1, 250), nowMs: () => 0, types: null, after: 0 },
  })
  await connection.pull()
  connection.close()
  await once(answer, 'end')
  close()
  const places = [...text.matchAll(/^id: (\d+)$/gm)].map(([, place]) => Number(place))
  assert.equal(
    places,
    Array.from({ length: 250 }, (_, index) => index + 1),
  )
})

test('what is not kept any more is reset, and the rest follows', async () => {
  const { response, answer, close } = await pair()
  let text = ''
  answer.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  const connection = createStreamConnection({
    ...{ response, reader: storeOf(41, 50), nowMs: () => 0, types: null, after: 7 },
  })
  await connection.pull()
  connection.close()
  await once(answer, 'end')
  close()
  assert.match(text, /event: reset\ndata: \{"after":7,"continues_after":40\}\n\nid: 41\n/)
  assert.is([...text.matchAll(/^id: /gm)].length, 10)
})

test('who reads nothing has little waiting in memory, and is cut off after 45 seconds', async () => {
  const { response, answer, close } = await pair()
  answer.pause()
  let reads = 0
  let now = 0
  const reader = storeOf(1, 1_000_000, () => {
    reads += 1
  })
  const connection = createStreamConnection({ response, reader, nowMs: () => now, types: null, after: 0 })
  await connection.pull()
  const [waiting, before] = [response.writableLength, reads]
  assert.ok(waiting < 1.3 * 1024 * 1024, `${waiting} bytes wait`)
  await connection.pull()
  assert.is(reads, before)
  now = 44_999
  connection.tick()
  assert.is(response.destroyed, false)
  now = 45_000
  connection.tick()
  assert.is(response.destroyed, true)
  close()
})

test.run()
