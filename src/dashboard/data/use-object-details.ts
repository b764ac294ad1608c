import { useEffect, useRef, useState } from 'preact/hooks'
import type { ResourceKind } from '../../api/resources/catalog.ts'
import { type EventType, hasEventTypes } from '../../domain/core/event-types.ts'
import type { Event } from '../../domain/events/events.ts'
import type { WebhookDelivery } from '../../domain/events/webhook-deliveries.ts'
import type { WebhookEndpoint } from '../../domain/events/webhook-endpoints.ts'
import { type ApiListPage, get } from './api-client.ts'
import {
  type DeliveryStatesByEvent,
  findMissingSubscription,
  groupDeliveryStates,
} from './delivery-states.ts'
import { type ApiObject, listHistoryObjectIds } from './history-scope.ts'
import type { LiveEntry } from './live-feed.ts'
import { getRealTime } from './real-time.ts'
import { readRelatedObjects } from './related-objects.ts'
import { useApi, useLoad } from './use-load.ts'

/** The events of an object and of its related objects. */
export interface ObjectHistory {
  /** The events, newest first. */
  readonly events: readonly Event[]
  /** The deliveries by event. Old events whose deliveries were not read have no entry. */
  readonly deliveries: DeliveryStatesByEvent
  /** Whether older events, or events of older related objects, were not read. */
  readonly isCut: boolean
}

/** The properties of a component on an object screen. */
export interface ObjectDetailsProps {
  readonly object: ApiObject
  readonly details: ReturnType<typeof useObjectDetails>
}

/** The delay is longer than the default, because each read sends many requests. */
const DELAY_MS = 1000
/** Maximum number of objects whose events are read. Lists filter by one object, so each object needs a request. */
const MAX_OBJECTS = 40
/** Maximum number of events and of deliveries that are read for each object. */
const PER_OBJECT = 100
/** Milliseconds between two reads while a delivery is pending. */
const PENDING_MS = 5000

/**
 * Reads an object with its related objects and its history, and reads them again after an event of any of these
 * objects. `now` is the current time of the object in Unix seconds: the time of its test clock, or real time.
 * `omissionOf` returns whether enabled endpoints leave out an event type; null until the endpoints are read.
 */
export function useObjectDetails(id: string, resource: ResourceKind) {
  const ids = useRef<ReadonlySet<unknown>>(new Set([id]))
  const isRelevant = (entry: LiveEntry) =>
    entry.object === 'event' && Object.values(entry.data.object).some((value) => ids.current.has(value))
  const own = useApi<ApiObject>(
    `/v1/${resource.path}/${id}`,
    {},
    // No event reports the result of a delivery, so poll the delivery.
    { isRelevant, delayMs: DELAY_MS, isPolled: resource.name === 'webhook_deliveries' },
  )
  const object = own.data
  const related = useLoad(
    object && `related ${id}`,
    async (signal) => (object === null ? [] : readRelatedObjects(object, signal)),
    { after: [object] },
  )
  const scope = object === null || related.data === null ? [] : listHistoryObjectIds(object, related.data)
  const hasScope = related.data !== null && hasEventTypes(resource)
  const [isPending, setPending] = useState(false)
  const history = useLoad(hasScope ? `history ${id}` : null, (signal) => readObjectHistory(scope, signal), {
    ...{ after: [related.data], isPolled: isPending, pollMs: PENDING_MS },
  })
  useEffect(() => {
    const states = [...(history.data?.deliveries.values() ?? [])].flat()
    setPending(states.some(({ pending }) => pending !== null))
  }, [history.data])
  ids.current = new Set([id, ...scope])
  const now = useClockTime(object?.['test_clock'])
  const path = '/v1/webhook_endpoints'
  const query = { status: 'enabled', limit: PER_OBJECT }
  const endpoints = useApi<ApiListPage<WebhookEndpoint>>(path, query, {
    after: [history.data],
    isRelevant: (entry) => entry.object === 'request_log' && entry.path.startsWith(path),
  })
  const enabled = endpoints.data?.data.flatMap(({ enabled_events }) => enabled_events)
  const omissionOf = (type: EventType) =>
    enabled === undefined ? null : findMissingSubscription(type, enabled)
  const error = own.error ?? related.error ?? history.error ?? endpoints.error
  return {
    ...{ object, related: related.data, scope, history: history.data, now },
    ...{ omissionOf, error, reload: own.reload },
  }
}

/** Reads the events of up to 40 objects with their deliveries. */
async function readObjectHistory(ids: readonly string[], signal: AbortSignal): Promise<ObjectHistory> {
  const read = ids.slice(0, MAX_OBJECTS).map(async (object_id) => {
    const query = { object_id, limit: PER_OBJECT }
    // If events and deliveries were read in parallel, the deliveries of a new event could be missing.
    const events = await get<ApiListPage<Event>>('/v1/events', query, signal)
    const sent = await get<ApiListPage<WebhookDelivery>>('/v1/webhook_deliveries', query, signal)
    const undelivered = sent.has_more ? [] : events.data.map(({ id }) => [id, []] as const)
    return { ...events, deliveries: [...undelivered, ...groupDeliveryStates(sent.data)] }
  })
  const pages = await Promise.all(read)
  return {
    events: pages.flatMap(({ data }) => data).sort((a, b) => b.sequence - a.sequence),
    deliveries: new Map(pages.flatMap(({ deliveries }) => deliveries)),
    isCut: ids.length > MAX_OBJECTS || pages.some(({ has_more }) => has_more),
  }
}

function useClockTime(clock: unknown): number | undefined {
  const isOnClock = typeof clock === 'string'
  const isRelevant = (entry: LiveEntry) => entry.object === 'event' && entry.data.object.id === clock
  const path = isOnClock ? `/v1/test_helpers/test_clocks/${clock}` : null
  const { data } = useApi<{ readonly frozen_time?: number }>(path, {}, { isRelevant })
  return isOnClock ? data?.frozen_time : getRealTime()
}
