import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { Event } from '../../domain/events/events.ts'
import type { RequestLog } from '../../domain/requests/request-logs.ts'
import {
  type ApiListPage,
  buildApiUrl,
  get,
  type QueryParams,
  RequestError,
  sendRequest,
} from './api-client.ts'

/** An entry of the live feed. */
export type LiveEntry = Event | RequestLog

/** The newest events and requests of a sandbox, which two streams extend. */
export type LiveFeed = ReturnType<typeof openLiveFeed>

const INITIAL_ENTRIES = 100
/** Maximum number of entries. Older entries are dropped, but the list operations of the API still return them. */
const MAX_ENTRIES = 5000
/** Interval between notifications of listeners, because grouping thousands of entries takes milliseconds. */
const NOTIFY_MS = 250

/** Opens the streams of the sandbox of the current route. `onError` receives the error after which a stream ends. */
export function openLiveFeed(onError: (error: unknown) => void) {
  const controller = new AbortController()
  const { signal } = controller
  const listeners = new Set<(added: readonly LiveEntry[]) => void>()
  let added: readonly LiveEntry[] = []
  let isWaiting = false

  function notify(): void {
    const entries = added
    added = []
    isWaiting = false
    if (!signal.aborted) for (const listener of listeners) listener(entries)
  }

  function change(entries: readonly LiveEntry[] = []): void {
    added = append(added, entries)
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => requestAnimationFrame(notify), NOTIFY_MS)
  }

  const events = followEntries<Event>(
    { list: '/v1/events', stream: '/v1/stream', message: 'event' },
    (event) => String(event.sequence),
  )
  const requests = followEntries<RequestLog>(
    { list: '/v1/request_logs', stream: '/v1/stream/request_logs', message: 'request_log' },
    ({ id }) => id,
  )

  /** Reads the newest entries of a list, then follows its stream. */
  function followEntries<T extends LiveEntry>(
    source: { readonly list: string; readonly stream: string; readonly message: string },
    positionOf: (entry: T) => string,
  ) {
    let entries: readonly T[] = []
    let state: LiveStreamState = 'connecting'
    let arrived = 0
    const add = (more: readonly T[]) => {
      entries = append(entries, more)
      change(more)
    }
    const follow = async () => {
      const { data } = await get<ApiListPage<T>>(source.list, { limit: INITIAL_ENTRIES }, signal)
      add(data.toReversed())
      await followDashboardStream({
        ...{ path: source.stream, query: { after: data[0] && positionOf(data[0]) }, signal },
        onState(next) {
          state = next
          change()
        },
        onMessage({ event, data: text }) {
          if (event === 'sandbox.reset') entries = []
          if (event !== source.message) return change()
          arrived += 1
          add([JSON.parse(text)])
        },
      })
    }
    follow().catch((error: unknown) => {
      if (!signal.aborted) onError(error)
    })
    return { state: () => state, arrived: () => arrived, entries: () => entries }
  }

  return {
    state: () => (events.state() === 'live' ? requests.state() : events.state()),
    /** The events, sorted by sequence number; the same array until an event is added. */
    events: events.entries,
    /** The requests in the order in which the server stored them. */
    requests: requests.entries,
    /** Returns the numbers of events and requests that the streams have sent. */
    arrivals: () => ({ events: events.arrived(), requests: requests.arrived() }),
    /**
     * Calls a function with new entries, at most four times a second and not in a hidden tab. Returns a function that
     * unsubscribes.
     */
    subscribe(listener: (added: readonly LiveEntry[]) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => controller.abort(),
  }
}

function append<T>(entries: readonly T[], more: readonly T[]): readonly T[] {
  return entries.slice(more.length - MAX_ENTRIES).concat(more)
}

export type LiveStreamState = 'connecting' | 'live' | 'lost'

interface StreamOptions {
  readonly path: string
  readonly query: QueryParams
  readonly onMessage: (message: EventSourceMessage) => void
  readonly onState: (state: LiveStreamState) => void
  readonly signal: AbortSignal
}

const RETRY_MS = 1000

/**
 * Reads a stream of the API until `signal` aborts, and resumes the stream after each lost connection. `EventSource`
 * cannot send the CSRF token. Rejects after a response with a status of 4xx, such as when the session has expired.
 */
export async function followDashboardStream(options: StreamOptions): Promise<void> {
  const { path, query, onMessage, onState, signal } = options
  let position = {}
  const readConnection = async () => {
    const { body } = await sendRequest('GET', buildApiUrl(path, query), { signal, ...position })
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
