import { get, type IncomingMessage } from 'node:http'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { type StreamRoute, streamRoutes } from '../../../src/api/operations/streams.ts'
import type { StreamTarget } from '../../../src/api/resources/stream-messages.ts'
import { toQueryString } from '../../../src/client/request.ts'
import { checkSchema } from '../../support/contract.ts'
import type { TestDaemon } from '../../support/daemon.ts'

/** An open stream. */
export interface StreamReading {
  readonly frames: readonly EventSourceMessage[]
  /** The received text. */
  readonly text: () => string
  /** Resolves with the frames of an event name once `count` frames have arrived. */
  readonly waitFor: (event: string, count: number) => Promise<readonly EventSourceMessage[]>
  /** Resolves with the data of the first frame of an event name. */
  readonly read: (event: string) => Promise<ReturnType<typeof JSON.parse>>
  /** Resolves once the received text includes `part`. */
  readonly waitForText: (part: string) => Promise<void>
  readonly response: IncomingMessage
  readonly close: () => void
}

/** Opens the event stream of a daemon and resolves when it has received the headers. */
export function readStream(
  daemon: Pick<TestDaemon, 'location'>,
  query: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamReading> {
  return readRoute(daemon, { route: streamRoutes.events, query, headers })
}

interface ReadRouteOptions {
  readonly route: Pick<StreamRoute<unknown>, 'path' | 'responses'>
  readonly query?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens a stream of a daemon and resolves when it has received the headers; checks each frame against its schema. */
export async function readRoute(
  daemon: { readonly location: Pick<TestDaemon['location'], 'api_url' | 'api_key'> },
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
  const frames: EventSourceMessage[] = []
  let text = ''
  let wake = () => {}
  const parser = createParser({
    onEvent(frame) {
      frames.push(frame)
      checkFrame(frame, answers)
    },
  })
  response.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    parser.feed(piece)
    wake()
  })
  const nextPiece = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  response.on('error', () => {})
  const waitFor: StreamReading['waitFor'] = async (event, count) => {
    const found = () => frames.filter((frame) => frame.event === event)
    while (found().length < count) await nextPiece()
    return found()
  }
  return {
    ...{ frames, text: () => text, waitFor },
    async read(event) {
      const [frame] = await waitFor(event, 1)
      return JSON.parse(frame?.data ?? '')
    },
    async waitForText(part) {
      while (!text.includes(part)) await nextPiece()
    },
    response,
    close: () => response.destroy(),
  }
}

function checkFrame({ event, data }: EventSourceMessage, answers: StreamRoute<unknown>['responses']): void {
  if (!('events' in answers)) return
  const { title } = answers.events[event ?? ''] ?? {}
  if (title === undefined) throw new Error(`no stream has a schema for ${event}`)
  checkSchema(['components', 'schemas', title], JSON.parse(data), title)
}

/** Returns the first target in the `ready` event of a listener. */
export async function firstTarget(reading: StreamReading): Promise<StreamTarget> {
  return (await reading.read('ready')).targets[0]
}
