import type { Event } from '../../domain/events.ts'
import { get, type Page } from './api-client.ts'
import { type ApiObject, findReferences, type RelatedGroup } from './related.ts'

/** The events of an object and of its related objects. */
export interface History {
  /** Newest first. */
  readonly events: readonly Event[]
  /** Whether older events, or events of older related objects, were not read. */
  readonly isCut: boolean
}

/** The list of events has a filter for one object, so each object is a request. */
const MAX_OBJECTS = 40
const PARALLEL_REQUESTS = 6
const EVENTS_PER_OBJECT = 100
/** The fields that refer to an object whose events belong to the story of the referring one. */
const OWN_REFERENCES: Readonly<Record<string, readonly string[]>> = {
  subscription: ['checkout_session', 'default_payment_method'],
  checkout_session: ['subscription', 'payment_method'],
  payment_session: ['payment_method'],
  card_session: ['payment_method'],
}

/** Returns the ids of the objects whose events tell the story of an object, the object first. */
export function historyIds(object: ApiObject, related: readonly RelatedGroup[]): readonly string[] {
  const fields = OWN_REFERENCES[object.object] ?? []
  const references = findReferences(object).filter(({ field }) => fields.includes(field))
  const newest = related
    .flatMap(({ objects }) => objects)
    .filter((one) => one.object !== 'webhook_delivery')
    .sort((a, b) => Number(b['created']) - Number(a['created']))
  return [...new Set([object.id, ...references.map(({ id }) => id), ...newest.map(({ id }) => id)])]
}

/** Reads the events of up to 40 objects, newest first. */
export async function readHistory(ids: readonly string[], signal: AbortSignal): Promise<History> {
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

/** Returns the events of several lists once each, newest first. */
export function mergeEvents(lists: readonly (readonly Event[])[]): Event[] {
  const found = new Map(lists.flat().map((event) => [event.id, event]))
  return [...found.values()].sort((a, b) => b.sequence - a.sequence)
}
