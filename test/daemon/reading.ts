import { get, type IncomingMessage } from 'node:http'
import { type StreamRoute, streams } from '../../src/api/operations/streams.ts'
import type { StreamTarget } from '../../src/api/resources/streams.ts'
import { createFrameReader, type Frame } from '../../src/client/frames.ts'
import { queryOf } from '../../src/client/request.ts'
import { checkSchema } from '../support/contract.ts'
import type { TestDaemon } from '../support/daemon.ts'

/** A reader of the stream that acknowledges nothing by itself. */
export interface Reading {
  readonly frames: readonly Frame[]
  /** All that came, as text. */
  readonly text: () => string
  /** Resolves with the frames of this name once there are so many. */
  readonly has: (event: string, count: number) => Promise<readonly Frame[]>
  readonly response: IncomingMessage
  readonly close: () => void
}

/** Opens the stream of events of a daemon, and resolves when its head is there. */
export function readStream(
  daemon: Pick<TestDaemon, 'location'>,
  query: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Reading> {
  return readRoute(daemon, { route: streams.events, query, headers })
}

interface Asked {
  readonly route: Pick<StreamRoute<unknown>, 'path' | 'answers'>
  readonly query?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens a stream of a daemon, and resolves when its head is there; every frame has to be as published. */
export async function readRoute(
  daemon: Pick<TestDaemon, 'location'>,
  { route: { path, answers }, query = {}, headers = {} }: Asked,
): Promise<Reading> {
  const { api_url, api_key } = daemon.location
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(
      `${api_url}${path}?${queryOf(query)}`,
      { headers: { Authorization: `Bearer ${api_key}`, ...headers }, agent: false },
      resolve,
    ).on('error', reject)
  })
  const frames: Frame[] = []
  let text = ''
  let wake = () => {}
  const read = createFrameReader((frame) => {
    frames.push(frame)
    checkFrame(frame, answers)
  })
  response.on('data', (piece: Buffer) => {
    text += piece.toString()
    read(piece)
    wake()
  })
  response.on('error', () => {})
  return {
    frames,
    text: () => text,
    async has(event, count) {
      const found = () => frames.filter((frame) => frame.event === event)
      while (found().length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return found()
    },
    response,
    close: () => response.destroy(),
  }
}

function checkFrame({ event, data }: Frame, answers: StreamRoute<unknown>['answers']): void {
  // A heartbeat has nothing to tell.
  if (event === '' || !('events' in answers)) return
  const { title } = answers.events[event] ?? {}
  if (title === undefined) throw new Error(`no stream is published to tell of ${event}`)
  checkSchema(['components', 'schemas', title], JSON.parse(data), event)
}

/** The first target of a listener, as its stream said when it was ready. */
export async function targetOf(reading: Reading): Promise<StreamTarget> {
  const [ready] = await reading.has('ready', 1)
  return JSON.parse(ready?.data ?? '').targets[0]
}
