import { useRef } from 'preact/hooks'
import type { ResourceName } from '../../api/resources/catalog.ts'
import type { RequestError } from './api-client.ts'
import { type ApiObject, historyObjectIds, type RelatedGroup } from './history-scope.ts'
import { type ObjectHistory, readObjectHistory } from './object-history.ts'
import { readRelatedObjects } from './related-objects.ts'
import type { LiveEntry } from './live-feed.ts'
import { useApi, useLoad } from './use-load.ts'

/** An object with its related objects and its history; null until they are read. */
export interface ObjectDetails {
  readonly object: ApiObject | null
  readonly related: readonly RelatedGroup[] | null
  readonly history: ObjectHistory | null
  /** The current time of the object in Unix seconds: that of its test clock, or real time. */
  readonly now: number | undefined
  readonly error: RequestError | null
  readonly reload: () => void
}

/** The properties of a part of the screen of an object. */
export interface ObjectDetailsProps {
  readonly object: ApiObject
  readonly story: ObjectDetails
}

/** The resource of an object. */
interface StoryResource {
  readonly name: ResourceName
  readonly path: string
  /** Whether events record its changes. */
  readonly hasEvents: boolean
}

/** Longer than the default, because each reading sends many requests. */
const DELAY_MS = 1000

/** Reads an object with its related objects and its history, and again after events of any of them. */
export function useObjectDetails(id: string, resource: StoryResource): ObjectDetails {
  const ids = useRef<ReadonlySet<unknown>>(new Set([id]))
  const isRelevant = (entry: LiveEntry) =>
    entry.object === 'event' && Object.values(entry.data.object).some((value) => ids.current.has(value))
  const own = useApi<ApiObject>(
    `/v1/${resource.path}/${id}`,
    {},
    // No event reports the result of a delivery.
    { isRelevant, delayMs: DELAY_MS, isPolled: resource.name === 'webhook_deliveries' },
  )
  const object = own.data
  const related = useLoad(
    object && `related ${id}`,
    async (signal) => (object === null ? [] : readRelatedObjects(object, signal)),
    { after: [object] },
  )
  const scope = object === null || related.data === null ? [] : historyObjectIds(object, related.data)
  const hasScope = related.data !== null && resource.hasEvents
  const history = useLoad(hasScope ? `history ${id}` : null, (signal) => readObjectHistory(scope, signal), {
    after: [related.data],
  })
  ids.current = new Set([id, ...scope])
  const now = useClockTime(object?.['test_clock'])
  const error = own.error ?? related.error ?? history.error
  return { object, related: related.data, history: history.data, now, error, reload: own.reload }
}

function useClockTime(clock: unknown): number | undefined {
  const isOnClock = typeof clock === 'string'
  const isRelevant = (entry: LiveEntry) => entry.object === 'event' && entry.data.object.id === clock
  const { data } = useApi<{ readonly frozen_time?: number }>(
    isOnClock ? `/v1/test_helpers/test_clocks/${clock}` : null,
    ...[{}, { isRelevant }],
  )
  return isOnClock ? data?.frozen_time : Math.floor(Date.now() / 1000)
}
