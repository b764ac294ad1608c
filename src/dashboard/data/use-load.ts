import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import { buildApiUrl, get, type QueryParams, RequestError } from './api-client.ts'
import type { LiveEntry } from './live-feed.ts'
import { LiveFeedContext } from './use-live-feed.ts'

/** The last data that was read, and the error of the last read; both are null until the first read ends. */
export interface LoadState<T> {
  readonly data: T | null
  readonly error: RequestError | null
  readonly reload: () => void
}

/** The conditions under which data is read again. */
export interface RefreshOptions {
  /** Selects the new events and request logs after which the data is read again. */
  readonly isRelevant?: (entry: LiveEntry) => boolean
  /** Minimum milliseconds between two reads caused by new entries (default: 300). */
  readonly delayMs?: number
  /** Whether to read the data at regular intervals while the tab is visible, because changes cause no event. */
  readonly isPolled?: boolean
  /** Milliseconds between two regular reads (default: 2000). */
  readonly pollMs?: number
  /** When one of these values changes, the data is read again. */
  readonly after?: readonly unknown[]
}

/** Reads data; `last` is the data of the last read with the same key. */
export type LoadFunction<T> = (signal: AbortSignal, last: T | null) => Promise<T>

const NEVER = () => false

/**
 * Reads data, and reads it again when the key changes, after the changes in `refresh`, and when `reload` is called.
 * Reads run one after another; `run` adds a read, for example of the next page. The last data of the same key is
 * returned until the next read has finished. A null key disables reading.
 */
export function useLoad<T>(
  key: string | null,
  read: LoadFunction<T>,
  refresh: RefreshOptions = {},
): LoadState<T> & { readonly run: (work: LoadFunction<T>) => Promise<void> } {
  const [state, setState] = useState<Reading<T>>({ key: null, data: null, error: null })
  const queue = useRef({ state, end: Promise.resolve(), isWaiting: false, controller: new AbortController() })
  const latestRead = useRef(read)
  latestRead.current = read
  const run = useCallback(
    (work: LoadFunction<T>): Promise<void> => {
      const { current } = queue
      const { signal } = current.controller
      const step = async () => {
        if (signal.aborted) return
        const last = current.state.key === key ? current.state.data : null
        const next = await readOnce(key, work, { signal, last })
        if (signal.aborted) return
        current.state = next
        setState(next)
      }
      current.end = current.end.then(step)
      return current.end
    },
    [key],
  )
  const reload = useCallback(() => {
    const { current } = queue
    if (key === null || current.isWaiting) return
    current.isWaiting = true
    run((signal, last) => {
      current.isWaiting = false
      return latestRead.current(signal, last)
    })
  }, [key, run])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key ends the readings.
  useEffect(() => {
    const controller = new AbortController()
    Object.assign(queue.current, { controller, end: Promise.resolve(), isWaiting: false })
    return () => controller.abort()
  }, [key])
  useEffect(reload, [reload, ...(refresh.after ?? [])])
  useNewEntries(reload, refresh)
  usePolling(reload, refresh)
  const { data, error } = state.key === key ? state : { data: null, error: null }
  return { data, error, reload, run }
}

interface Reading<T> {
  readonly key: string | null
  readonly data: T | null
  readonly error: RequestError | null
}

async function readOnce<T>(
  key: string | null,
  work: LoadFunction<T>,
  { signal, last }: { readonly signal: AbortSignal; readonly last: T | null },
): Promise<Reading<T>> {
  try {
    return { key, data: await work(signal, last), error: null }
  } catch (error) {
    if (error instanceof RequestError) return { key, data: last, error }
    if (!signal.aborted) throw error
    return { key, data: last, error: null }
  }
}

/** Reads a path of the API as `useLoad` does. A null path disables reading. */
export function useApi<T>(
  path: string | null,
  query: QueryParams = {},
  refresh: RefreshOptions = {},
): LoadState<T> {
  const key = path === null ? null : buildApiUrl(path, query)
  return useLoad<T>(key, (signal) => get(path ?? '', query, signal), refresh)
}

function usePolling(work: () => void, { isPolled = false, pollMs = 2000 }: RefreshOptions): void {
  useEffect(() => {
    if (!isPolled) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') work()
    }, pollMs)
    return () => clearInterval(timer)
  }, [work, isPolled, pollMs])
}

function useNewEntries(onChange: () => void, { isRelevant = NEVER, delayMs = 300 }: RefreshOptions): void {
  const feed = useContext(LiveFeedContext)
  const latest = useRef({ isRelevant, onChange })
  latest.current = { isRelevant, onChange }
  useEffect(() => {
    if (feed === null) return
    let timer: ReturnType<typeof setTimeout> | null = null
    const unsubscribe = feed.subscribe((added) => {
      if (timer !== null || !added.some((entry) => latest.current.isRelevant(entry))) return
      timer = setTimeout(() => {
        timer = null
        latest.current.onChange()
      }, delayMs)
    })
    return () => {
      unsubscribe()
      if (timer !== null) clearTimeout(timer)
    }
  }, [feed, delayMs])
}
