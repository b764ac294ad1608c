import { useContext, useEffect, useState } from 'preact/hooks'
import type { Event } from '../../../domain/events/events.ts'
import type { RequestLog } from '../../../domain/requests/request-logs.ts'
import { get, type Page, RequestError } from '../../data/api-client.ts'
import { LiveFeedContext } from '../../data/use-live.ts'
import { findRequestEvents } from './find-request-events.ts'

interface RequestEvents {
  /** Null until they are found. */
  readonly events: readonly Event[] | null
  readonly error: RequestError | null
}

/** Returns the events of a request: those of the live feed, else those of the list. */
export function useRequestEvents(request: RequestLog | null): RequestEvents {
  const feed = useContext(LiveFeedContext)
  const [state, setState] = useState<RequestEvents>({ events: null, error: null })
  useEffect(() => {
    if (request === null || feed === null) return
    const known = feed.events()
    const own = known.filter((event) => event.request?.id === request.id)
    // The feed may begin in the middle of the events of the request.
    if (own.length > 0 && own[0] !== known[0]) {
      setState({ events: own, error: null })
      return
    }
    const controller = new AbortController()
    findRequestEvents(request, (query) => get<Page<Event>>('/v1/events', query, controller.signal))
      .then((events) => setState({ events, error: null }))
      .catch((error: unknown) => {
        if (controller.signal.aborted) return
        if (!(error instanceof RequestError)) throw error
        setState({ events: null, error })
      })
    return () => controller.abort()
  }, [feed, request])
  return state
}
