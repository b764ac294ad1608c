import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { apiUrl, type Query, RequestError, request } from './api-client.ts'

export type LiveStreamState = 'connecting' | 'live' | 'lost'

interface StreamOptions {
  readonly path: string
  readonly query: Query
  readonly onMessage: (message: EventSourceMessage) => void
  readonly onState: (state: LiveStreamState) => void
  readonly signal: AbortSignal
}

const RETRY_MS = 1000

/**
 * Reads a stream of the API until `signal` aborts, and resumes it after each lost connection. `EventSource` cannot send
 * the CSRF token. Rejects after a response with a status of 4xx, such as when the session has expired.
 */
export async function followStream(options: StreamOptions): Promise<void> {
  const { path, query, onMessage, onState, signal } = options
  let position = {}
  const readConnection = async () => {
    const { body } = await request('GET', apiUrl(path, query), { signal, ...position })
    const parser = createParser({
      onEvent(message) {
        if (message.event === 'ready') onState('live')
        if (message.id !== undefined) position = { lastEventId: message.id }
        onMessage(message)
      },
    })
    // Not all browsers can iterate over a stream.
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read())
      parser.feed(chunk.value)
  }
  while (!signal.aborted) {
    onState('connecting')
    const error = await readConnection().catch((cause: unknown) => cause)
    if (signal.aborted) return
    onState('lost')
    if (error instanceof RequestError && error.status >= 400 && error.status < 500) throw error
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}
