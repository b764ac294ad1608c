import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Event } from '../../domain/events/events.ts'
import { apiUrl, get, type Page, type Query, RequestError } from './api-client.ts'
import { type LoadedPart, mergeNewest } from './merge-newest.ts'
import { useNewEvents } from './use-live.ts'
import { usePolling } from './use-polling.ts'

/** A list that is read page by page, and again when it may have changed. */
export interface LiveList<T> {
  /** Newest first; null before the first page. */
  readonly data: readonly T[] | null
  readonly hasMore: boolean
  readonly error: RequestError | null
  readonly loadMore: () => void
  readonly reload: () => void
}

/** When the newest page is read again. */
interface Updates {
  /** Selects the events after which it is. */
  readonly isRelevant: (event: Event) => boolean
  /** Whether it is also read every two seconds, because its objects change without an event. */
  readonly isPolled: boolean
}

/** Deliveries get their result without an event, and streams do not contain them. */
export const DELIVERY_UPDATES: Updates = { isRelevant: () => true, isPolled: true }

const PAGE_SIZE = 50
/** The objects of later pages change too, so that many are read again. */
const MAX_PAGE_SIZE = 100
const EMPTY = { data: [], hasMore: true } as const

/** Reads a list page by page, and its newest page again when it may have changed. */
export function useLiveList<T extends { readonly id: string }>(
  path: string,
  query: Query,
  { isRelevant, isPolled }: Updates,
): LiveList<T> {
  const url = apiUrl(path, query)
  const [state, setState] = useState<{ url: string; part: LoadedPart<T> | null }>({ url, part: null })
  const [failure, setFailure] = useState<{ url: string; error: RequestError } | null>(null)
  const current = useRef(url)
  current.current = url
  const isReading = useRef(false)
  const readings = useRef(0)
  const applied = useRef(0)
  const shown = useRef(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL stands for path and query.
  const read = useCallback(
    async (more: Query, merge: (known: LoadedPart<T>, page: Page<T>) => LoadedPart<T>) => {
      try {
        const page = await get<Page<T>>(path, { ...query, limit: PAGE_SIZE, ...more })
        // The filters may have changed in the meantime.
        if (current.current !== url) return
        setState((last) => ({ url, part: merge((last.url === url ? last.part : null) ?? EMPTY, page) }))
        setFailure(null)
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        setFailure({ url, error })
      }
    },
    [url],
  )
  const reload = useCallback(() => {
    readings.current += 1
    const number = readings.current
    const limit = Math.min(MAX_PAGE_SIZE, Math.max(PAGE_SIZE, shown.current))
    return read({ limit }, (known, page) => {
      // A reading that began later has newer objects.
      if (number < applied.current) return known
      applied.current = number
      return mergeNewest(known, page)
    })
  }, [read])
  useEffect(() => {
    reload()
  }, [reload])
  usePolling(reload, isPolled)
  useNewEvents(isRelevant, reload)
  const part = state.url === url ? state.part : null
  shown.current = part?.data.length ?? 0
  const error = failure?.url === url ? failure.error : null
  const loadMore = async () => {
    const after = part?.data.at(-1)?.id
    if (after === undefined || isReading.current) return
    isReading.current = true
    await read({ starting_after: after }, (known, page) =>
      known.data.at(-1)?.id === after
        ? { data: [...known.data, ...page.data], hasMore: page.has_more }
        : known,
    )
    isReading.current = false
  }
  return { data: part?.data ?? null, hasMore: part?.hasMore ?? false, error, loadMore, reload }
}
