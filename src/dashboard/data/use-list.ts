import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Event } from '../../domain/events/events.ts'
import { apiUrl, get, type Page, type Query, RequestError } from './api-client.ts'
import {
  addNewer,
  addOlder,
  EMPTY_PART,
  type ListPart,
  mergeItems,
  replaceNewest,
  type WithId,
} from './list-part.ts'
import { useNewEvents } from './use-live.ts'
import { usePolling } from './use-polling.ts'

/** A list of the API, with the selection and the order of its objects. */
export interface ListSource<T> {
  readonly path: string
  readonly query: Query
  /** Returns the objects of an entry of the list, if entries such as events contain them (default: the entry itself). */
  readonly itemsOf?: (entry: { readonly id: string }) => readonly T[]
  /** Sorts the objects (default: they stay in the order of the list). */
  readonly compare?: (a: T, b: T) => number
  /** Selects among the objects, for filters that the API does not have. */
  readonly isWanted?: (item: T) => boolean
  /** Identifies the filter of `isWanted`; when it changes, the list is read from the newest object again. */
  readonly search?: string
  /** Returns whether the newest objects must be read again after an event. */
  readonly isRelevant: (event: Event) => boolean
  /** Whether the objects are also read every two seconds, because they change without an event. */
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
/** A reload reads as many objects as are shown, at most this number. */
const MAX_PAGE_SIZE = 100
/** `isWanted` may reject whole pages, so a reading ends after this number of pages. */
const MAX_PAGES = 10

/** Reads a list page by page, and its newest objects again when they may have changed. With a null source it reads nothing. */
export function useList<T extends WithId>(source: ListSource<T> | null): LoadedList<T> {
  const key = source === null ? '' : `${apiUrl(source.path, source.query)} ${source.search ?? ''}`
  const [state, setState] = useState<{ readonly key: string; readonly part: ListPart<T> } | null>(null)
  const [error, setError] = useState<RequestError | null>(null)
  const [isReading, setReading] = useState(false)
  const controller = useRef<AbortController | null>(null)
  const readings = useRef({ begun: 0, applied: 0 })
  const part = state?.key === key ? state.part : null
  const known = useRef<ListPart<T>>(EMPTY_PART)
  known.current = part ?? EMPTY_PART

  const read = async (
    options: ReadOptions,
    merge: (last: ListPart<T>, found: ReadPart<T>) => ListPart<T>,
  ) => {
    const signal = controller.current?.signal
    if (source === null || signal === undefined) return
    try {
      const found = await readPages(source, options, signal)
      setState((last) => ({ key, part: merge(last?.key === key ? last.part : EMPTY_PART, found) }))
      setError(null)
    } catch (failure) {
      if (signal.aborted) return
      if (!(failure instanceof RequestError)) throw failure
      setError(failure)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the source.
  const reload = useCallback(() => {
    readings.current.begun += 1
    const number = readings.current.begun
    const { items, newest } = known.current
    const limit = Math.min(MAX_PAGE_SIZE, Math.max(PAGE_SIZE, items.length))
    return read({ after: null, until: newest, limit }, (last, found) => {
      // A reading that began later has newer objects.
      if (number < readings.current.applied) return last
      readings.current.applied = number
      if (source?.itemsOf === undefined) return replaceNewest(last, found)
      return addNewer(last, found, found.isConnected)
    })
  }, [key])
  useEffect(() => {
    controller.current = new AbortController()
    setError(null)
    reload()
    return () => controller.current?.abort()
  }, [reload])
  usePolling(reload, source?.isPolled ?? false)
  useNewEvents((event) => source?.isRelevant(event) ?? false, reload)
  const loadMore = async () => {
    if (part === null || isReading) return
    setReading(true)
    await read({ after: part.next, until: null, limit: PAGE_SIZE }, (last, older) =>
      last.next === part.next ? addOlder(last, older) : last,
    )
    setReading(false)
  }
  return {
    items: part === null || source === null ? null : selectItems(part.items, source),
    hasMore: part !== null && part.next !== null,
    ...{ error, isReading, loadMore, reload },
  }
}

function selectItems<T>(items: readonly T[], { isWanted, compare }: ListSource<T>): readonly T[] {
  const wanted = isWanted === undefined ? items : items.filter(isWanted)
  return compare === undefined ? wanted : [...wanted].sort(compare)
}

interface ReadOptions {
  /** The position to read from; null for the start of the list. */
  readonly after: string | null
  /** The id of an entry at which the reading ends; null for none. It also ends after `PAGE_SIZE` wanted objects. */
  readonly until: string | null
  /** The number of entries in a page. */
  readonly limit: number
}

interface ReadPart<T> extends ListPart<T> {
  /** Whether the entry `until` was reached. */
  readonly isConnected: boolean
}

async function readPages<T extends WithId>(
  source: ListSource<T>,
  { after, until, limit }: ReadOptions,
  signal: AbortSignal,
): Promise<ReadPart<T>> {
  const { path, query, itemsOf = (entry) => [entry as T] } = source
  const entries: WithId[] = []
  let items: readonly T[] = []
  let next = after
  let isConnected = false
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const position = next === null ? {} : { starting_after: next }
    const page = await get<Page<WithId>>(path, { ...query, limit, ...position }, signal)
    entries.push(...page.data)
    items = mergeItems(items, page.data.flatMap(itemsOf))
    next = page.has_more ? (page.data.at(-1)?.id ?? null) : null
    isConnected ||= page.data.some(({ id }) => id === until)
    if (next === null || isConnected || selectItems(items, source).length >= PAGE_SIZE) break
  }
  return { items, newest: entries[0]?.id ?? null, next, isConnected }
}
