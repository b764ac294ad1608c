import { get, type IncomingMessage } from 'node:http'
import { type StreamRoute, streams } from '../../src/api/operations/streams.ts'
import type { StreamTarget } from '../../src/api/resources/streams.ts'
import { toQueryString } from '../../src/client/request.ts'
import { createSseParser, type SseMessage } from '../../src/client/sse-parser.ts'
import { checkSchema } from '../support/contract.ts'
import type { TestDaemon } from '../support/daemon.ts'

/** An open stream. */
export interface StreamReading {
  readonly frames: readonly SseMessage[]
  /** The received text. */
  readonly text: () => string
  /** Resolves with the frames of an event name once there are enough. */
  readonly waitFor: (event: string, count: number) => Promise<readonly SseMessage[]>
  readonly response: IncomingMessage
  readonly close: () => void
}

/** Opens the event stream of a daemon and resolves when it has received the headers. */
export function readStream(
  daemon: Pick<TestDaemon, 'location'>,
  query: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamReading> {
  return readRoute(daemon, { route: streams.events, query, headers })
}

interface ReadRouteOptions {
  readonly route: Pick<StreamRoute<unknown>, 'path' | 'responses'>
  readonly query?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens a stream of a daemon and resolves when it has received the headers; checks each frame against its schema. */
export async function readRoute(
  daemon: Pick<TestDaemon, 'location'>,
  { route: { path, responses: answers }, query = {}, headers = {} }: ReadRouteOptions,
): Promise<StreamReading> {
  const { api_url, api_key } = daemon.location
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(
      `${api_url}${path}?${toQueryString(query)}`,
      { headers: { Authorization: `Bearer ${api_key}`, ...headers }, agent: false },
      resolve,
    ).on('error', reject)
  })
  const frames: SseMessage[] = []
  let text = ''
  let wake = () => {}
  const read = createSseParser((frame) => {
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
    async waitFor(event, count) {
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

function checkFrame({ event, data }: SseMessage, answers: StreamRoute<unknown>['responses']): void {
  // A heartbeat has no data.
  if (event === '' || !('events' in answers)) return
  const { title } = answers.events[event] ?? {}
  if (title === undefined) throw new Error(`no stream has a schema for ${event}`)
  checkSchema(['components', 'schemas', title], JSON.parse(data), event)
}

/** Returns the first target in the `ready` event of a listener. */
export async function firstTarget(reading: StreamReading): Promise<StreamTarget> {
  const [ready] = await reading.waitFor('ready', 1)
  return JSON.parse(ready?.data ?? '').targets[0]
}
