import { useCallback, useEffect, useState } from 'preact/hooks'
import { apiUrl, get, type Query, RequestError } from './api-client.ts'

/** The last data that was read, and the error of the last reading; both are null until the first reading ends. */
export interface LoadState<T> {
  readonly data: T | null
  readonly error: RequestError | null
  readonly isLoading: boolean
  readonly reload: () => void
}

/**
 * Reads a path of the API, and again when path or query change or `reload` is called. Keeps the last data of the same
 * path and query during a reload. With a null path it reads nothing.
 */
export function useApi<T>(path: string | null, query: Query = {}): LoadState<T> {
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
