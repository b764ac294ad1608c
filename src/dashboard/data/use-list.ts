import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Event } from '../../domain/events/events.ts'
import { apiUrl, get, type Page, type Query, RequestError } from './api-client.ts'
import { addOlder, type ListPart, mergeItems, replaceNewest } from './list-part.ts'
import { useNewEvents } from './use-live.ts'
import { usePolling } from './use-polling.ts'

/** A list of the API, and how its objects are selected. */
export interface ListSource<T> {
  readonly path: string
  readonly query: Query
  /** Returns the objects of an entry of the list (default: the entry itself). */
  readonly itemsOf?: (entry: { readonly id: string }) => readonly T[]
  /** Sorts the objects (default: they stay in the order of the list). */
  readonly compare?: (a: T, b: T) => number
  /** Selects among the objects, for a filter that the API does not have. */
  readonly isWanted?: (item: T) => boolean
  /** The text of that filter; a new one searches from the newest object on. */
  readonly search?: string
  /** Returns whether the newest objects must be read again after an event. */
  readonly isRelevant: (event: Event) => boolean
  /** Whether they are also read every two seconds, because they change without an event. */
  readonly isPolled?: boolean
}

/** The objects of a list that were read until now. */
export interface LoadedList<T> {
  /** Null until the first objects are read. */
  readonly items: readonly T[] | null
  readonly error: RequestError | null
  readonly hasMore: boolean
  readonly isReading: boolean
  readonly loadMore: () => void
  readonly reload: () => Promise<void>
}

const PAGE_SIZE = 50
/** The objects of later pages change too, so that many are read again. */
const MAX_PAGE_SIZE = 100
/** A filter may reject whole pages, so a reading ends after this number of pages. */
const MAX_PAGES = 10

/** Reads a list page by page, and its newest objects again when they may have changed. With a null source it reads nothing. */
export function useList<T extends { readonly id: string }>(source: ListSource<T> | null): LoadedList<T> {
  const key = source === null ? '' : `${apiUrl(source.path, source.query)} ${source.search ?? ''}`
  const [state, setState] = useState<(ListPart<T> & { readonly key: string }) | null>(null)
  const [error, setError] = useState<RequestError | null>(null)
  const [isReading, setReading] = useState(false)
  const controller = useRef<AbortController | null>(null)
  const readings = useRef({ begun: 0, applied: 0 })
  const current = state?.key === key ? state : null
  const shown = useRef(0)
  shown.current = current?.items.length ?? 0

  const read = async (
    options: ReadOptions,
    merge: (known: ListPart<T>, found: ListPart<T>) => ListPart<T>,
  ) => {
    const signal = controller.current?.signal
    if (source === null || signal === undefined) return
    try {
      const found = await readPages(source, options, signal)
      setState((last) => ({ key, ...(last?.key === key ? merge(last, found) : found) }))
      setError(null)
    } catch (failure) {
      if (signal.aborted) return
      if (!(failure instanceof RequestError)) throw failure
      setError(failure)
    }
  }
  const readNewest = (options: Pick<ReadOptions, 'limit' | 'wanted'>) => {
    readings.current.begun += 1
    const number = readings.current.begun
    return read({ after: null, ...options }, (known, newest) => {
      // A reading that began later has newer objects.
      if (number < readings.current.applied) return known
      readings.current.applied = number
      return replaceNewest(known, newest)
    })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the source.
  const reload = useCallback(() => {
    const limit = Math.min(MAX_PAGE_SIZE, Math.max(PAGE_SIZE, shown.current))
    return readNewest({ limit, wanted: 0 })
  }, [key])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the source.
  useEffect(() => {
    controller.current = new AbortController()
    setError(null)
    readNewest({ limit: PAGE_SIZE, wanted: PAGE_SIZE })
    return () => controller.current?.abort()
  }, [key])
  usePolling(reload, source?.isPolled ?? false)
  useNewEvents((event) => source?.isRelevant(event) ?? false, reload)
  const loadMore = async () => {
    if (current === null || isReading) return
    setReading(true)
    const { next: after } = current
    await read({ after, limit: PAGE_SIZE, wanted: PAGE_SIZE }, (known, older) =>
      known.next === after ? addOlder(known, older) : known,
    )
    setReading(false)
  }
  return {
    items: current === null || source === null ? null : selectItems(current.items, source),
    hasMore: current !== null && current.next !== null,
    ...{ error, isReading, loadMore, reload },
  }
}

function selectItems<T>(items: readonly T[], { isWanted, compare }: ListSource<T>): readonly T[] {
  const wanted = isWanted === undefined ? items : items.filter(isWanted)
  return compare === undefined ? wanted : [...wanted].sort(compare)
}

interface ReadOptions {
  readonly after: string | null
  readonly limit: number
  /** The number of objects after which the reading ends. */
  readonly wanted: number
}

async function readPages<T extends { readonly id: string }>(
  source: ListSource<T>,
  { after, limit, wanted }: ReadOptions,
  signal: AbortSignal,
): Promise<ListPart<T>> {
  const { path, query, itemsOf = (entry) => [entry as T] } = source
  let items: readonly T[] = []
  let next = after
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const position = next === null ? {} : { starting_after: next }
    const page = await get<Page<{ readonly id: string }>>(path, { ...query, limit, ...position }, signal)
    items = mergeItems(items, page.data.flatMap(itemsOf))
    next = page.has_more ? (page.data.at(-1)?.id ?? null) : null
    if (next === null || selectItems(items, source).length >= wanted) break
  }
  return { items, next }
}
