import { useContext, useEffect, useState } from 'preact/hooks'
import type { Event } from '../../domain/events/events.ts'
import { apiUrl, get, RequestError } from './api-client.ts'
import { LiveFeedContext } from './use-live.ts'

const MAX_CACHED = 1000
/** Events do not change, so each is read once. */
const cache = new Map<string, Event>()

/** Returns an event: from the live feed, else from the API; null until it is read, and when it was deleted. */
export function useEventById(id: string): Event | null {
  const feed = useContext(LiveFeedContext)
  const url = apiUrl(`/v1/events/${id}`)
  const [, setRead] = useState<string | null>(null)
  const known = cache.get(url) ?? feed?.events().findLast((event) => event.id === id) ?? null
  const isKnown = known !== null
  useEffect(() => {
    if (isKnown) return
    const controller = new AbortController()
    get<Event>(`/v1/events/${id}`, {}, controller.signal)
      .then((event) => {
        if (cache.size >= MAX_CACHED) cache.clear()
        cache.set(url, event)
        setRead(url)
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted && !(error instanceof RequestError)) throw error
      })
    return () => controller.abort()
  }, [url, id, isKnown])
  return known
}
