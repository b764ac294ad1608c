import type { Event } from '../../domain/events/events.ts'
import type { RequestLog } from '../../domain/requests/request-logs.ts'
import { get, type Page } from './api-client.ts'
import { followStream, type LiveStreamState } from './stream.ts'

/** An entry of the live feed. */
export type LiveEntry = Event | RequestLog

/** The newest events and requests of a sandbox, which two streams extend. */
export type LiveFeed = ReturnType<typeof openLiveFeed>

const INITIAL_ENTRIES = 100
/** Older entries are dropped; the lists of the API still have them. */
const MAX_ENTRIES = 5000
/** Grouping thousands of entries takes milliseconds, so it is not done in each frame. */
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
      const { data } = await get<Page<T>>(source.list, { limit: INITIAL_ENTRIES }, signal)
      add(data.toReversed())
      await followStream({
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
    /** The events in the order of their sequence; the same array as long as nothing changes. */
    events: events.entries,
    /** The requests in the order in which the server stored them. */
    requests: requests.entries,
    /** Returns the numbers of events and requests that the streams have sent. */
    arrivals: () => ({ events: events.arrived(), requests: requests.arrived() }),
    /**
     * Calls a function with the new entries after changes, at most ten times a second and not in a hidden tab; returns a
     * function that unsubscribes.
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
