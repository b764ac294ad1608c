import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { createStreamConnection } from '../../../src/daemon/streams/stream-connection.ts'
import { createStreamSources, type StreamChunk } from '../../../src/daemon/streams/stream-source.ts'
import { waitForNextTurn } from '../../../src/daemon/system/task-scheduling.ts'
import type { Event } from '../../../src/domain/events/events.ts'
import type { StoreReader } from '../../../src/store/port/store.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/streams/stream-connection')

/** Creates a fake store with events of 1 kB from `oldest` to `newest`. */
function storeOf(oldest: number, newest: number, onRead = () => {}): StoreReader {
  const eventAt = (sequence: number) =>
    ({
      id: `evt_${sequence}`,
      type: 'customer.created',
      sequence,
      filler: 'x'.repeat(1000),
    }) as unknown as Event
  const reader: Partial<StoreReader> = {
    newestSequence: async () => newest,
    listOldest: async () => (newest < oldest ? [] : [eventAt(oldest)]) as never,
    async list(_collection, { ranges }) {
      onRead()
      const { gt = 0, lte = 0 } = ranges?.[0] ?? {}
      const sequences = Array.from({ length: lte - gt }, (_, index) => lte - index)
      return {
        data: sequences.filter((sequence) => sequence >= oldest).map(eventAt) as never,
        has_more: false,
      }
    },
  }
  return reader as StoreReader
}

const eventsOf = (reader: StoreReader) => createStreamSources(reader, async () => {}).events(null)
const findKeyEnd = async () => null
const textOf = (chunk: StreamChunk | null) =>
  chunk && { text: chunk.bytes.toString(), position: chunk.position }

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

test('sends events in the order of their sequence across several queries', async () => {
  const { response, answer, close } = await pair()
  let text = ''
  answer.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const source = eventsOf(storeOf(1, 250))
  const connection = createStreamConnection({ response, source, findKeyEnd, nowMs: () => 0, after: '0' })
  await connection.pull()
  while (!text.includes('id: 250\n')) await waitForNextTurn()
  connection.close('stopping')
  await once(answer, 'end')
  close()
  const sequences = [...text.matchAll(/^id: (\d+)\nevent: event$/gm)].map(([, sequence]) => Number(sequence))
  assert.equal(
    sequences,
    Array.from({ length: 250 }, (_, index) => index + 1),
  )
})

test('sends a reset for deleted events and continues with the oldest existing event', async () => {
  const { response, answer, close } = await pair()
  let text = ''
  answer.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  const source = eventsOf(storeOf(41, 50))
  const connection = createStreamConnection({ response, source, findKeyEnd, nowMs: () => 0, after: '7' })
  await connection.pull()
  connection.close('stopping')
  await once(answer, 'end')
  close()
  assert.match(text, /id: 40\nevent: reset\ndata: \{"after":7,"continues_after":40\}\n\nid: 41\n/)
  assert.is([...text.matchAll(/^event: event$/gm)].length, 10)
})

/** Collects the frames of a stream. */
function readFrames(answer: IncomingMessage): readonly EventSourceMessage[] {
  const frames: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (frame) => frames.push(frame) })
  answer.setEncoding('utf8').on('data', parser.feed)
  return frames
}

test('buffers a limited amount of data for a stalled client, disconnects it with a reason, and lets it resume', async () => {
  const { response, answer, close } = await pair()
  let reads = 0
  let now = 0
  const store = storeOf(1, 100_000, () => {
    reads += 1
  })
  const source = eventsOf(store)
  const connection = createStreamConnection({ response, source, findKeyEnd, nowMs: () => now, after: '0' })
  await connection.pull()
  const [waiting, before] = [response.writableLength, reads]
  assert.ok(waiting < 100 * 1024, `${waiting} bytes wait`)
  await connection.pull()
  assert.is(reads, before)
  now = 44_999
  connection.tick()
  assert.is(connection.isOpen(), true)
  now = 45_000
  connection.tick()
  assert.is(connection.isOpen(), false)
  connection.send('offer', {})
  assert.ok(response.writableLength < waiting + 1000)
  const frames = readFrames(answer)
  await once(answer, 'end')
  close()
  const last = frames.at(-1)
  const sequences = frames.filter(({ event }) => event === 'event').map(({ id }) => Number(id))
  assert.equal(
    sequences,
    sequences.map((_, index) => index + 1),
  )
  assert.is(reads, before)
  assert.equal([last?.event, last?.id], ['close', String(sequences.at(-1))])
  assert.equal(JSON.parse(last?.data ?? ''), {
    reason: 'too_slow',
    message: 'The server closed the stream: the client read nothing for 45 s',
  })
  const next = await source.readAfter(last?.id ?? '')
  assert.match(textOf(next)?.text ?? '', new RegExp(`^id: ${sequences.length + 1}\n`))
})

