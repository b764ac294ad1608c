import { RESOURCES, type ResourceName, resourceOfId } from '../../api/resources/catalog.ts'
import { isObjectId } from '../format/format-field.ts'
import { get, type Page, RequestError } from './api-client.ts'
import type { LiveFeed } from './live-feed.ts'
import { matchObject, rankResults, type SearchResult } from './search-query.ts'
import type { ApiObject } from './story-scope.ts'

/**
 * The order in which a search lists the newest objects of each resource; null excludes a resource. The live feed has
 * events and requests, the list of cards needs a customer, and deliveries, keys and sandboxes have no text to search
 * for.
 */
const SEARCH_ORDER: Readonly<Record<ResourceName, number | null>> = {
  customers: 1,
  subscriptions: 2,
  payments: 3,
  invoices: 4,
  invoice_items: 5,
  refunds: 6,
  checkout_sessions: 7,
  payment_sessions: 8,
  card_sessions: 9,
  test_clocks: 10,
  webhook_endpoints: 11,
  faults: 12,
  payment_methods: null,
  events: null,
  webhook_deliveries: null,
  request_logs: null,
  sandboxes: null,
  api_keys: null,
}
const SEARCHED = RESOURCES.filter(({ name }) => SEARCH_ORDER[name] !== null).sort(
  (a, b) => Number(SEARCH_ORDER[a.name]) - Number(SEARCH_ORDER[b.name]),
)
const LIMIT = 100
const MAX_RESULTS = 20
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Reads the newest objects of every list. */
export async function readSearchedObjects(): Promise<readonly ApiObject[]> {
  const pages = await Promise.all(
    SEARCHED.map(({ listPath }) => get<Page<ApiObject>>(`/v1/${listPath}`, { limit: LIMIT })),
  )
  return pages.flatMap(({ data }) => data)
}

interface SearchOptions {
  readonly text: string
  readonly objects: readonly ApiObject[]
  readonly feed: Pick<LiveFeed, 'events' | 'requests'> | null
  readonly signal: AbortSignal
}

/**
 * Finds objects by id, e-mail address, amount or name. It finds an exact id or address among all objects, and anything
 * else among `objects` and the entries of the feed.
 */
export async function searchObjects({ text, objects, feed, signal }: SearchOptions): Promise<SearchResult[]> {
  const exact = await readExact(text.trim(), signal)
  const live =
    feed === null
      ? []
      : [
          ...feed
            .events()
            .toReversed()
            .flatMap((event) => [event.data.object, event]),
          ...feed.requests(),
        ]
  const found = [...exact, ...objects, ...live].flatMap((object) => {
    const result = matchObject(text, { ...object })
    return result === null ? [] : [result]
  })
  return rankResults(text, found, MAX_RESULTS)
}

async function readExact(text: string, signal: AbortSignal): Promise<readonly ApiObject[]> {
  if (EMAIL.test(text)) {
    const query = { email: text, limit: MAX_RESULTS }
    return (await get<Page<ApiObject>>('/v1/customers', query, signal)).data
  }
  const resource = resourceOfId(text)
  if (resource === undefined || !isObjectId(text)) return []
  return get<ApiObject>(`/v1/${resource.path}/${text}`, {}, signal).then(
    (object) => [object],
    (error: unknown) => {
      if (error instanceof RequestError && error.status === 404) return []
      throw error
    },
  )
}
