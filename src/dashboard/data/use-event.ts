import { useContext } from 'preact/hooks'
import type { Event } from '../../domain/events/events.ts'
import { apiUrl } from './api-client.ts'
import { LiveFeedContext } from './use-live-feed.ts'
import { useApi } from './use-load.ts'

const MAX_CACHED = 1000
/** Events do not change, so each is read once. */
const cache = new Map<string, Event>()

/** Returns an event: from the live feed, else from the API; null until it is read, and when it was deleted. */
export function useEventById(id: string): Event | null {
  const feed = useContext(LiveFeedContext)
  const url = apiUrl(`/v1/events/${id}`)
  const known = cache.get(url) ?? feed?.events().findLast((event) => event.id === id)
  const { data } = useApi<Event>(known === undefined ? `/v1/events/${id}` : null)
  if (data !== null) {
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(url, data)
  }
  return known ?? data
}