test('sends no events that were read after the key of the client was revoked, and closes the stream with a reason', async () => {
  const { response, answer, close } = await pair()
  const frames = readFrames(answer)
  let isOpen = true
  const source = eventsOf(
    storeOf(1, 3, () => {
      isOpen = false
    }),
  )
  const keyed = { findKeyEnd: async () => (isOpen ? null : ('key_ended' as const)) }
  const connection = createStreamConnection({ response, source, ...keyed, nowMs: () => 0, after: '0' })
  await connection.pull()
  assert.is(connection.isOpen(), false)
  await once(answer, 'end')
  close()
  assert.equal(
    frames.filter(({ event }) => event !== '').map(({ event, id }) => [event, id]),
    [['close', '0']],
  )
  assert.is(JSON.parse(frames.at(-1)?.data ?? '').reason, 'key_ended')
})

test('yields to the event loop between the chunks of many clients, which share a cache', async () => {
  let [reads, turns] = [0, 0]
  const store = storeOf(1, 50, () => {
    reads += 1
  })
  const sources = createStreamSources(store, async () => {
    turns += 1
  })
  const chunks = await Promise.all(Array.from({ length: 20 }, () => sources.events(null).readAfter('0')))
  assert.is(turns, 20)
  assert.is(reads, 1)
  assert.is(new Set(chunks.map((chunk) => chunk?.bytes)).size, 1)
  const few = await sources.events(new Set(['customer.deleted'])).readAfter('0')
  assert.equal(textOf(few), { text: '', position: '50' })
})

test('ends a chunk with the event that exceeds 32 KiB', async () => {
  const chunk = await eventsOf(storeOf(1, 100)).readAfter('0')
  const size = chunk?.bytes.length ?? 0
  assert.ok(size > 32 * 1024 && size < 34 * 1024, `${size} bytes`)
  assert.match(textOf(chunk)?.text ?? '', new RegExp(`id: ${chunk?.position}\\n(?!.*id: )`, 's'))
})

test('destroys the connection of a client that does not read the close event', async () => {
  const { response, answer, close } = await pair()
  answer.pause()
  let now = 0
  const source = eventsOf(storeOf(1, 100_000))
  const connection = createStreamConnection({ response, source, findKeyEnd, nowMs: () => now, after: '0' })
  await connection.pull()
  for (now of [45_000, 59_999]) connection.tick()
  assert.is(response.destroyed, false)
  now = 60_000
  connection.tick()
  assert.is(response.destroyed, true)
  close()
})

test('causes no unhandled rejection when the store becomes unavailable while a client reads', async () => {
  let readCount = 0
  const source = {
    positionAfterReset: String,
    async readAfter() {
      readCount += 1
      if (readCount > 1) throw new Error('the store is unavailable')
      return { bytes: Buffer.alloc(3_000_000, 'x'), position: '1' }
    },
  }
  const { response, answer, close } = await pair()
  const connection = createStreamConnection({ response, source, findKeyEnd, nowMs: () => 0, after: '0' })
  connection.pull().catch(() => {})
  answer.resume()
  while (readCount < 2) await waitForNextTurn()
  // An unhandled rejection would end the process here.
  await waitForNextTurn()
  close()
})

test('sends request logs after a position, and starts with the oldest log after a reset', async () => {
  const log = (id: string) => ({ id, object: 'request_log', status: id === 'req_2' ? 404 : 200 })
  const kept = ['req_1', 'req_2', 'req_3'].map(log)
  const reader: Partial<StoreReader> = {
    get: async (_collection, id) => (kept.find((one) => one.id === id) ?? null) as never,
    listOldest: async (_collection, _limit, after) =>
      kept.slice(kept.findIndex(({ id }) => id === after) + 1) as never,
  }
  const source = createStreamSources(reader as StoreReader, waitForNextTurn).requestLogs(
    ({ status }) => status === 404,
  )
  assert.equal(textOf(await source.readAfter('req_1')), {
    text: `id: req_2\nevent: request_log\ndata: ${JSON.stringify(kept[1])}\n\n`,
    position: 'req_3',
  })
  assert.is(await source.readAfter('req_3'), null)
  const gap = await source.readAfter('req_0')
  assert.equal(textOf(gap), { text: 'id: 0\nevent: reset\ndata: {"after":"req_0"}\n\n', position: '0' })
  assert.is((await source.readAfter(gap?.position ?? ''))?.position, 'req_3')
})

test.run()
