import type { Event } from '../../domain/events/events.ts'
import type { RequestLog } from '../../domain/requests/request-logs.ts'
import { get, type Page } from './api-client.ts'
import { createEntryBuffer } from './entry-buffer.ts'
import { followStream, type LiveStreamState } from './stream.ts'

/** The newest events and requests of a sandbox, which two streams extend. */
export interface LiveFeed {
  readonly state: () => LiveStreamState
  /** In the order of their sequence; the same array as long as nothing changes. */
  readonly events: () => readonly Event[]
  /** In the order in which the server stored them. */
  readonly requests: () => readonly RequestLog[]
  /** Returns the numbers of events and requests that the streams have sent. */
  readonly arrivals: () => { readonly events: number; readonly requests: number }
  /** Calls a function after changes, at most once per frame; returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
  readonly close: () => void
}

const INITIAL_ENTRIES = 100

/** Opens the streams of the sandbox of the current route. `onError` receives the error after which a stream ends. */
export function openLiveFeed(onError: (error: unknown) => void): LiveFeed {
  const controller = new AbortController()
  const listeners = new Set<() => void>()
  let frame = 0

  function notify(): void {
    frame = 0
    for (const listener of listeners) listener()
  }

  function change(): void {
    if (frame === 0) frame = requestAnimationFrame(notify)
  }

  const { signal } = controller
  const events = followEntries<Event>(
    { list: '/v1/events', stream: '/v1/stream', message: 'event' },
    (event) => String(event.sequence),
  )
  const requests = followEntries<RequestLog>(
    { list: '/v1/request_logs', stream: '/v1/stream/request_logs', message: 'request_log' },
    ({ id }) => id,
  )

  /** Reads the newest entries of a list, then follows its stream. */
  function followEntries<T>(
    source: { readonly list: string; readonly stream: string; readonly message: string },
    positionOf: (entry: T) => string,
  ) {
    const buffer = createEntryBuffer<T>()
    let state: LiveStreamState = 'connecting'
    let arrived = 0
    const follow = async () => {
      const { data } = await get<Page<T>>(source.list, { limit: INITIAL_ENTRIES }, signal)
      buffer.add(...data.toReversed())
      change()
      await followStream({
        ...{ path: source.stream, query: { after: data[0] && positionOf(data[0]) }, signal },
        onState(next) {
          state = next
          change()
        },
        onMessage({ event, data: text }) {
          if (event === source.message) {
            buffer.add(JSON.parse(text))
            arrived += 1
          }
          if (event === 'sandbox.reset') buffer.clear()
          change()
        },
      })
    }
    follow().catch((error: unknown) => {
      if (!signal.aborted) onError(error)
    })
    return { state: () => state, arrived: () => arrived, entries: buffer.entries }
  }

  return {
    state: () => (events.state() === 'live' ? requests.state() : events.state()),
    events: events.entries,
    requests: requests.entries,
    arrivals: () => ({ events: events.arrived(), requests: requests.arrived() }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      controller.abort()
      cancelAnimationFrame(frame)
    },
  }
}
