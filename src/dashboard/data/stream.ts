import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { apiUrl, type Query, RequestError, request } from './api-client.ts'

export type LiveStreamState = 'connecting' | 'live' | 'lost'

export interface StreamOptions {
  readonly path: string
  readonly query?: Query
  readonly onMessage: (message: EventSourceMessage) => void
  readonly onState: (state: LiveStreamState) => void
  readonly signal: AbortSignal
}

const RETRY_MS = 1000

/**
 * Reads a stream of the API until `signal` aborts, and resumes it after each lost connection. `EventConnection` cannot send
 * the CSRF token. Rejects after a response with a status of 4xx, such as when the session has expired.
 */
export async function followStream(options: StreamOptions): Promise<void> {
  const { signal, onState } = options
  let lastEventId: string | undefined
  while (!signal.aborted) {
    try {
      onState('connecting')
      await readConnection(options, lastEventId, (id) => {
        lastEventId = id
      })
      onState('lost')
    } catch (error) {
      if (signal.aborted) return
      onState('lost')
      if (error instanceof RequestError && error.status >= 400 && error.status < 500) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

async function readConnection(
  { path, query = {}, onMessage, onState, signal }: StreamOptions,
  lastEventId: string | undefined,
  onPosition: (id: string) => void,
): Promise<void> {
  const options = lastEventId === undefined ? { signal } : { signal, lastEventId }
  const { body } = await request('GET', apiUrl(path, query), options)
  if (body === null) return
  const parser = createParser({
    onEvent(message) {
      if (message.event === 'ready') onState('live')
      if (message.id !== undefined) onPosition(message.id)
      onMessage(message)
    },
  })
  // Not all browsers can iterate over a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) parser.feed(chunk.value)
}
