import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { apiUrl, get, type Page, type Query, RequestError } from './api-client.ts'

/** What a component shows while it loads, after an error, and when the data is there. */
export interface Loaded<T> {
  readonly data: T | null
  readonly error: RequestError | null
  readonly isLoading: boolean
  readonly reload: () => void
}

/**
 * Calls an operation that reads, again when path or query change, and when `reload` is called. Until then it keeps the last
 * data of the same path. With a null path it reads nothing.
 */
export function useApi<T>(path: string | null, query: Query = {}): Loaded<T> {
  const url = path === null ? null : apiUrl(path, query)
  const [state, setState] = useState<{ url: string | null; data: T | null; error: RequestError | null }>({
    url: null,
    data: null,
    error: null,
  })
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL stands for path and query.
  useEffect(() => {
    if (path === null) return
    const controller = new AbortController()
    get<T>(path, query, controller.signal)
      .then((data) => setState({ url, data, error: null }))
      .catch((error: unknown) => {
        if (controller.signal.aborted) return
        if (!(error instanceof RequestError)) throw error
        setState((last) => ({ url, data: last.url === url ? last.data : null, error }))
      })
    return () => controller.abort()
  }, [url, round])
  const reload = useCallback(() => setRound((last) => last + 1), [])
  const isCurrent = state.url === url
  return {
    data: isCurrent ? state.data : null,
    error: isCurrent ? state.error : null,
    isLoading: url !== null && !isCurrent,
    reload,
  }
}

/** A list whose later pages are read when asked for. */
export interface LoadedList<T> extends Omit<Loaded<Page<T>>, 'data'> {
  readonly data: readonly T[] | null
  readonly hasMore: boolean
  readonly loadMore: () => void
}

/** Reads a list page by page. */
export function useList<T extends { readonly id: string }>(
  path: string | null,
  query: Query = {},
): LoadedList<T> {
  const first = useApi<Page<T>>(path, query)
  const [loaded, setLoaded] = useState<{ first: Page<T> | null; pages: readonly Page<T>[] }>({
    first: null,
    pages: [],
  })
  const [error, setError] = useState<RequestError | null>(null)
  const isReading = useRef(false)
  // Later pages belong to one reading of the first page.
  const later = loaded.first === first.data ? loaded.pages : []
  const data = first.data === null ? null : [...first.data.data, ...later.flatMap((page) => page.data)]
  const last = later.at(-1) ?? first.data
  const loadMore = async () => {
    const after = data?.at(-1)?.id
    if (path === null || after === undefined || isReading.current) return
    isReading.current = true
    try {
      const page = await get<Page<T>>(path, { ...query, starting_after: after })
      setLoaded({ first: first.data, pages: [...later, page] })
      setError(null)
    } catch (failure) {
      if (!(failure instanceof RequestError)) throw failure
      setError(failure)
    } finally {
      isReading.current = false
    }
  }
  return { ...first, data, error: first.error ?? error, hasMore: last?.has_more ?? false, loadMore }
}
