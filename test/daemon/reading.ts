import { get, type IncomingMessage } from 'node:http'
import { createFrameReader, type Frame } from '../../src/client/frames.ts'
import { queryOf } from '../../src/client/request.ts'
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

/** Opens the stream of a daemon, and resolves when its head is there. */
export async function readStream(
  daemon: Pick<TestDaemon, 'location'>,
  query: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Reading> {
  const { api_url, api_key } = daemon.location
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(
      `${api_url}/v1/stream?${queryOf(query)}`,
      { headers: { Authorization: `Bearer ${api_key}`, ...headers }, agent: false },
      resolve,
    ).on('error', reject)
  })
  const frames: Frame[] = []
  let text = ''
  let wake = () => {}
  const read = createFrameReader((frame) => frames.push(frame))
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
