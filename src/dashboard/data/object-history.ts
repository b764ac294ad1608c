import type { Event } from '../../domain/events/events.ts'
import { get, type Page } from './api-client.ts'
import { mergeEvents } from './history-scope.ts'

/** The events of an object and of its related objects. */
export interface ObjectHistory {
  /** Newest first. */
  readonly events: readonly Event[]
  /** Whether older events, or events of older related objects, were not read. */
  readonly isCut: boolean
}

/** Limits the number of requests: each object needs its own, because the list of events filters by one object. */
const MAX_OBJECTS = 40
const PARALLEL_REQUESTS = 6
const EVENTS_PER_OBJECT = 100
/** Reads the events of up to 40 objects, newest first. */
export async function readObjectHistory(ids: readonly string[], signal: AbortSignal): Promise<ObjectHistory> {
  const wanted = ids.slice(0, MAX_OBJECTS)
  const pages: Page<Event>[] = []
  for (let start = 0; start < wanted.length; start += PARALLEL_REQUESTS) {
    const batch = wanted.slice(start, start + PARALLEL_REQUESTS)
    const query = { limit: EVENTS_PER_OBJECT }
    pages.push(
      ...(await Promise.all(
        batch.map((id) => get<Page<Event>>('/v1/events', { ...query, object_id: id }, signal)),
      )),
    )
  }
  return {
    events: mergeEvents(pages.map(({ data }) => data)),
    isCut: ids.length > MAX_OBJECTS || pages.some(({ has_more }) => has_more),
  }
}
