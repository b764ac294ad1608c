import { RESOURCES, type ResourceName, resourceNamed, resourceOfId } from '../../api/resources/catalog.ts'
import { isObjectId } from '../format/format-field.ts'
import { get, type Page, RequestError } from './api-client.ts'
import type { ApiObject } from './history-scope.ts'
import type { LiveFeed } from './live-feed.ts'
import { matchObject, rankResults, type SearchResult } from './search-matching.ts'

/** The resources whose objects a search lists first. */
const FIRST: readonly ResourceName[] = ['customers', 'subscriptions', 'payments', 'invoices']
/**
 * The live feed has events and requests, the list of cards needs a customer, and deliveries, keys and sandboxes have no
 * text to search for.
 */
const NOT_SEARCHED: ReadonlySet<ResourceName> = new Set([
  ...(['payment_methods', 'events', 'webhook_deliveries', 'request_logs', 'sandboxes', 'api_keys'] as const),
])
const SEARCHED = Array.from(new Set([...FIRST, ...RESOURCES.map(({ name }) => name)]))
  .filter((name) => !NOT_SEARCHED.has(name))
  .map(resourceNamed)
const LIMIT = 100
const MAX_RESULTS = 20
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Reads the newest objects of every list. */
export async function readSearchableObjects(): Promise<readonly ApiObject[]> {
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
