import { useContext } from 'preact/hooks'
import type { Event } from '../../domain/events/events.ts'
import { LiveFeedContext } from './use-live-feed.ts'
import { useApi } from './use-load.ts'

/** Returns an event from the live feed or from the API; null until the event is read, and for a deleted event. */
export function useEventById(id: string): Event | null {
  const known = useContext(LiveFeedContext)
    ?.events()
    .findLast((event) => event.id === id)
  const { data } = useApi<Event>(known === undefined ? `/v1/events/${id}` : null)
  return known ?? data
}
