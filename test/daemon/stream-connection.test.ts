import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFrameReader, type Frame } from '../../src/client/frames.ts'
import { createStreamConnection } from '../../src/daemon/stream-connection.ts'
import { createStreamSources, type Piece } from '../../src/daemon/stream-source.ts'
import { nextTurn } from '../../src/daemon/ticker.ts'
import type { Event } from '../../src/domain/events.ts'
import type { Reader } from '../../src/store/port/store.ts'
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

const eventsOf = (reader: Reader) => createStreamSources(reader, async () => {}).events(null)
const isKeyOpen = async () => true
const textOf = (piece: Piece | null) => piece && { text: piece.bytes.toString(), place: piece.place }

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
  const source = eventsOf(storeOf(1, 250))
  const connection = createStreamConnection({ response, source, isKeyOpen, nowMs: () => 0, after: '0' })
  await connection.pull()
  while (!text.includes('id: 250\n')) await nextTurn()
  connection.close('stopping')
  await once(answer, 'end')
  close()
  const places = [...text.matchAll(/^id: (\d+)\nevent: event$/gm)].map(([, place]) => Number(place))
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
  const source = eventsOf(storeOf(41, 50))
  const connection = createStreamConnection({ response, source, isKeyOpen, nowMs: () => 0, after: '7' })
  await connection.pull()
  connection.close('stopping')
  await once(answer, 'end')
  close()
  assert.match(text, /id: 40\nevent: reset\ndata: \{"after":7,"continues_after":40\}\n\nid: 41\n/)
  assert.is([...text.matchAll(/^event: event$/gm)].length, 10)
})

/** What of a stream has been read so far, in order. */
function readFrames(answer: IncomingMessage): readonly Frame[] {
  const frames: Frame[] = []
  answer.on(
    'data',
    createFrameReader((frame) => frames.push(frame)),
  )
  return frames
}

test('who reads nothing has little waiting, is told why it is cut off, and has all of it once it resumes', async () => {
  const { response, answer, close } = await pair()
  let reads = 0
  let now = 0
  const store = storeOf(1, 100_000, () => {
    reads += 1
  })
  const source = eventsOf(store)
  const connection = createStreamConnection({ response, source, isKeyOpen, nowMs: () => now, after: '0' })
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
  const places = frames.filter(({ event }) => event === 'event').map(({ id }) => Number(id))
  assert.equal(
    places,
    places.map((_, index) => index + 1),
  )
  assert.is(reads, before)
  assert.equal([last?.event, last?.id], ['close', String(places.at(-1))])
  assert.equal(JSON.parse(last?.data ?? ''), {
    reason: 'too_slow',
    message: 'The service ended the stream: nothing was read of it for 45 s',
  })
  const next = await source.after(last?.id ?? '')
  assert.match(textOf(next)?.text ?? '', new RegExp(`^id: ${places.length + 1}\n`))
})

test('sends nothing that was read after its key was revoked, and says why it ends', async () => {
  const { response, answer, close } = await pair()
  const frames = readFrames(answer)
  let isOpen = true
  const source = eventsOf(
    storeOf(1, 3, () => {
      isOpen = false
    }),
  )
  const keyed = { isKeyOpen: async () => isOpen }
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

test('lets the event loop answer others between the pieces of many readers, which share what is read', async () => {
  let [reads, turns] = [0, 0]
  const store = storeOf(1, 50, () => {
    reads += 1
  })
  const sources = createStreamSources(store, async () => {
    turns += 1
  })
  const pieces = await Promise.all(Array.from({ length: 20 }, () => sources.events(null).after('0')))
  assert.is(turns, 20)
  assert.is(reads, 1)
  assert.is(new Set(pieces.map((piece) => piece?.bytes)).size, 1)
  const few = await sources.events(new Set(['customer.deleted'])).after('0')
  assert.equal(textOf(few), { text: '', place: '50' })
})

test('ends a piece with the event that makes it longer than 32 KiB', async () => {
  const piece = await eventsOf(storeOf(1, 100)).after('0')
  const size = piece?.bytes.length ?? 0
  assert.ok(size > 32 * 1024 && size < 34 * 1024, `${size} bytes`)
  assert.match(textOf(piece)?.text ?? '', new RegExp(`id: ${piece?.place}\\n(?!.*id: )`, 's'))
})

test('who does not read the farewell either is cut off without it', async () => {
  const { response, answer, close } = await pair()
  answer.pause()
  let now = 0
  const source = eventsOf(storeOf(1, 100_000))
  const connection = createStreamConnection({ response, source, isKeyOpen, nowMs: () => now, after: '0' })
  await connection.pull()
  for (now of [45_000, 59_999]) connection.tick()
  assert.is(response.destroyed, false)
  now = 60_000
  connection.tick()
  assert.is(response.destroyed, true)
  close()
})

test('a store that goes away while a reader reads what it has ends no process', async () => {
  let asked = 0
  const source = {
    async after() {
      asked += 1
      if (asked > 1) throw new Error('the store went away')
      return { bytes: Buffer.alloc(3_000_000, 'x'), place: '1' }
    },
  }
  const server = createServer((_request, response) => {
    response.writeHead(200)
    const connection = createStreamConnection({ response, source, isKeyOpen, nowMs: () => 0, after: '0' })
    connection.pull().catch(() => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const [answer] = await once(get({ host: '127.0.0.1', port }), 'response')
  answer.resume()
  while (asked < 2) await nextTurn()
  // An error that nobody hears would end the process here.
  await nextTurn()
  server.closeAllConnections()
  server.close()
})

test('requests come after the one a reader had, and after a gap from the oldest', async () => {
  const log = (id: string) => ({ id, object: 'request_log', status: id === 'req_2' ? 404 : 200 })
  const kept = ['req_1', 'req_2', 'req_3'].map(log)
  const reader: Partial<Reader> = {
    get: async (_collection, id) => (kept.find((one) => one.id === id) ?? null) as never,
    oldest: async (_collection, _limit, after) =>
      kept.slice(kept.findIndex(({ id }) => id === after) + 1) as never,
  }
  const source = createStreamSources(reader as Reader, nextTurn).requestLogs(({ status }) => status === 404)
  assert.equal(textOf(await source.after('req_1')), {
    text: `id: req_2\nevent: request_log\ndata: ${JSON.stringify(kept[1])}\n\n`,
    place: 'req_3',
  })
  assert.is(await source.after('req_3'), null)
  const gap = await source.after('req_0')
  assert.equal(textOf(gap), { text: 'id: 0\nevent: reset\ndata: {"after":"req_0"}\n\n', place: '0' })
  assert.is((await source.after(gap?.place ?? ''))?.place, 'req_3')
})

test.run()
