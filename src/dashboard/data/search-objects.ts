import { useContext, useEffect, useRef } from 'preact/hooks'
import { findResourceOfId } from '../../api/resources/catalog.ts'
import { isObjectId } from '../format/format-field.ts'
import { type ApiListPage, get, RequestError } from './api-client.ts'
import type { ApiObject } from './history-scope.ts'
import { SORTED_RESOURCES } from './related-objects.ts'
import { EMAIL_PATTERN, findObjectMatch, rankResults, type SearchResult } from './search-matching.ts'
import { LiveFeedContext } from './use-live-feed.ts'
import { type LoadState, useLoad } from './use-load.ts'

/** Matches the lists that a search skips: they are in the live feed, require a customer, or have no searchable text. */
const NOT_SEARCHED = /^(?:payment_methods|events|webhook_deliveries|request_logs|sandboxes|api_keys)$/
const SEARCHED = SORTED_RESOURCES.filter(({ name }) => !NOT_SEARCHED.test(name))
const LIMIT = 100
const MAX_RESULTS = 20
const TYPING_MS = 150

/**
 * Finds objects by id, email address, amount or text fields while the user types. The hook searches all objects for a
 * complete id or email address. For any other string, the hook searches only the newest objects of each list and the
 * live feed. The lists are read once for all searches until the field is empty again.
 */
export function useSearch(typed: string): LoadState<readonly SearchResult[]> {
  const text = typed.trim()
  const feed = useContext(LiveFeedContext)
  const lists = useRef<Promise<readonly ApiObject[]> | null>(null)
  useEffect(() => {
    if (text === '') lists.current = null
  }, [text])
  return useLoad(text === '' ? null : text, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, TYPING_MS))
    signal.throwIfAborted()
    lists.current ??= readSearchableObjects()
    const objects = await lists.current.catch((error: unknown) => {
      lists.current = null
      throw error
    })
    const exact = await readExact(text, signal)
    const events = (feed?.events() ?? []).toReversed().flatMap((event) => [event.data.object, event])
    const all = [...exact, ...objects, ...events, ...(feed?.requests() ?? [])]
    const found = all.flatMap((object) => findObjectMatch(text, { ...object }) ?? [])
    return rankResults(text, found, MAX_RESULTS)
  })
}

/** Reads the newest objects of every searched list. */
async function readSearchableObjects(): Promise<readonly ApiObject[]> {
  const pages = await Promise.all(
    SEARCHED.map(({ listPath }) => get<ApiListPage<ApiObject>>(`/v1/${listPath}`, { limit: LIMIT })),
  )
  return pages.flatMap(({ data }) => data)
}

async function readExact(text: string, signal: AbortSignal): Promise<readonly ApiObject[]> {
  if (EMAIL_PATTERN.test(text)) {
    const query = { email: text, limit: MAX_RESULTS }
    return (await get<ApiListPage<ApiObject>>('/v1/customers', query, signal)).data
  }
  const resource = findResourceOfId(text)
  if (resource === undefined || !isObjectId(text)) return []
  return get<ApiObject>(`/v1/${resource.path}/${text}`, {}, signal)
    .then((object) => [object])
    .catch((error: unknown) => {
      if (error instanceof RequestError && error.status === 404) return []
      throw error
    })
}
